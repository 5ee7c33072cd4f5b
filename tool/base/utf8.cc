#include "base/utf8.h"

#include <charconv>

#include <fmt/format.h>

namespace portpatch {

namespace {

constexpr std::string_view kHex = "hex:";

}  // namespace

std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t length = lead < 0x80       ? 1
                             : lead >> 5 == 6  ? 2
                             : lead >> 4 == 14 ? 3
                             : lead >> 3 == 30 ? 4
                                               : 0;
  if (length == 0 || at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((static_cast<unsigned char>(text[at + i]) & 0xC0) != 0x80) return 0;
  }
  // Longer than it must be, half of a surrogate pair, beyond U+10FFFF: no UTF-8 either.
  const auto sequence = text.substr(at, length);
  if (lead == 0xC0 || lead == 0xC1 || lead > 0xF4 || (lead == 0xE0 && sequence < "\xE0\xA0") ||
      (lead == 0xED && sequence >= "\xED\xA0") || (lead == 0xF0 && sequence < "\xF0\x90") ||
      (lead == 0xF4 && sequence >= "\xF4\x90")) {
    return 0;
  }
  return length;
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto length = utf8_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

std::string readable_utf8(std::string_view text) {
  std::string readable;
  for (std::size_t at = 0; at < text.size();) {
    const auto length = utf8_length(text, at);
    readable += length == 0 ? "\xEF\xBF\xBD" : text.substr(at, length);
    at += length == 0 ? 1 : length;
  }
  return readable;
}

std::string utf8_of_bytes(std::string_view bytes) {
  if (is_utf8(bytes) && !bytes.starts_with(kHex)) return std::string(bytes);
  std::string text(kHex);
  for (const char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

std::string bytes_of_utf8(std::string_view text) {
  if (!text.starts_with(kHex)) return std::string(text);
  std::string bytes;
  for (auto rest = text.substr(kHex.size()); rest.size() >= 2; rest.remove_prefix(2)) {
    unsigned value = 0;
    std::from_chars(rest.data(), rest.data() + 2, value, 16);
    bytes += static_cast<char>(value);
  }
  return bytes;
}

}  // namespace portpatch
