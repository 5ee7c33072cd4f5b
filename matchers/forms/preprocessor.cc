// `#if` ladders over __CUDA_ARCH__ and over macros that stand for it.
#include <algorithm>

#include "directives.h"
#include "expression_text.h"
#include "forms/form.h"
#include "macro_values.h"

namespace portpatch::matchers {
namespace {

using Kind = Expression::Kind;

Expression condition_of(const DirectiveBranch& branch, const FormInput& input) {
  auto expression = read_expression(branch.condition.of(input.text), branch.condition.begin);
  if (branch.keyword.ends_with("def")) {
    expression = {.kind = Kind::kCall,
                  .text = "defined(" + expression.text + ")",
                  .range = expression.range,
                  .name = "defined",
                  .parts = {expression}};
  }
  if (branch.keyword.ends_with("ndef"))
    expression = {.kind = Kind::kNot,
                  .text = expression.text,
                  .range = expression.range,
                  .parts = {expression}};
  bind_macros(expression, input.facts);
  return expression;
}

const Statement* return_within(const Statement& statement, ByteRange body) {
  if (statement.kind == Statement::Kind::kReturn && body.contains(statement.range))
    return &statement;
  for (const auto& part : statement.parts) {
    if (part.range.overlaps(body)) {
      if (const auto* found = return_within(part, body)) return found;
    }
  }
  return nullptr;
}

/// What a branch returns, or defines a macro as, where that is all it does.
void take_value(ByteRange body, const FormInput& input, CcArm& arm) {
  const auto folded = fold_space(body.of(input.text));
  const auto code = trim(folded);
  if (code.starts_with("return ") && code.ends_with(';') && std::ranges::count(code, ';') == 1) {
    arm.text = trim(code.substr(7, code.size() - 8));
    arm.value = read_expression(arm.text).value;
    for (const auto& function : input.facts.functions) {
      if (!function.range.contains(body)) continue;
      const auto* statement = return_within(function.body, body);
      if (statement != nullptr && !statement->expressions.empty() &&
          statement->expressions[0].value)
        arm.value = statement->expressions[0].value;
    }
  }
  if (code.starts_with("#define ") && std::ranges::count(trim(body.of(input.text)), '\n') == 0) {
    const auto space = code.find(' ', 8);
    if (space == std::string_view::npos) return;
    arm.text = trim(code.substr(space + 1));
    arm.value = read_expression(arm.text).value;
  }
}

}  // namespace

void find_preprocessor_ladders(const FormInput& input, std::vector<CcPlace>& places) {
  const ConditionReader reader(input.text, input.text);
  for (const auto& ladder : directive_ladders(input.text)) {
    const auto* function = function_at(input.facts, ladder.range);
    CcPlace place{.form = "#if",
                  .function = function != nullptr ? function->name : "",
                  .range = ladder.range};
    for (const auto& branch : ladder.branches) {
      std::vector<Expression> conditions;
      if (branch.keyword != "else") conditions.push_back(condition_of(branch, input));
      auto arm = arm_for(reader, std::move(conditions), branch.body);
      arm.is_else = branch.keyword == "else";
      take_value(branch.body, input, arm);
      place.arms.push_back(std::move(arm));
    }
    if (has_keys(place)) places.push_back(std::move(place));
  }
}

}  // namespace portpatch::matchers
