// How `A` becomes `A or X` on the page: which parentheses it takes, and how its lines are broken.
#pragma once

#include <string>
#include <vector>

#include "edit/step.h"
#include "syntax/fragment.h"

namespace portpatch {

/// What widen! and narrow! differ in.
struct Junction {
  Role role;            ///< of the chain that the new operand joins
  Role other;           ///< of the other kind of chain
  std::string token;    ///< "or"
  bool settles = true;  ///< the constant that makes the condition hold already
};

struct JoinEdits {
  std::vector<TextEdit> edits;
  ByteRange nodes;      ///< what becomes another node
  std::string becomes;  ///< its form
};

/// Edits that join `operand` to `condition` (without its own grouping parentheses), with the fewest
/// parentheses that mean the same. Fails with "no-room" when no spelling does.
[[nodiscard]] Result<JoinEdits> join_condition(const SourceTree& tree, const Node& condition,
                                               const Fragment& operand, const Junction& junction);

}  // namespace portpatch
