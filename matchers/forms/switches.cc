// `switch` over a cc, or over an enumeration of architectures.
#include <algorithm>

#include "forms/form.h"

namespace portpatch::matchers {
namespace {

using Kind = Statement::Kind;

/// What a case returns or assigns first, where that is a constant.
void take_value(const Statement& branch, CcArm& arm) {
  for (const auto& statement : branch.parts) {
    if ((statement.kind == Kind::kReturn || statement.kind == Kind::kAssign) &&
        !statement.expressions.empty()) {
      arm.value = statement.expressions[0].value;
      arm.text = statement.expressions[0].text;
      return;
    }
    if (statement.kind == Kind::kIf || statement.kind == Kind::kLoop ||
        statement.kind == Kind::kSwitch)
      return;
  }
}

}  // namespace

void find_switches(const FormInput& input, std::vector<CcPlace>& places) {
  for_each_statement(input, [&](const Statement& statement, const ConditionReader& reader,
                                const std::string& function) {
    if (statement.kind != Kind::kSwitch || statement.expressions.empty()) return;
    const auto& subject = statement.expressions[0];
    CcPlace place{
        .form = "switch", .function = function, .name = subject.text, .range = statement.range};
    for (const auto& branch : statement.parts) {
      if (branch.kind != Kind::kCase) continue;
      Expression any{.kind = Expression::Kind::kOr, .range = branch.range};
      for (const auto& label : branch.expressions) {
        any.parts.push_back({.kind = Expression::Kind::kCompare,
                             .text = subject.text + " == " + label.text,
                             .range = label.range,
                             .name = "==",
                             .parts = {subject, label}});
      }
      auto arm = arm_for(reader, {any}, branch.range);
      arm.is_else = branch.expressions.empty();
      take_value(branch, arm);
      place.arms.push_back(std::move(arm));
    }
    std::ranges::stable_partition(place.arms, [](const auto& arm) { return !arm.is_else; });
    if (has_keys(place)) places.push_back(std::move(place));
  });
}

}  // namespace portpatch::matchers
