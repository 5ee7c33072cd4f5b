#include "inventory/cc_keys.h"

#include <cctype>
#include <utility>

#include <re2/re2.h>

#include "syntax/code_form.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

constexpr int kFirstMajor = 2, kLastMajor = 15, kLeastTens = 20;

bool is_gpu(const Cc& cc) {
  return cc.major >= kFirstMajor && cc.major <= kLastMajor && cc.minor >= 0 && cc.minor <= 9;
}

std::optional<KeyMeaning> if_gpu(KeyUnit unit, Cc cc) {
  return is_gpu(cc) ? std::optional(KeyMeaning{unit, std::move(cc)}) : std::nullopt;
}

const std::int64_t* integer(const std::optional<Constant>& constant) {
  return constant ? std::get_if<std::int64_t>(&constant->value) : nullptr;
}

std::optional<KeyMeaning> of_digits(std::string_view digits, std::string suffix, KeyUnit unit) {
  int number = 0;
  for (const char c : digits) number = 10 * number + (c - '0');
  if (digits.size() == 4 && number % 10 == 0)
    number /= 10;
  else if (number >= 200 && number < 1000 && number % 10 == 0)
    number /= 10;
  if (number < kLeastTens) return std::nullopt;
  return if_gpu(unit, {number / 10, number % 10, std::move(suffix)});
}

std::optional<KeyMeaning> of_tuple(const SourceTree& tree, CodeEvaluator& evaluator,
                                   const Node& node) {
  std::vector<Node> items;
  for (const auto& child : node.named_children()) {
    if (!child.is_extra()) items.push_back(child);
  }
  if (items.size() != 2) return std::nullopt;
  const auto major = evaluator.evaluate(tree, items[0]), minor = evaluator.evaluate(tree, items[1]);
  const auto is_version = [](const std::int64_t* number) {
    return number != nullptr && std::in_range<int>(*number);
  };
  if (!is_version(integer(major)) || !is_version(integer(minor))) return std::nullopt;
  return if_gpu(KeyUnit::kTuple,
                {static_cast<int>(*integer(major)), static_cast<int>(*integer(minor))});
}

}  // namespace

std::optional<KeyMeaning> meaning_of(long long number, std::optional<KeyUnit> unit, bool is_hex) {
  if (number < 0 || number > 20'000) return std::nullopt;
  const auto value = static_cast<int>(number);
  if (unit == KeyUnit::kMinor)
    return value <= 9 ? std::optional(KeyMeaning{KeyUnit::kMinor, {0, value}}) : std::nullopt;
  if (unit == KeyUnit::kMajor)
    return value >= 1 && value <= kLastMajor
               ? std::optional(KeyMeaning{KeyUnit::kMajor, {value, 0}})
               : std::nullopt;
  if (unit == KeyUnit::kHundreds)
    return value % 10 == 0 ? if_gpu(KeyUnit::kHundreds, {value / 100, value / 10 % 10})
                           : std::nullopt;
  if (is_hex) return if_gpu(KeyUnit::kHex, {value / 16, value % 16});
  if (value >= kFirstMajor && value <= kLastMajor) return KeyMeaning{KeyUnit::kMajor, {value, 0}};
  if (value >= kLeastTens && value < 200) return if_gpu(KeyUnit::kTens, {value / 10, value % 10});
  return value % 10 == 0 ? if_gpu(KeyUnit::kHundreds, {value / 100, value / 10 % 10})
                         : std::nullopt;
}

std::optional<KeyMeaning> named_cc(std::string_view name) {
  static const RE2 kName(R"((?i)k?_?(?:sm|compute|cc|arch)_?(\d{2,4})(a|f)?)");
  const auto last = last_identifier(name);
  std::string digits, suffix;
  if (!RE2::FullMatch(re2::StringPiece(last.data(), last.size()), kName, &digits, &suffix))
    return std::nullopt;
  return of_digits(digits, suffix, KeyUnit::kArch);
}

std::optional<KeyMeaning> spelled_cc(std::string_view text) {
  static const RE2 kDotted(R"((\d{1,2})\.(\d)([af]?)(?:\+PTX)?)"), kBare(R"((\d{2,3})([af]?))");
  if (const auto named = named_cc(text)) return named;
  std::string major, minor, suffix;
  const re2::StringPiece piece(text.data(), text.size());
  if (RE2::FullMatch(piece, kDotted, &major, &minor, &suffix))
    return if_gpu(KeyUnit::kArch, {std::stoi(major), std::stoi(minor), suffix});
  if (RE2::FullMatch(piece, kBare, &major, &suffix))
    return of_digits(major, suffix, KeyUnit::kArch);
  return std::nullopt;
}

std::optional<KeyMeaning> read_key(const SourceTree& tree, CodeEvaluator& evaluator, const Node& in,
                                   std::optional<KeyUnit> unit) {
  const auto node = inside_groups(tree, in);
  if (!node) return std::nullopt;
  const auto text = node.text(tree.text());
  if (has_role(tree, node, Role::kTuple)) return of_tuple(tree, evaluator, node);
  const auto constant = evaluator.evaluate(tree, node);
  if (const auto* number = integer(constant)) {
    const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
    return meaning_of(*number, unit, is_hex);
  }
  if (constant) {
    const auto plain = plain_string(*constant);
    return plain ? spelled_cc(*plain) : std::nullopt;
  }
  return named_cc(text);
}

std::string folded(std::string_view text) {
  constexpr std::size_t kLongest = 160;
  std::string line;
  for (const char c : text) {
    const bool is_blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!is_blank)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
    if (line.size() >= kLongest) return line.substr(0, kLongest) + "...";
  }
  if (line.ends_with(' ')) line.pop_back();
  return line;
}

}  // namespace portpatch
