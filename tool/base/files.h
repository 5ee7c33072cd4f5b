// Reading files. Writing is the transaction's alone (apply/).
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace portpatch {

/// The bytes of the regular file `path` (symbolic links are followed).
/// Fails with code "unreadable-file" and the system's reason.
[[nodiscard]] Result<std::string> read_file(const std::string& path);

/// `path` made absolute against the working directory, "." and ".." folded away in the text;
/// symbolic links are not looked at.
[[nodiscard]] std::string absolute_path(std::string_view path);

/// True when `path`, relative and with slashes, stays inside its root as text: not absolute, no
/// "..", no empty or "." component, not ".git".
[[nodiscard]] bool is_inside_path(std::string_view path);

}  // namespace portpatch
