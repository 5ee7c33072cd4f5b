// Three-way merge of syntax trees: what was changed from base to ours, done to theirs. Every change
// is one of a few kinds, and each is made only where theirs shows beyond doubt what it is done to;
// anything else is a conflict. Nothing is ever decided on lines of text.
//
// After the descriptions of 3DM (Lindholm, 2004), Spork (Larsén et al., 2022) and mergiraf: parts
// are matched by tree_match, lists are merged as sequences, other nodes part by part.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "edit/tree_match.h"

namespace portpatch {

/// One change to theirs. Of a statement that both still have, ours may have changed the comments on
/// the lines above and the one behind it: what that comes to is seen from the three texts.
struct MergeChange {
  enum class Kind { kReplace, kRemove, kInsert, kCommentsAbove, kCommentBehind };
  Kind kind;
  Node theirs;             ///< what is replaced or removed
  Node base;               ///< what it was
  std::vector<Node> ours;  ///< what comes: one node that replaces, or neighbours that are inserted
  Node before, behind;     ///< of an insertion: the neighbours in theirs; null at an end
  bool in_list = false;  ///< as one of a list's items, with the comments above it; not as a part of
                         ///< another node
};

struct TreeConflict {
  std::string reason;
  std::string base, ours, theirs;  ///< texts of the smallest nodes; empty where there is none
  ByteRange place;                 ///< in theirs
};

struct TreeMerge {
  std::vector<MergeChange> changes;      ///< in no order; none when theirs has all of ours
  std::optional<TreeConflict> conflict;  ///< the first; then nothing else counts
  std::string form;                      ///< exact_form of the merged tree
};

[[nodiscard]] TreeMerge merge_trees(const MatchTree& base, const MatchTree& ours,
                                    const MatchTree& theirs);

}  // namespace portpatch
