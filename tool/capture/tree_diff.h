// The difference of two trees as a person would tell it: which siblings came, which went, and which
// node reads otherwise. Equal subtrees are matched by content, then what is left between them by
// likeness (the scheme of GumTree, Falleri et al., ASE 2014, with the order of siblings kept).
#pragma once

#include <unordered_map>
#include <vector>

#include "capture/content.h"

namespace portpatch {

/// Siblings of a matched parent that went, and those that stand there now. Both: they were
/// replaced.
struct TreeChange {
  Node old_parent, new_parent;
  std::vector<Node> removed, inserted;
  Node kept = {};  ///< the removed node within the inserted one (a decorated function); what
                   ///< differs in it is told by itself
};

struct TreeDiff {
  std::vector<TreeChange> changes;  ///< in the old tree's order
  /// Nodes of the old tree and their matches in the new one; those that changed inside as well.
  std::unordered_map<const void*, Node> matches;

  [[nodiscard]] Node match_of(const Node& old_node) const;
};

/// What leads from `before` to `after`. No change: they are equal as code.
[[nodiscard]] TreeDiff compare_trees(const TreeContent& before, const TreeContent& after);

/// How many tokens came or went between the two.
[[nodiscard]] std::size_t tokens_between(const TreeContent& before, const TreeContent& after);

/// Do the two texts say the same? False when one cannot be read.
[[nodiscard]] bool same_code(const Language& language, const std::string& one,
                             const std::string& two);

}  // namespace portpatch
