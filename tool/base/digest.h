// SHA-256: of contents that are compared later, and of what a page's Content-Security-Policy names.
#pragma once

#include <string>
#include <string_view>

namespace portpatch {

/// Lower-case hexadecimal SHA-256 of `bytes`.
[[nodiscard]] std::string sha256(std::string_view bytes);
/// SHA-256 of `bytes` in Base64, with padding.
[[nodiscard]] std::string sha256_base64(std::string_view bytes);

/// What stands at `path`, to see later whether it is still the same: the SHA-256 of a regular
/// file's bytes (symbolic links are followed), "folder", "unreadable" or "absent".
[[nodiscard]] std::string state_of_path(const std::string& path);

}  // namespace portpatch
