// A branch that is wanted on a ladder, and how it is written there.
#pragma once

#include <string>
#include <vector>

#include "edit/ladder_order.h"

namespace portpatch {

/// The rule's branch and the ladder that it is for.
struct Wanted {
  Fragment condition, body;
  std::vector<std::string> forms;  ///< canonical, of the body's nodes
  Ladder ladder;
  LadderPlace place;
};

/// Edits that put the branch at its place, written as its siblings are. Fails with "no-room",
/// "falls-through".
[[nodiscard]] Result<std::vector<TextEdit>> write_branch(const EditContext& context,
                                                         const Wanted& wanted);

/// The step that does so in a chain of conditional expressions, and the one that takes branch
/// number `index` out.
[[nodiscard]] Step add_choice(const EditContext& context, const Wanted& wanted);
[[nodiscard]] Step take_choice_out(const EditContext& context, const Ladder& ladder,
                                   std::size_t index);
/// ... among the preprocessor's conditionals.
[[nodiscard]] Step add_conditional(const EditContext& context, const Wanted& wanted);
[[nodiscard]] Step take_conditional_out(const EditContext& context, const Ladder& ladder,
                                        std::size_t index);
/// Gives branch number `index`, an #ifdef or its kind, a condition in the notation of #if.
[[nodiscard]] Step spell_condition_out(const EditContext& context, const Ladder& ladder,
                                       std::size_t index, const std::string& condition);

}  // namespace portpatch
