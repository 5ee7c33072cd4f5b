// Tuning policies keyed by architecture and chained by inheritance, as CUB has them: `struct
// Policy800 : ChainedPolicy<800, Policy800, Policy700>`. A GPU takes the highest that it reaches.
#include <algorithm>
#include <regex>

#include "directives.h"
#include "forms/form.h"

namespace portpatch::matchers {
namespace {

struct Policy {
  std::string name, previous, key;
  ByteRange range;
};

CcArm arm_of(const Policy& policy) {
  const Expression subject{.kind = Expression::Kind::kName, .text = "PTX_ARCH"};
  const Expression key{.kind = Expression::Kind::kNumber,
                       .text = policy.key,
                       .range = policy.range,
                       .value = std::stoll(policy.key)};
  const ConditionReader reader("", "");
  auto arm = arm_for(reader,
                     {{.kind = Expression::Kind::kCompare,
                       .text = "PTX_ARCH >= " + policy.key,
                       .range = policy.range,
                       .name = ">=",
                       .parts = {subject, key}}},
                     policy.range);
  arm.text = policy.name;
  return arm;
}

}  // namespace

void find_policy_chains(const FormInput& input, std::vector<CcPlace>& places) {
  if (!input.text.contains("ChainedPolicy")) return;
  static const std::regex kPolicy(
      R"((?:struct|class)\s+(\w+)\s*:\s*(?:public\s+)?[\w:]*ChainedPolicy\s*<\s*(\d{3,4})\s*,\s*(\w+)\s*,\s*(\w+)\s*>)");
  const auto code = blank_directives(input.text);
  std::vector<std::vector<Policy>> chains;
  for (std::sregex_iterator at(code.begin(), code.end(), kPolicy), end; at != end; ++at) {
    const auto begin = static_cast<std::size_t>(at->position());
    Policy policy{.name = (*at)[1],
                  .previous = (*at)[4],
                  .key = (*at)[2],
                  .range = {begin, begin + static_cast<std::size_t>(at->length())}};
    // The first of a chain names itself as the one before it.
    if (policy.previous == policy.name || chains.empty()) chains.emplace_back();
    chains.back().push_back(std::move(policy));
  }
  for (const auto& chain : chains) {
    CcPlace place{.form = "policy chain",
                  .function = {},
                  .name = "ChainedPolicy",
                  .range = {chain.front().range.begin, chain.back().range.end}};
    for (auto policy = chain.rbegin(); policy != chain.rend(); ++policy)
      place.arms.push_back(arm_of(*policy));
    // Below the lowest, the lowest is taken.
    place.arms.push_back(
        {.range = chain.front().range, .is_else = true, .text = chain.front().name});
    if (has_keys(place)) places.push_back(std::move(place));
  }
}

}  // namespace portpatch::matchers
