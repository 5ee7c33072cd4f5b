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
  std::optional<std::size_t>
      equal;              ///< the branch that is the wanted one: equal, or one that covers it
  std::size_t index = 0;  ///< in front of branch number ...; the number of branches: last
};

/// Judges by the values that the conditions take, where it understands them. `pin` is "", "first",
/// "last", "before:CONDITION" or "after:CONDITION". Fails with a blocked step: "order-unknown",
/// "unreachable", "swallows", "no-branch", "mixed-ladder".
[[nodiscard]] std::expected<LadderPlace, Step> place_on_ladder(const EditContext& context,
                                                               const Ladder& ladder,
                                                               const Fragment& condition,
                                                               const std::vector<std::string>& body,
                                                               std::string_view pin);

/// The same for the cases of a switch or match, which take the values that their patterns list.
[[nodiscard]] std::expected<LadderPlace, Step> place_among_cases(
    const EditContext& context, const Ladder& ladder, const Fragment& condition,
    const std::vector<std::string>& body, std::string_view pin);

/// The number of the branch that a place other than "" means.
[[nodiscard]] std::expected<std::size_t, Step> pinned_index(const EditContext& context,
                                                            const Ladder& ladder,
                                                            std::string_view pin);
/// The frame that a condition of the ladder is code in.
[[nodiscard]] std::string_view condition_frame(const Language& language, const Ladder& ladder);
/// The condition of a branch as the rule would write it: `#ifdef A` asks `defined(A)`.
[[nodiscard]] std::string condition_text(const SourceTree& tree, const Ladder& ladder,
                                         const Rung& rung);
/// The canonical form of that; equal conditions have equal ones.
[[nodiscard]] std::string condition_form(const SourceTree& tree, const Ladder& ladder,
                                         const Rung& rung);
[[nodiscard]] std::string condition_form(const SourceTree& tree, const Ladder& ladder,
                                         const Fragment& condition);
/// The canonical forms of the statements that branch number `index` comes to.
[[nodiscard]] std::vector<std::string> body_forms(const SourceTree& tree, const Ladder& ladder,
                                                  std::size_t index);

}  // namespace portpatch
