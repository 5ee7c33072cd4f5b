// Which node of one tree is which node of another: the same code first, then what has the same name
// or reads much the same, neighbours in order; last what stands elsewhere but is like nothing else.
// After GumTree (Falleri et al., 2014) and Spork (Larsén et al., 2022), but every doubt is kept:
// where equal neighbours could be matched in another way, the list is marked as uncertain.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "syntax/source_tree.h"

namespace portpatch {

/// A tree to be matched, with what is asked of its nodes again and again.
class MatchTree {
 public:
  MatchTree(const SourceTree& tree, Node root) : tree_(&tree), root_(root) {}

  [[nodiscard]] const SourceTree& tree() const { return *tree_; }
  [[nodiscard]] const Node& root() const { return root_; }
  [[nodiscard]] std::string_view text(const Node& node) const { return node.text(tree_->text()); }
  [[nodiscard]] const std::string& form(const Node& node) const;
  /// Holds items in a row: a block, a container, arguments.
  [[nodiscard]] bool is_list(const Node& node) const;
  /// Has no parts that a merge may look into: a token, a string.
  [[nodiscard]] bool is_whole(const Node& node) const;
  /// A list's items; the children with their tokens of any other node. Comments are left out.
  [[nodiscard]] const std::vector<Node>& parts(const Node& node) const;
  /// What names an item: the key of an entry, the name of a definition; empty when nothing does.
  [[nodiscard]] std::string key(const Node& node) const;
  /// Its words, sorted.
  [[nodiscard]] const std::vector<std::string_view>& words(const Node& node) const;
  /// The field that a part stands in; empty when in none.
  [[nodiscard]] std::string_view field(const Node& parent, const Node& part) const;

 private:
  const SourceTree* tree_;
  Node root_;
  mutable std::map<const void*, std::string> forms_;
  mutable std::map<const void*, std::vector<Node>> parts_;
  mutable std::map<const void*, std::vector<std::string_view>> words_;
};

/// Parts of two nodes side by side: `other[i]` is the index of what part `i` of the first became,
/// -1 for none.
struct Alignment {
  std::vector<std::ptrdiff_t> other;
  bool is_certain = true;  ///< equal neighbours could not have been matched in another way
};
[[nodiscard]] Alignment align(const MatchTree& a, const Node& x, const MatchTree& b, const Node& y);

/// For nodes of `a` the node of `b` that they are.
class TreeMatch {
 public:
  TreeMatch(const MatchTree& a, const MatchTree& b);

  /// A null node when there is none.
  [[nodiscard]] Node find(const Node& node) const;
  /// Is the parent's match another than the match's parent?
  [[nodiscard]] bool has_moved(const Node& node) const { return moved_.contains(node.id()); }
  /// Does the match of this list rest on a choice among equals?
  [[nodiscard]] bool is_uncertain(const Node& list) const { return uncertain_.contains(list.id()); }

 private:
  void match(const Node& x, const Node& y);
  void match_moved();
  void match_moved_and_changed();

  const MatchTree& a_;
  const MatchTree& b_;
  std::map<const void*, Node> found_;
  std::set<const void*> taken_, moved_, uncertain_;
};

}  // namespace portpatch
