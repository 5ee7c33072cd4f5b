// What a person does about an error of the system's.
#pragma once

#include <string>
#include <string_view>

namespace portpatch {

/// Does `error`, an errno, say that nothing stands at a path? Any other says nothing about it.
[[nodiscard]] bool says_absent(int error);

/// A sentence for the remedy of a diagnostic that quotes `error`, an errno: a full disk, no
/// permission, a disk that fails, too many open files. Never empty but for "no such file" and the
/// like, where the message says it all.
[[nodiscard]] std::string remedy_of(int error);
/// The same for a message of another program or library that quotes an error of the system's;
/// `otherwise` where it quotes none that is known.
[[nodiscard]] std::string remedy_in(std::string_view message, std::string otherwise);

}  // namespace portpatch
