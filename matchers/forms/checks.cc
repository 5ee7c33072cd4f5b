// Checks that stop, or throw, unless a condition on the cc holds.
#include "forms/form.h"

namespace portpatch::matchers {
namespace {

using Kind = Expression::Kind;

void add_check(const Expression& condition, std::string name, ByteRange range,
               const ConditionReader& reader, const std::string& function,
               std::vector<CcPlace>& places) {
  CcPlace place{.form = "check", .function = function, .name = std::move(name), .range = range};
  place.arms.push_back(arm_for(reader, {condition}, condition.range));
  if (has_keys(place)) places.push_back(std::move(place));
}

void find_in(const Expression& expression, const ConditionReader& reader,
             const std::string& function, std::vector<CcPlace>& places) {
  if (expression.kind == Kind::kCall && is_check_name(expression.name)) {
    for (const auto& argument : expression.parts) {
      add_check(argument, expression.name, expression.range, reader, function, places);
    }
  }
  for (const auto& part : expression.parts) find_in(part, reader, function, places);
}

}  // namespace

void find_checks(const FormInput& input, std::vector<CcPlace>& places) {
  for_each_statement(input, [&](const Statement& statement, const ConditionReader& reader,
                                const std::string& function) {
    const bool is_expanded = statement.kind == Statement::Kind::kIf &&
                             is_check_name(statement.macro) && !statement.expressions.empty();
    if (is_expanded) {
      // if (!(condition)) throw ...
      const auto* condition = &statement.expressions[0];
      const bool is_negated = condition->kind == Kind::kNot && condition->parts.size() == 1;
      if (is_negated)
        add_check(condition->parts[0], statement.macro, statement.range, reader, function, places);
    }
    for (const auto& expression : statement.expressions) {
      // likely(condition) ? (void)0 : throw ...
      if (is_check_name(statement.macro) && expression.kind == Kind::kConditional)
        add_check(expression.parts[0], statement.macro, statement.range, reader, function, places);
      find_in(expression, reader, function, places);
    }
  });
}

}  // namespace portpatch::matchers
