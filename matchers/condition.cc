#include "condition.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "expression_text.h"

namespace portpatch::matchers {
namespace {

using Kind = Expression::Kind;

std::optional<long long> integer(const Expression& expression) {
  if (!expression.value) return std::nullopt;
  if (const auto* number = std::get_if<long long>(&*expression.value)) return *number;
  return std::nullopt;
}

std::string_view turned(std::string_view op) {
  if (op == "<") return ">";
  if (op == ">") return "<";
  if (op == "<=") return ">=";
  if (op == ">=") return "<=";
  return op;
}

bool holds(long long left, std::string_view op, long long right) {
  if (op == "==") return left == right;
  if (op == "!=") return left != right;
  if (op == "<") return left < right;
  if (op == "<=") return left <= right;
  if (op == ">") return left > right;
  return left >= right;
}

/// The argument of `is_major_v<10>`.
std::optional<Expression> template_number(const Expression& name) {
  const auto open = name.text.rfind('<');
  if (open == std::string::npos || !name.text.ends_with('>')) return std::nullopt;
  auto number = read_expression(
      std::string_view(name.text).substr(open + 1, name.text.size() - open - 2));
  return integer(number) ? std::optional(number) : std::nullopt;
}

bool asks_major(const Expression& name) {
  return name.kind == Kind::kName && name.text.contains("is_major");
}

Truth of_value(const Constant& value) {
  if (const auto* boolean = std::get_if<bool>(&value))
    return *boolean ? Truth::kTrue : Truth::kFalse;
  if (const auto* number = std::get_if<long long>(&value))
    return *number != 0 ? Truth::kTrue : Truth::kFalse;
  return Truth::kUnknown;
}

/// Nothing where the numbers are too large for it.
std::optional<long long> computed(long long left, std::string_view op, long long right) {
  long long result = 0;
  if (op == "+" && !__builtin_add_overflow(left, right, &result)) return result;
  if (op == "-" && !__builtin_sub_overflow(left, right, &result)) return result;
  if (op == "*" && !__builtin_mul_overflow(left, right, &result)) return result;
  if (op == "<<" && right >= 0 && right < 32 &&
      !__builtin_mul_overflow(left, 1LL << right, &result))
    return result;
  if (op == "|") return left | right;
  if (right == 0 || right == -1) return std::nullopt;
  if (op == "/") return left / right;
  if (op == "%") return left % right;
  return std::nullopt;
}

bool is_number_of(Capability cc, long long number) {
  for (const auto unit : {CcUnit::kTens, CcUnit::kHundreds, CcUnit::kHex}) {
    if (number_of(cc, unit) == number) return true;
  }
  return false;
}

/// The unit of a subject that is `at_12_1` at 12.1.
CcUnit unit_of(long long at_12_1, CcUnit otherwise) {
  for (const auto unit :
       {CcUnit::kMajor, CcUnit::kTens, CcUnit::kHundreds, CcUnit::kHex, CcUnit::kMinor}) {
    if (number_of({12, 1}, unit) == at_12_1) return unit;
  }
  return otherwise;
}

}  // namespace

bool is_true(Truth truth) {
  return truth == Truth::kTrue || truth == Truth::kRange || truth == Truth::kExact;
}

/// A comparison understood: `leaf_unit` is that of the names in the subject, `shown` has the
/// comparison's.
struct ConditionReader::Read {
  const Expression* subject = nullptr;
  CcUnit leaf_unit = CcUnit::kTens;
  std::optional<long long> key;  ///< nothing: the key is a name or a text, and names a whole cc
  CcComparison shown;
};

ConditionReader::ConditionReader(std::string_view surroundings, std::string_view file,
                                 bool use_values)
    : function_speaks_(speaks_of_cc(surroundings)),
      file_speaks_(speaks_of_cc(file)),
      use_values_(use_values) {}

std::optional<CcName> ConditionReader::leaf(const Expression& expression) const {
  if (expression.kind != Kind::kName && expression.kind != Kind::kCall) return std::nullopt;
  if (!expression.origin.empty()) {
    const auto origin = read_expression(expression.origin);
    if (origin.kind == Kind::kArithmetic && is_subject(origin)) {
      if (const auto value = number(origin, {12, 1}, CcUnit::kTens))
        return CcName{unit_of(*value, CcUnit::kTens), false};
    }
    if (origin.kind == Kind::kName || origin.kind == Kind::kCall) {
      if (const auto name = cc_name(origin.text); name && !name->is_weak) return name;
    }
  }
  const auto name = cc_name(expression.text);
  if (!name || !name->is_weak) return name;
  const bool is_bare_number = name->unit.has_value();  // `major`, `minor`: many things have them
  // auto [major, minor] = get_nvrtc_version(); what begins as a number is filled in later.
  const auto origin_kind = read_expression(expression.origin).kind;
  if (is_bare_number && (origin_kind == Kind::kName || origin_kind == Kind::kCall))
    return mentions_cc(expression.origin) ? name : std::nullopt;
  return function_speaks_ || (file_speaks_ && !is_bare_number) ? name : std::nullopt;
}

bool ConditionReader::is_subject(const Expression& expression) const {
  if (leaf(expression)) return true;
  return expression.kind == Kind::kArithmetic &&
         std::ranges::any_of(expression.parts, [&](const auto& part) { return is_subject(part); });
}

std::optional<long long> ConditionReader::number(const Expression& subject, Capability cc,
                                                 CcUnit unit) const {
  if (const auto name = leaf(subject)) return number_of(cc, name->unit.value_or(unit));
  if (const auto value = integer(subject)) return value;
  if (subject.kind != Kind::kArithmetic || subject.parts.size() != 2) return std::nullopt;
  const auto left = number(subject.parts[0], cc, unit), right = number(subject.parts[1], cc, unit);
  if (!left || !right) return std::nullopt;
  return computed(*left, subject.name, *right);
}

std::optional<ConditionReader::Read> ConditionReader::read(const Expression& compare) const {
  if (compare.kind != Kind::kCompare || compare.parts.size() != 2) return std::nullopt;
  for (const bool is_turned : {false, true}) {
    const auto& subject = compare.parts[is_turned ? 1 : 0];
    const auto& other = compare.parts[is_turned ? 0 : 1];
    Read result{.subject = &subject};
    result.shown = {.expression = subject.text,
                    .op = std::string(is_turned ? turned(compare.name) : compare.name),
                    .key = other.text,
                    .range = compare.range};
    result.key = integer(other);
    const auto spelled = other.kind == Kind::kName || other.kind == Kind::kText
                             ? spelled_capability(other.text)
                             : std::nullopt;
    if (!result.key || other.kind == Kind::kText ||
        (spelled && !is_number_of(*spelled, *result.key))) {
      // A name whose value is not known, or that counts enumerators, or a text: it says itself
      // which cc it is.
      if (!spelled || (subject.kind != Kind::kName && subject.kind != Kind::kCall)) continue;
      result.key = std::nullopt;
      result.shown.unit = CcUnit::kArch;
      result.shown.cc = *spelled;
      return result;
    }
    if (!is_subject(subject) || is_subject(other)) continue;
    const auto name = leaf(subject);
    std::vector<CcUnit> units;
    if (name && name->unit) units.push_back(*name->unit);
    if (other.text.starts_with("0x") || other.text.starts_with("0X")) units.push_back(CcUnit::kHex);
    for (const auto unit : {CcUnit::kMajor, CcUnit::kTens, CcUnit::kHundreds})
      units.push_back(unit);
    for (std::size_t i = 0; i < units.size(); ++i) {
      const auto unit = units[i];
      const bool is_named = i == 0 && name && name->unit;
      for (int major = 1; major <= 15; ++major) {
        for (int minor = 0; minor <= 9; ++minor) {
          if (major == 1 && unit != CcUnit::kMajor && !is_named) continue;  // a bare 12 is 12.0
          const Capability cc{major, minor};
          if (number(subject, cc, unit) != *result.key) continue;
          const auto probe = number(subject, {12, 1}, unit);
          result.leaf_unit = unit;
          result.shown.unit = unit_of(probe.value_or(-1), unit);
          result.shown.cc = cc;
          return result;
        }
      }
    }
  }
  return std::nullopt;
}

std::optional<CcComparison> ConditionReader::comparison(const Expression& compare) const {
  if (asks_major(compare)) {
    if (const auto argument = template_number(compare)) {
      return CcComparison{.expression = compare.text.substr(0, compare.text.rfind('<')),
                          .op = "==",
                          .key = argument->text,
                          .unit = CcUnit::kMajor,
                          .cc = {static_cast<int>(*integer(*argument)), 0},
                          .range = compare.range};
    }
  }
  auto found = read(compare);
  return found ? std::optional(std::move(found->shown)) : std::nullopt;
}

void ConditionReader::collect(const Expression& condition, std::vector<CcComparison>& found) const {
  if (auto one = comparison(condition)) {
    found.push_back(std::move(*one));
    return;
  }
  if (condition.kind != Kind::kAnd && condition.kind != Kind::kOr && condition.kind != Kind::kNot)
    return;
  for (const auto& part : condition.parts) collect(part, found);
}

std::vector<CcComparison> ConditionReader::comparisons(const Expression& condition) const {
  std::vector<CcComparison> found;
  collect(condition, found);
  // `minor == 6` alone may be anything's minor number.
  const bool only_minor = std::ranges::all_of(
      found, [](const auto& one) { return one.unit == CcUnit::kMinor; });
  return only_minor ? std::vector<CcComparison>() : found;
}

Truth ConditionReader::truth(const Expression& condition, Capability cc) const {
  const auto of_parts = [&](bool is_and) {
    auto best = Truth::kFalse;
    bool unknown = false, any_false = false;
    for (const auto& part : condition.parts) {
      const auto one = truth(part, cc);
      unknown |= one == Truth::kUnknown;
      any_false |= one == Truth::kFalse;
      if (is_true(one)) best = std::max(best, one);
    }
    if (is_and) return any_false ? Truth::kFalse : unknown ? Truth::kUnknown : best;
    return is_true(best) ? best : unknown ? Truth::kUnknown : Truth::kFalse;
  };
  if (condition.kind == Kind::kAnd) return of_parts(true);
  if (condition.kind == Kind::kOr) return of_parts(false);
  if (condition.kind == Kind::kNot && condition.parts.size() == 1) {
    const auto inner = truth(condition.parts[0], cc);
    if (inner == Truth::kUnknown) return inner;
    if (is_true(inner)) return Truth::kFalse;
    return comparisons(condition.parts[0]).empty() ? Truth::kTrue : Truth::kRange;
  }
  if (asks_major(condition)) {
    if (const auto major = template_number(condition))
      return *integer(*major) == cc.major ? Truth::kExact : Truth::kFalse;
  }
  if (const auto compare = read(condition)) {
    const auto left = compare->key ? number(*compare->subject, cc, compare->leaf_unit)
                                   : std::optional<long long>(number_of(cc, CcUnit::kTens));
    const auto right = compare->key.value_or(number_of(compare->shown.cc, CcUnit::kTens));
    if (!left) return Truth::kUnknown;
    if (!holds(*left, compare->shown.op, right)) return Truth::kFalse;
    return compare->shown.op == "==" ? Truth::kExact : Truth::kRange;
  }
  if (condition.kind == Kind::kCall && condition.name == "defined" && condition.parts.size() == 1) {
    const auto& macro = condition.parts[0];
    return macro.text.contains("CUDA_ARCH") || macro.origin.contains("CUDA_ARCH") ? Truth::kTrue
                                                                                  : Truth::kUnknown;
  }
  if (condition.kind == Kind::kNumber && condition.value) return of_value(*condition.value);
  if (condition.kind == Kind::kText) return Truth::kTrue;  // assert(sm >= 90 && "needs Hopper")
  if (use_values_ && condition.value) return of_value(*condition.value);
  return Truth::kUnknown;
}

}  // namespace portpatch::matchers
