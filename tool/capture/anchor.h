// Anchors: how a rule points at a node, as a good author would. By the names of what stands around
// it and by its own, never by position; so that it is the only such place before the change and
// after.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "capture/content.h"
#include "capture/pattern.h"

namespace portpatch {

/// A node in both versions of a file.
struct AnchorTarget {
  Node before, after;  ///< `after` is null when the change takes it away
  bool stays = false;  ///< it is not what the change replaces: the pattern must find it afterwards
                       ///< too
  /// Of a target that the change takes away: what was around it, as it is afterwards.
  Node left = {};
};

struct Anchor {
  Pattern pattern;
  std::vector<std::string> scopes;  ///< the target's; a second one when the change renames it
  std::string path;  ///< of the file, where nothing but it tells the place: that of the whole file
  /// The pattern reads what the change replaces: it needs a #held! pattern beside it.
  bool reads_old_text = false;
  std::string why;  ///< in words, for --explain
};

/// The two versions of a file between which anchors are chosen.
struct Versions {
  const std::string& path;
  const TreeContent& before;
  const TreeContent& after;
};

/// The simplest pattern that points at the target alone, in both versions; where the target itself
/// changes or goes and nothing around it tells it apart, by its own old text. nullopt when no
/// pattern does.
[[nodiscard]] std::optional<Anchor> find_anchor(const Versions& versions,
                                                const AnchorTarget& target);

/// A pattern for statements that stand one behind the other, all of them targets.
[[nodiscard]] std::optional<Anchor> run_anchor(const Versions& versions,
                                               const std::vector<AnchorTarget>& targets);

/// `scope`, the anchor of `target`, with one of the target's statements captured as @neighbour.
[[nodiscard]] std::optional<Anchor> with_neighbour(const Versions& versions, const Anchor& scope,
                                                   const AnchorTarget& target,
                                                   const Node& neighbour);

/// A pattern that the change has made true: what stood beside the target that goes stands side by
/// side. nullopt when that cannot be told from other places.
[[nodiscard]] std::optional<Anchor> gap_anchor(const Versions& versions, const AnchorTarget& before,
                                               const AnchorTarget& behind);

/// `anchor` with the target's new text in place of its old one, when that is unique afterwards and
/// stands nowhere before; for #held!.
[[nodiscard]] std::optional<Anchor> held_anchor(const Versions& versions, const Anchor& anchor,
                                                const AnchorTarget& target);

}  // namespace portpatch
