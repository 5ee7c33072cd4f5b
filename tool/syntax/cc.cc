#include "syntax/cc.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <re2/re2.h>

namespace portpatch {

namespace {

using Unit = CcSpelling::Unit;

constexpr std::array kUnits = {Unit::kMajor, Unit::kTens,   Unit::kHundreds,
                               Unit::kHex,   Unit::kDotted, Unit::kTuple};

/// Majors and minors that GPUs have had, with room for those to come.
bool is_plausible(int major, int minor) {
  return major >= 2 && major <= 15 && minor >= 0 && minor <= 9;
}

std::string number_pattern(Unit unit) {
  switch (unit) {
    case Unit::kMajor:
      return R"((\d{1,2})())";
    case Unit::kTens:
      return R"((\d{1,2})(\d))";
    case Unit::kHundreds:
      return R"((\d{1,2})(\d)0)";
    case Unit::kHex:
      return R"(0[xX]([0-9a-fA-F])([0-9a-fA-F]))";
    case Unit::kDotted:
      return R"((\d{1,2})\.(\d))";
    case Unit::kTuple:
      return R"(\(\s*(\d{1,2})\s*,\s*(\d)\s*\))";
  }
  return {};
}

}  // namespace

std::string cc_text(const Cc& cc) { return fmt::format("{}.{}{}", cc.major, cc.minor, cc.suffix); }

std::optional<Cc> parse_cc(std::string_view text) {
  static const RE2 kPattern(R"(cc:(\d{1,2})\.(\d)([a-z]?))");
  Cc cc;
  if (!RE2::FullMatch(re2::StringPiece(text.data(), text.size()), kPattern, &cc.major, &cc.minor,
                      &cc.suffix)) {
    return std::nullopt;
  }
  return cc;
}

namespace {

/// A flag that names an architecture as a spelling, with what it names; nothing for other texts.
std::optional<std::pair<CcSpelling, Cc>> read_flag(std::string_view text) {
  static const RE2 kName(R"((?:compute|sm|lto)_(\d{2,3}[af]?))");
  static const RE2 kFlag(
      R"(^['"]?(?:--?gencode|--generate-code|-arch|--gpu-architecture|arch)\b.*|.*-gencode\b.*)");
  const re2::StringPiece whole(text.data(), text.size());
  if (!RE2::FullMatch(whole, kFlag)) return std::nullopt;
  re2::StringPiece rest = whole, number;
  std::vector<std::string> pieces;
  std::string first;
  const char* behind = text.data();
  while (RE2::FindAndConsume(&rest, kName, &number)) {
    if (first.empty()) first = std::string(number);
    if (number != first) return std::nullopt;
    pieces.emplace_back(behind, number.data());
    behind = number.data() + number.size();
  }
  if (pieces.empty()) return std::nullopt;
  CcSpelling spelling{.unit = Unit::kTens,
                      .before = pieces[0],
                      .after = std::string(behind, text.data() + text.size()),
                      .between = {pieces.begin() + 1, pieces.end()}};
  const auto cc = read_spelling(first, {.unit = Unit::kTens});
  return cc ? std::optional(std::pair(std::move(spelling), *cc)) : std::nullopt;
}

/// The one way of all flags among `siblings`; nothing when they disagree, or none is one.
std::optional<CcSpelling> flag_spelling(const std::vector<std::string>& siblings) {
  std::optional<CcSpelling> common;
  for (const auto& sibling : siblings) {
    const auto flag = read_flag(sibling);
    if (!flag) continue;
    if (common && *common != flag->first) return std::nullopt;
    common = flag->first;
  }
  return common;
}

}  // namespace

std::optional<Cc> read_spelling(std::string_view text, const CcSpelling& spelling) {
  if (!spelling.between.empty()) {
    const auto flag = read_flag(text);
    return flag && flag->first == spelling ? std::optional(flag->second) : std::nullopt;
  }
  if (text.size() < spelling.before.size() + spelling.after.size() ||
      !text.starts_with(spelling.before) || !text.ends_with(spelling.after)) {
    return std::nullopt;
  }
  text.remove_prefix(spelling.before.size());
  text.remove_suffix(spelling.after.size());
  const RE2 pattern(number_pattern(spelling.unit) + "([af]?)");
  std::string major, minor;
  Cc cc;
  if (!RE2::FullMatch(re2::StringPiece(text.data(), text.size()), pattern, &major, &minor,
                      &cc.suffix)) {
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
  if (auto flags = flag_spelling(siblings)) return flags;
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
    const bool fits = std::ranges::all_of(siblings, [&](const auto& sibling) {
      return read_spelling(sibling, spelling).has_value();
    });
    if (fits) fitting.push_back(spelling);
  }
  if (fitting.size() != 1) return std::nullopt;
  fitting[0].upper_case = fitting[0].unit == Unit::kHex &&
                          std::ranges::any_of(siblings, [](const auto& sibling) {
                            return std::ranges::any_of(sibling,
                                                       [](char c) { return c >= 'A' && c <= 'F'; });
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
    case Unit::kTens:
      number = fmt::format("{}{}", cc.major, cc.minor);
      break;
    case Unit::kHundreds:
      number = fmt::format("{}{}0", cc.major, cc.minor);
      break;
    case Unit::kHex:
      number = fmt::format(fmt::runtime(spelling.upper_case ? "0x{:X}{:X}" : "0x{:x}{:x}"),
                           cc.major, cc.minor);
      break;
    case Unit::kDotted:
      number = fmt::format("{}.{}", cc.major, cc.minor);
      break;
    case Unit::kTuple:
      number = fmt::format("({}, {})", cc.major, cc.minor);
      break;
  }
  const bool takes_suffix = !spelling.before.empty() || spelling.unit == Unit::kDotted ||
                            spelling.unit == Unit::kTens;
  if (!cc.suffix.empty() && !takes_suffix) return std::nullopt;
  auto text = spelling.before + number + cc.suffix;
  for (const auto& between : spelling.between) text += between + number + cc.suffix;
  return text + spelling.after;
}

}  // namespace portpatch
