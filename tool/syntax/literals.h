// Literal tokens as values: numbers and strings in the spellings of the languages we know.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace portpatch {

/// `268_435_456`, `0x10`, `0b1`, `0o7`, `1'000`, `256ull`. Nothing for a literal that does not fit
/// 64 bits, or whose leading zero means different things in different languages.
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text);
/// `1.5`, `1e-3f`, `1_0.0`.
[[nodiscard]] std::optional<double> parse_float(std::string_view text);

/// A string literal taken apart.
struct StringLiteral {
  std::string prefix;   ///< letters before the quote, lower case, without r
  std::string quote;    ///< ", ', """ or '''; empty for a plain scalar
  std::string content;  ///< decoded unless raw
};
/// Nothing when the quotes do not fit, or an escape is one that this reader does not decode.
[[nodiscard]] std::optional<StringLiteral> parse_string(std::string_view text, bool raw);

}  // namespace portpatch
