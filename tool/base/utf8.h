// Names and source text are bytes, and need not be UTF-8; JSON and TOML hold nothing else.
#pragma once

#include <string>
#include <string_view>

namespace portpatch {

/// Length of the well-formed UTF-8 sequence at `text[at]`, or 0.
[[nodiscard]] std::size_t utf8_length(std::string_view text, std::size_t at);
[[nodiscard]] bool is_utf8(std::string_view text);
/// `text` with U+FFFD for each byte that is no part of UTF-8: for what is only read by people.
[[nodiscard]] std::string readable_utf8(std::string_view text);

/// Any bytes as UTF-8, to be had back: themselves, or where they are not UTF-8 "hex:" and all of
/// them in hexadecimal.
[[nodiscard]] std::string utf8_of_bytes(std::string_view bytes);
[[nodiscard]] std::string bytes_of_utf8(std::string_view text);

}  // namespace portpatch
