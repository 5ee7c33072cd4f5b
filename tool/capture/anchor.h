// Anchors: how a rule points at a node, as a good author would. By the names of what stands around
// it and by its own, never by position; so that it is the only such place before the change and after.
#pragma once

#include <optional>
#include <string>

#include "capture/content.h"
#include "capture/pattern.h"

namespace portpatch {

/// A node in both versions of a file.
struct AnchorTarget {
  Node before, after;  ///< `after` is null when the change takes it away
};

struct Anchor {
  Pattern pattern;
  std::string scope;
  /// The pattern reads what the change replaces: it needs a #held! pattern beside it.
  bool reads_old_text = false;
  std::string why;     ///< in words, for --explain
};

/// The two versions of a file between which anchors are chosen.
struct Versions {
  const TreeContent& before;
  const TreeContent& after;
};

/// The simplest pattern that points at the target alone, in both versions; where the target itself
/// changes or goes and nothing around it tells it apart, by its own old text. nullopt when no
/// pattern does.
[[nodiscard]] std::optional<Anchor> find_anchor(const Versions& versions, const AnchorTarget& target);

/// `anchor` with the target's new text in place of its old one, when that is unique afterwards and
/// stands nowhere before; for #held!.
[[nodiscard]] std::optional<Anchor> held_anchor(const Versions& versions, const Anchor& anchor, const AnchorTarget& target);

}  // namespace portpatch
