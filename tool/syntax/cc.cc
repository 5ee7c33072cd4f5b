#include "syntax/cc.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>
#include <re2/re2.h>

namespace portpatch {

namespace {

using Unit = CcSpelling::Unit;

constexpr std::array kUnits = {Unit::kMajor, Unit::kTens,   Unit::kHundreds,
                               Unit::kHex,   Unit::kDotted, Unit::kTuple};

/// Majors and minors that GPUs have had, with room for those to come.
bool is_plausible(int major, int minor) { return major >= 2 && major <= 15 && minor >= 0 && minor <= 9; }

std::string number_pattern(Unit unit) {
  switch (unit) {
    case Unit::kMajor: return R"((\d{1,2})())";
    case Unit::kTens: return R"((\d{1,2})(\d))";
    case Unit::kHundreds: return R"((\d{1,2})(\d)0)";
    case Unit::kHex: return R"(0[xX]([0-9a-fA-F])([0-9a-fA-F]))";
    case Unit::kDotted: return R"((\d{1,2})\.(\d))";
    case Unit::kTuple: return R"(\(\s*(\d{1,2})\s*,\s*(\d)\s*\))";
  }
  return {};
}

}  // namespace

std::optional<Cc> parse_cc(std::string_view text) {
  static const RE2 kPattern(R"(cc:(\d{1,2})\.(\d)([a-z]?))");
  Cc cc;
  if (!RE2::FullMatch(re2::StringPiece(text.data(), text.size()), kPattern, &cc.major, &cc.minor, &cc.suffix)) {
    return std::nullopt;
  }
  return cc;
}

std::optional<Cc> read_spelling(std::string_view text, const CcSpelling& spelling) {
  if (text.size() < spelling.before.size() + spelling.after.size() || !text.starts_with(spelling.before) ||
      !text.ends_with(spelling.after)) {
    return std::nullopt;
  }
  text.remove_prefix(spelling.before.size());
  text.remove_suffix(spelling.after.size());
  const RE2 pattern(number_pattern(spelling.unit) + "([af]?)");
  std::string major, minor;
  Cc cc;
  if (!RE2::FullMatch(re2::StringPiece(text.data(), text.size()), pattern, &major, &minor, &cc.suffix)) {
    return std::nullopt;
  }
  const int base = spelling.unit == Unit::kHex ? 16 : 10;
  cc.major = std::stoi(major, nullptr, base);
  cc.minor = minor.empty() ? 0 : std::stoi(minor, nullptr, base);
  if (!is_plausible(cc.major, cc.minor)) return std::nullopt;
  return cc;
}

std::optional<CcSpelling> common_spelling(const std::vector<std::string>& siblings) {
  if (siblings.empty()) return std::nullopt;
  // Before the number: quotes and a word such as sm_ or compute_; behind it: the closing quote.
  static const RE2 kAround(R"((['"]?(?:[A-Za-z]+_?)?)[\d(].*?(['"]?))");
  std::string before, after;
  if (siblings[0].starts_with("0x") || siblings[0].starts_with("0X") ||
      !RE2::FullMatch(siblings[0], kAround, &before, &after)) {
    before.clear();
    after.clear();
  }
  std::vector<CcSpelling> fitting;
  for (const auto unit : kUnits) {
    const CcSpelling spelling{unit, before, after};
    const bool fits = std::ranges::all_of(
        siblings, [&](const auto& sibling) { return read_spelling(sibling, spelling).has_value(); });
    if (fits) fitting.push_back(spelling);
  }
  if (fitting.size() != 1) return std::nullopt;
  fitting[0].upper_case = fitting[0].unit == Unit::kHex && std::ranges::any_of(siblings, [](const auto& sibling) {
    return std::ranges::any_of(sibling, [](char c) { return c >= 'A' && c <= 'F'; });
  });
  return fitting[0];
}

std::optional<std::string> spell(const Cc& cc, const CcSpelling& spelling) {
  std::string number;
  switch (spelling.unit) {
    case Unit::kMajor:
      if (cc.minor != 0) return std::nullopt;
      number = std::to_string(cc.major);
      break;
    case Unit::kTens: number = fmt::format("{}{}", cc.major, cc.minor); break;
    case Unit::kHundreds: number = fmt::format("{}{}0", cc.major, cc.minor); break;
    case Unit::kHex:
      number = fmt::format(fmt::runtime(spelling.upper_case ? "0x{:X}{:X}" : "0x{:x}{:x}"), cc.major, cc.minor);
      break;
    case Unit::kDotted: number = fmt::format("{}.{}", cc.major, cc.minor); break;
    case Unit::kTuple: number = fmt::format("({}, {})", cc.major, cc.minor); break;
  }
  const bool takes_suffix = !spelling.before.empty() || spelling.unit == Unit::kDotted || spelling.unit == Unit::kTens;
  if (!cc.suffix.empty() && !takes_suffix) return std::nullopt;
  return spelling.before + number + cc.suffix + spelling.after;
}

}  // namespace portpatch
