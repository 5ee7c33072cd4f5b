#include "syntax/cc_condition.h"

#include <algorithm>
#include <cctype>

#include <re2/re2.h>

#include "base/text.h"
#include "syntax/code_form.h"
#include "syntax/language.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

constexpr std::string_view kComparisons[] = {"==", "!=", "<", "<=", ">", ">=", "in", "not in"};

std::string_view turned(std::string_view op) {
  if (op == "<") return ">";
  if (op == "<=") return ">=";
  if (op == ">") return "<";
  if (op == ">=") return "<=";
  return op;
}

bool holds(std::int64_t value, std::string_view op, std::int64_t other) {
  if (op == "==") return value == other;
  if (op == "!=") return value != other;
  if (op == "<") return value < other;
  if (op == "<=") return value <= other;
  if (op == ">") return value > other;
  return value >= other;
}

/// All cc of which `part` (of 10 * major + minor) is in the relation to `value`.
template <typename Part>
CcSet select(std::string_view op, std::int64_t value, Part part) {
  CcSet set;
  for (std::size_t i = 0; i < set.size(); ++i)
    set.set(i, holds(part(static_cast<std::int64_t>(i)), op, value));
  return set;
}

/// Takes the last of `words` out of a subject's text: `p.major` and `p.minor` ask the same thing.
bool take_word(std::string& subject, std::string_view word) {
  const auto at = subject.rfind(word);
  if (at == std::string::npos) return false;
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto end = at + word.size();
  if ((at > 0 && is_letter(subject[at - 1])) || (end < subject.size() && is_letter(subject[end])))
    return false;
  subject.replace(at, word.size(), "*");
  return true;
}

}  // namespace

std::optional<CcSet> parse_cc_set(std::string_view text) {
  text = trim(text);
  std::string_view op = "==";
  for (const std::string_view one : {">=", "<=", ">", "<"}) {
    if (!text.starts_with(one)) continue;
    op = one;
    text = trim(text.substr(one.size()));
    break;
  }
  if (const auto dots = text.find(".."); dots != std::string_view::npos && op == "==") {
    const auto low = parse_cc_set(">=" + std::string(text.substr(0, dots))),
               high = parse_cc_set("<=" + std::string(text.substr(dots + 2)));
    return low && high ? std::optional(*low & *high) : std::nullopt;
  }
  const auto dot = text.find('.');
  const auto number = [](std::string_view digits) -> std::optional<std::int64_t> {
    const bool fits = !digits.empty() && digits.size() <= 2 &&
                      std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
    return fits ? std::optional<std::int64_t>(std::stoi(std::string(digits))) : std::nullopt;
  };
  const auto major = number(text.substr(0, dot));
  const auto minor = dot == std::string_view::npos ? std::nullopt : number(text.substr(dot + 1));
  if (!major || *major > 39 || (dot != std::string_view::npos && (!minor || *minor > 9)))
    return std::nullopt;
  if (!minor) return select(op, *major, [](std::int64_t cc) { return cc / 10; });
  return select(op, 10 * *major + *minor, [](std::int64_t cc) { return cc; });
}

std::optional<CcSet> CcConditionReader::set_of(const std::string& subject, Unit named,
                                               std::string_view op, const SourceTree& tree,
                                               const Node& value) {
  if (has_role(tree, value, Role::kSequence)) {
    std::vector<Node> items;
    for (const auto& child : value.named_children()) {
      if (!child.is_extra()) items.push_back(child);
    }
    if (op == "in" || op == "not in") {
      CcSet any;
      for (const auto& item : items) {
        const auto one = set_of(subject, named, "==", tree, inside_groups(tree, item));
        if (!one) return std::nullopt;
        any |= *one;
      }
      return op == "in" ? any : ~any;
    }
    // (major, minor), compared as a whole.
    if (!has_role(tree, value, Role::kTuple)) return std::nullopt;
    const auto major = items.size() == 2 ? evaluator_.evaluate(tree, items[0]) : std::nullopt;
    const auto minor = major ? evaluator_.evaluate(tree, items[1]) : std::nullopt;
    const auto* a = major ? std::get_if<std::int64_t>(&major->value) : nullptr;
    const auto* b = minor ? std::get_if<std::int64_t>(&minor->value) : nullptr;
    if (a == nullptr || b == nullptr || *a < 0 || *a > 39 || *b < 0 || *b > 9 ||
        named != Unit::kTens)
      return std::nullopt;
    if (units_.try_emplace(subject, Unit::kTuple).first->second != Unit::kTuple)
      return std::nullopt;
    return select(op, 10 * *a + *b, [](std::int64_t cc) { return cc; });
  }
  if (op == "in" || op == "not in") return std::nullopt;
  const auto constant = evaluator_.evaluate(tree, value);
  const auto* number = constant ? std::get_if<std::int64_t>(&constant->value) : nullptr;
  if (number == nullptr || *number < 0) return std::nullopt;
  // Values that no cc has: something else is asked.
  if (*number >= (named == Unit::kMajor ? 40 : named == Unit::kMinor ? 10 : 4000))
    return std::nullopt;
  if (named == Unit::kMajor) return select(op, *number, [](std::int64_t cc) { return cc / 10; });
  if (named == Unit::kMinor) return select(op, *number, [](std::int64_t cc) { return cc % 10; });
  const auto unit = *number < 20 ? Unit::kMajor : *number < 200 ? Unit::kTens : Unit::kHundreds;
  if (units_.try_emplace(subject, unit).first->second != unit ||
      (unit == Unit::kHundreds && *number % 10 != 0))
    return std::nullopt;
  if (unit == Unit::kMajor) return select(op, *number, [](std::int64_t cc) { return cc / 10; });
  return select(op, unit == Unit::kTens ? *number : *number / 10,
                [](std::int64_t cc) { return cc; });
}

std::optional<CcCondition> CcConditionReader::compare(const SourceTree& tree, const Node& left,
                                                      std::string_view op, const Node& right) {
  if (std::ranges::find(kComparisons, op) == std::end(kComparisons)) return std::nullopt;
  const auto is_value = [&](const Node& node) {
    return has_role(tree, node, Role::kSequence) || evaluator_.evaluate(tree, node);
  };
  if (is_value(left) && !is_value(right) && op != "in" && op != "not in")
    return compare(tree, right, turned(op), left);
  if (!is_value(right) || is_value(left)) return std::nullopt;
  Node asked = left;
  auto named = Unit::kTens;
  // sm // 10 asks the major number of a subject in tens, sm % 10 the minor one.
  if (has_role(tree, left, Role::kBinary)) {
    const auto by = evaluator_.evaluate(tree, left.field("right"));
    const auto* ten = by ? std::get_if<std::int64_t>(&by->value) : nullptr;
    const auto sign = left.field("operator").text(tree.text());
    if (ten != nullptr && *ten == 10 && (sign == tree.language().whole_division() || sign == "%")) {
      asked = inside_groups(tree, left.field("left"));
      named = sign == "%" ? Unit::kMinor : Unit::kMajor;
    }
  }
  auto subject = std::string(asked.text(tree.text()));
  std::erase_if(subject, [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; });
  if (named != Unit::kTens) {
    if (units_.try_emplace(subject, Unit::kTens).first->second != Unit::kTens) return std::nullopt;
  } else if (take_word(subject, "major")) {
    named = Unit::kMajor;
  } else if (take_word(subject, "minor")) {
    named = Unit::kMinor;
  } else if (subject.ends_with("[0]") || subject.ends_with("[1]")) {
    named = subject.ends_with("[0]") ? Unit::kMajor : Unit::kMinor;
    subject.resize(subject.size() - 3);
    if (units_.try_emplace(subject, Unit::kTuple).first->second != Unit::kTuple)
      return std::nullopt;
  }
  const auto set = set_of(subject, named, op, tree, inside_groups(tree, right));
  return set ? std::optional(CcCondition{.subject = subject, .set = *set}) : std::nullopt;
}

std::optional<CcCondition> CcConditionReader::read_comparison(const SourceTree& tree,
                                                              const Node& node) {
  std::vector<Node> parts;
  for (const auto& child : node.children()) {
    if (!child.is_extra()) parts.push_back(child);
  }
  std::optional<CcCondition> all;
  if (parts.size() < 3 || parts.size() % 2 == 0) return all;
  for (std::size_t i = 0; i + 2 < parts.size(); i += 2) {
    auto one = compare(tree, inside_groups(tree, parts[i]), parts[i + 1].text(tree.text()),
                       inside_groups(tree, parts[i + 2]));
    if (!one || (all && all->subject != one->subject)) return std::nullopt;
    if (all) one->set &= all->set;
    all = std::move(one);
  }
  return all;
}

std::optional<CcCondition> CcConditionReader::read_defined(const SourceTree& tree,
                                                           const Node& node) const {
  const auto name = descendant_with(tree, node, Role::kReference);
  if (!name) return std::nullopt;
  return CcCondition{
      .subject = std::string(name.text(tree.text())), .set = ~CcSet(1), .is_compared = false};
}

std::optional<CcCondition> CcConditionReader::read(const SourceTree& tree, const Node& condition) {
  const auto node = inside_groups(tree, condition);
  if (!node) return std::nullopt;
  if (has_role(tree, node, Role::kNegation)) {
    auto inner = read(tree, node.field("argument"));
    if (inner) inner->set.flip();
    return inner;
  }
  const auto sign = node.field("operator").text(tree.text());
  const bool both = sign == "and" || sign == "&&";
  if (both || sign == "or" || sign == "||") {
    auto left = read(tree, node.field("left"));
    const auto right = left ? read(tree, node.field("right")) : std::nullopt;
    if (!right) return std::nullopt;
    if (!left->subject.empty() && !right->subject.empty() && left->subject != right->subject)
      return std::nullopt;
    left->set = both ? left->set & right->set : left->set | right->set;
    if (left->subject.empty()) left->subject = right->subject;
    left->is_compared |= right->is_compared;
    return left;
  }
  if (has_role(tree, node, Role::kDefined)) return read_defined(tree, node);
  if (has_role(tree, node, Role::kComparison)) return read_comparison(tree, node);
  // A helper that the rule names: f(), m.f(), f.
  const auto arguments = node.field("arguments");
  const ByteRange called{node.range().begin,
                         arguments ? arguments.range().begin : node.range().end};
  // Anything but names in front of it may be another condition: `x ? y : f`, `x | m.f`.
  static const RE2 kHelper(
      R"((?:::)?(?:[\pL\pN_]+(?:<[^<>\s]*>)?(?:\[[^\[\]]*\])*(?:\.|::|->))*([\pL\pN_]+))");
  const auto text = trim(called.of(tree.text()));
  std::string name;
  if (!RE2::FullMatch({text.data(), text.size()}, kHelper, &name)) return std::nullopt;
  const auto helper = helpers_.find(name);
  return helper == helpers_.end()
             ? std::nullopt
             : std::optional(CcCondition{.subject = "", .set = helper->second});
}

}  // namespace portpatch
