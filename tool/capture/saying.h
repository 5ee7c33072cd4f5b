// How a change can be said: the directives that may bring it about, the most specific first.
#pragma once

#include <string>
#include <vector>

#include "capture/anchor.h"
#include "capture/tree_diff.h"

namespace portpatch {

/// One directive that may say a change. Whether it does is found out by running it.
struct Saying {
  std::string directive;  ///< "ensure-entry!"
  std::string capture;    ///< the target's name in the query
  AnchorTarget target;
  std::vector<std::string>
      arguments;  ///< texts behind the capture; ${capture} stands for the target
  /// For a target that goes: what stays around it, and the text that it lacks afterwards.
  AnchorTarget container = {};
  std::string gone = {};
  AnchorTarget in_front = {}, behind = {};  ///< what stands beside it
  std::vector<AnchorTarget> together = {};  ///< all targets, where they are several statements
  Node neighbour = {};                      ///< of ensure-definition!: what it stands behind
  std::string topic = {};  ///< what it is about, for the rule's name: "12", "is_sm120_supported"
};

/// `change` in pieces that can be said each by itself: items one by one, runs of statements.
[[nodiscard]] std::vector<TreeChange> pieces_of(const Versions& versions, const TreeChange& change);

/// The ways to say one piece. Empty: no directive can.
[[nodiscard]] std::vector<Saying> sayings_for(const Versions& versions, const TreeDiff& diff,
                                              const TreeChange& piece);

/// The ways to say a change by all of what is around it: `whole` replaces one node by its new
/// version.
[[nodiscard]] std::vector<Saying> sayings_for_whole(const Versions& versions,
                                                    const TreeChange& whole);

}  // namespace portpatch
