// A ladder of branches, whatever the language nests it as: if / elif / else, `else if`, switch, match.
#pragma once

#include <optional>
#include <vector>

#include "syntax/source_tree.h"

namespace portpatch {

struct Rung {
  Node node;       ///< the clause: `elif ...`, the `if` behind an `else`, `case ...`
  Node condition;
  Node body;       ///< null for a case: its statements follow its condition
};

struct Ladder {
  Node head;  ///< the whole statement; of cases the block that they stand in
  bool is_cases = false;
  std::vector<Rung> rungs;  ///< with a condition, in order
  Node otherwise;           ///< `else` with its body, `default:`, `case _:`; may be null
};

/// The ladder that `captured` is, begins, or is a branch of; nothing when it is none.
[[nodiscard]] std::optional<Ladder> read_ladder(const SourceTree& tree, const Node& captured);

/// The condition without parentheses that belong to its statement.
[[nodiscard]] Node condition_of(const SourceTree& tree, const Rung& rung);
/// The statements of a branch.
[[nodiscard]] std::vector<Node> body_of(const SourceTree& tree, const Rung& rung);

}  // namespace portpatch
