#include "place.h"

#include <algorithm>
#include <array>

namespace portpatch::matchers {
namespace {

Truth row_truth(const CcArm& arm, Capability cc) {
  const bool is_named = std::ranges::any_of(arm.comparisons, [&](const auto& key) {
    return key.unit == CcUnit::kMajor ? key.cc.major == cc.major : key.cc == cc;
  });
  return is_named ? Truth::kExact : Truth::kFalse;
}

Truth arm_truth(const CcArm& arm, Capability cc, const ConditionReader& reader) {
  if (arm.is_row) return row_truth(arm, cc);
  const Expression all{.kind = Expression::Kind::kAnd, .parts = arm.conditions};
  return arm.is_else ? Truth::kTrue : reader.truth(all, cc);
}

}  // namespace

std::string_view taken_name(ArmTaken taken) {
  constexpr std::array<std::string_view, 5> kNames{"exact", "range", "else", "none", "unknown"};
  return kNames[static_cast<std::size_t>(taken)];
}

CcAnswer answer(const CcPlace& place, Capability cc, const ConditionReader& reader) {
  CcAnswer result{.cc = cc, .taken = ArmTaken::kNone};
  const bool has_keys = std::ranges::any_of(
      place.arms, [](const auto& arm) { return !arm.comparisons.empty(); });
  if (!has_keys) result.taken = ArmTaken::kUnknown;
  for (std::size_t i = 0; i < place.arms.size(); ++i) {
    const auto& arm = place.arms[i];
    const auto truth = arm_truth(arm, cc, reader);
    if (truth == Truth::kFalse) continue;
    const bool was_open = !result.arms.empty();
    result.arms.push_back(i);
    if (truth == Truth::kUnknown) continue;
    result.taken = arm.is_else              ? ArmTaken::kElse
                   : truth == Truth::kExact ? ArmTaken::kExact
                                            : ArmTaken::kRange;
    if (was_open) break;
    result.value = arm.value;
    return result;
  }
  if (!result.arms.empty()) result.taken = ArmTaken::kUnknown;
  return result;
}

}  // namespace portpatch::matchers
