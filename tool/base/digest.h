// SHA-256 as pages name it in their Content-Security-Policy.
#pragma once

#include <string>
#include <string_view>

namespace portpatch {

/// SHA-256 of `bytes` in Base64, with padding.
[[nodiscard]] std::string sha256_base64(std::string_view bytes);

}  // namespace portpatch
