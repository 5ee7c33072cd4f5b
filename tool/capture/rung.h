// A branch that came to a ladder, however the language nests it: else-if chains, cases, conditional
// expressions, #if / #elif.
#pragma once

#include <optional>

#include "capture/saying.h"

namespace portpatch {

struct RungCame {
  TreeChange whole;             ///< the ladder in both versions
  std::vector<Saying> sayings;  ///< #ensure-branch!, where its order says, then where it is told
};

/// The ladder at or around `inside`, a node of the old tree, when it has one branch more in the new
/// tree and reads the same otherwise. Nothing when no ladder around it does.
[[nodiscard]] std::optional<RungCame> rung_came(const Versions& versions, const TreeDiff& diff,
                                                const Node& inside);

}  // namespace portpatch
