// Where a new branch goes on a ladder, so that no branch takes what another one is there for.
#pragma once

#include <string>
#include <vector>

#include "edit/ladder.h"
#include "edit/step.h"
#include "syntax/cc_condition.h"

namespace portpatch {

/// What the ladder has for the wanted condition, or where its branch goes.
struct LadderPlace {
  std::optional<std::size_t> equal;  ///< the branch that is the wanted one: equal, or one that covers it
  std::size_t index = 0;             ///< in front of branch number ...; the number of branches: last
};

/// Judges by the values that the conditions take, where it understands them. `pin` is "", "first",
/// "last", "before:CONDITION" or "after:CONDITION". Fails with a blocked step: "order-unknown",
/// "unreachable", "swallows", "no-branch".
[[nodiscard]] std::expected<LadderPlace, Step> place_on_ladder(const EditContext& context, const Ladder& ladder, const Fragment& condition,
                                                               const std::vector<std::string>& body, std::string_view pin);

/// The canonical forms of a branch's statements.
[[nodiscard]] std::vector<std::string> body_forms(const SourceTree& tree, const Rung& rung);

}  // namespace portpatch
