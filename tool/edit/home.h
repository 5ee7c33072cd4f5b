// Homes: where the words of a rule stand that is not found, or stands against upstream. Nothing is
// edited for them: they tell a person where to look.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "edit/ownership.h"
#include "edit/plan_tree.h"
#include "locate/piece_search.h"

namespace portpatch {

struct Home {
  bool is_ours = false;      ///< it is what the rule would write; else what the base said
  bool is_whole = false;     ///< all that the rule changes, or the whole site; else a part of it
  bool is_in_scope = false;  ///< in the file and scope of the base
  std::string text;          ///< the piece, as it was written
  PiecePlace place;
};

/// For each rule that is lost, has no query for its place, or conflicts: where the code of its
/// sites at the base (when it is lost), or what it would write there, stands word for word in the
/// tree; best first, at most three. Left out is what is short, and what stood at such a place at
/// the base already.
[[nodiscard]] Result<std::vector<std::vector<Home>>> find_homes(
    const WorkTree& tree, const LocateResult& located, const TreePlan& plan,
    const std::function<Ownership&(const Pack&)>& ownership_of);

}  // namespace portpatch
