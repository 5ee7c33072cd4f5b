// Conditions on a cc that no ladder, conditional or check holds: `bool is_sm90 = sm == 90`, `return
// major >= 9`, an argument of a call.
#include "forms/form.h"

namespace portpatch::matchers {
namespace {

using Kind = Expression::Kind;

std::string_view form_of(const Statement& statement) {
  if (statement.kind == Statement::Kind::kReturn) return "predicate";
  if (statement.kind == Statement::Kind::kVariable || statement.kind == Statement::Kind::kAssign)
    return "boolean";
  return "condition";
}

void find_in(const Expression& expression, const Statement& statement, std::string_view form,
             const ConditionReader& reader, const std::string& function,
             std::vector<CcPlace>& places) {
  CcPlace place{.form = std::string(form),
                .function = function,
                .name = statement.name,
                .range = expression.range};
  place.arms.push_back(arm_for(reader, {expression}, expression.range));
  if (has_keys(place)) {
    place.arms[0].value = true;
    places.push_back(std::move(place));
    return;
  }
  if (expression.kind == Kind::kCall && is_check_name(expression.name)) return;
  const bool is_value = expression.kind == Kind::kConditional;
  for (std::size_t i = is_value ? 1 : 0; i < expression.parts.size(); ++i) {
    const auto inner = expression.kind == Kind::kCall ? std::string_view("condition") : form;
    find_in(expression.parts[i], statement, inner, reader, function, places);
  }
}

}  // namespace

void find_booleans(const FormInput& input, std::vector<CcPlace>& places) {
  for_each_statement(input, [&](const Statement& statement, const ConditionReader& reader,
                                const std::string& function) {
    if (statement.kind == Statement::Kind::kIf || statement.kind == Statement::Kind::kSwitch ||
        statement.kind == Statement::Kind::kCase)
      return;
    for (const auto& expression : statement.expressions)
      find_in(expression, statement, form_of(statement), reader, function, places);
  });
}

}  // namespace portpatch::matchers
