// `a ? b : c` over a cc; nested ones are one ladder.
#include <algorithm>

#include "forms/form.h"

namespace portpatch::matchers {
namespace {

using Kind = Expression::Kind;

bool asks(const Expression& expression, const ConditionReader& reader) {
  if (expression.kind != Kind::kConditional) return false;
  return !reader.comparisons(expression.parts[0]).empty() || asks(expression.parts[1], reader) ||
         asks(expression.parts[2], reader);
}

void add_arms(const Expression& expression, const std::vector<Expression>& path,
              const ConditionReader& reader, std::vector<CcArm>& arms) {
  if (expression.kind == Kind::kConditional) {
    auto inner = path;
    inner.push_back(expression.parts[0]);
    add_arms(expression.parts[1], inner, reader, arms);
    add_arms(expression.parts[2], path, reader, arms);
    return;
  }
  auto arm = arm_for(reader, path, expression.range);
  arm.is_else = path.empty();
  arm.text = expression.text;
  arm.value = expression.value;
  arms.push_back(std::move(arm));
}

void find_in(const Expression& expression, const Statement& statement,
             const ConditionReader& reader, const std::string& function,
             std::vector<CcPlace>& places) {
  if (asks(expression, reader)) {
    CcPlace place{.form = "conditional",
                  .function = function,
                  .name = statement.name,
                  .range = expression.range};
    add_arms(expression, {}, reader, place.arms);
    places.push_back(std::move(place));
    return;
  }
  for (const auto& part : expression.parts) find_in(part, statement, reader, function, places);
}

}  // namespace

void find_conditionals(const FormInput& input, std::vector<CcPlace>& places) {
  for_each_statement(input, [&](const Statement& statement, const ConditionReader& reader,
                                const std::string& function) {
    if (is_check_name(statement.macro)) return;
    for (const auto& expression : statement.expressions)
      find_in(expression, statement, reader, function, places);
  });
}

}  // namespace portpatch::matchers
