#include "syntax/literals.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace portpatch {

namespace {

std::string without_separators(std::string_view text) {
  std::string digits;
  std::ranges::copy_if(text, std::back_inserter(digits),
                       [](char c) { return c != '_' && c != '\''; });
  return digits;
}

}  // namespace

std::optional<std::int64_t> parse_integer(std::string_view text) {
  auto digits = without_separators(text);
  bool negative = false;
  if (digits.starts_with('-') || digits.starts_with('+')) {
    negative = digits[0] == '-';
    digits.erase(0, 1);
    if (digits.starts_with('-')) return std::nullopt;
  }
  int base = 10;
  if (digits.size() > 2 && digits[0] == '0') {
    const char mark = static_cast<char>(std::tolower(static_cast<unsigned char>(digits[1])));
    base = mark == 'x' ? 16 : mark == 'b' ? 2 : mark == 'o' ? 8 : 10;
    if (base != 10) digits.erase(0, 2);
  }
  if (base == 10 && digits.size() > 1 && digits[0] == '0' &&
      std::isdigit(static_cast<unsigned char>(digits[1]))) {
    return std::nullopt;
  }
  while (!digits.empty() && std::string_view("uUlLzZ").contains(digits.back())) digits.pop_back();
  std::int64_t value = 0;
  const auto* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, base);
  if (error != std::errc() || stop != end || digits.empty()) return std::nullopt;
  return negative ? -value : value;
}

std::optional<double> parse_float(std::string_view text) {
  auto digits = without_separators(text);
  while (!digits.empty() && std::string_view("fFlL").contains(digits.back())) digits.pop_back();
  if (digits.starts_with('+')) digits.erase(0, 1);
  double value = 0;
  const auto* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc() || stop != end || digits.empty()) return std::nullopt;
  return value;
}

namespace {

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6), put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12), put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18), put(0x80 | (code >> 12 & 0x3F)), put(0x80 | (code >> 6 & 0x3F)),
        put(0x80 | (code & 0x3F));
  }
}

/// Decodes the escape at `text[at]`, which is behind the backslash; moves `at` behind it.
bool decode_escape(std::string_view text, std::size_t& at, std::string& out) {
  constexpr std::string_view kNames = "ntrabfv\\'\"/";
  constexpr std::string_view kValues = "\n\t\r\a\b\f\v\\'\"/";
  const char c = text[at++];
  if (c == '\n') return true;  // a continued line
  if (const auto known = kNames.find(c); known != std::string_view::npos) {
    out += kValues[known];
    return true;
  }
  const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
  if (digits == 0 || at + digits > text.size()) return false;
  std::uint32_t code = 0;
  const auto* end = text.data() + at + digits;
  if (std::from_chars(text.data() + at, end, code, 16).ptr != end || code > 0x10FFFF) return false;
  at += digits;
  append_utf8(out, code);
  return true;
}

}  // namespace

std::optional<StringLiteral> parse_string(std::string_view text, bool raw) {
  StringLiteral literal;
  std::size_t at = 0;
  while (at < text.size() && std::isalpha(static_cast<unsigned char>(text[at])) && at < 3) {
    const char letter = static_cast<char>(std::tolower(static_cast<unsigned char>(text[at++])));
    if (letter == 'r')
      raw = true;
    else
      literal.prefix += letter;
  }
  for (const std::string_view quote : {"\"\"\"", "'''", "\"", "'"}) {
    if (text.substr(at).starts_with(quote) && text.size() >= at + 2 * quote.size() &&
        text.ends_with(quote)) {
      literal.quote = quote;
      break;
    }
  }
  if (literal.quote.empty()) return std::nullopt;
  const auto content = text.substr(at + literal.quote.size(),
                                   text.size() - at - 2 * literal.quote.size());
  if (raw) {
    literal.content = content;
    return literal;
  }
  for (std::size_t i = 0; i < content.size();) {
    if (content[i] != '\\') {
      literal.content += content[i++];
      continue;
    }
    if (++i >= content.size() || !decode_escape(content, i, literal.content)) return std::nullopt;
  }
  return literal;
}

}  // namespace portpatch
