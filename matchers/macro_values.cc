#include "macro_values.h"

#include "expression_text.h"

namespace portpatch::matchers {
namespace {

void bind_statement(Statement& statement, const Facts& facts) {
  for (auto& expression : statement.expressions) bind_macros(expression, facts);
  for (auto& part : statement.parts) bind_statement(part, facts);
}

}  // namespace

void bind_macros(Expression& expression, const Facts& facts) {
  for (auto& part : expression.parts) bind_macros(part, facts);
  if (expression.kind != Expression::Kind::kName || expression.value) return;
  const auto found = facts.macros.find(expression.text);
  if (found == facts.macros.end()) return;
  const auto body = read_expression(found->second);
  if (body.value)
    expression.value = body.value;
  else
    expression.origin = found->second;
}

void bind_macros(Facts& facts) {
  for (auto& function : facts.functions) bind_statement(function.body, facts);
  for (auto& statement : facts.loose) bind_statement(statement, facts);
}

}  // namespace portpatch::matchers
