// SHA-256: of contents that are compared later, and of what a page's Content-Security-Policy names.
#pragma once

#include <string>
#include <string_view>

namespace portpatch {

/// Lower-case hexadecimal SHA-256 of `bytes`.
[[nodiscard]] std::string sha256(std::string_view bytes);
/// SHA-256 of `bytes` in Base64, with padding.
[[nodiscard]] std::string sha256_base64(std::string_view bytes);

}  // namespace portpatch
