// What a node says, as a number: two nodes with one content hash are the same code. Stricter than
// equality in directives (nothing is evaluated), so that a captured change is kept to the letter;
// comments, layout, grouping parentheses and trailing commas are not looked at.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "syntax/source_tree.h"

namespace portpatch {

/// The hashes of a tree's nodes, worked out when they are first asked for. The tree must outlive
/// it. For one thread.
class TreeContent {
 public:
  explicit TreeContent(const SourceTree& tree) : tree_(&tree) {}

  [[nodiscard]] const SourceTree& tree() const { return *tree_; }
  [[nodiscard]] std::uint64_t hash(const Node& node) const { return facts(node).hash; }
  /// How many tokens the node has.
  [[nodiscard]] std::size_t size(const Node& node) const { return facts(node).size; }
  /// All nodes of this kind, in source order; every named node for "_".
  [[nodiscard]] const std::vector<Node>& nodes_of_kind(std::string_view kind) const;

 private:
  struct Facts {
    std::uint64_t hash = 0;
    std::size_t size = 0;
  };
  [[nodiscard]] const Facts& facts(const Node& node) const;
  [[nodiscard]] Facts compute(const Node& node) const;

  const SourceTree* tree_;
  mutable std::unordered_map<const void*, Facts> facts_;
  mutable std::unordered_map<std::string_view, std::vector<Node>> kinds_;
};

/// Do the two say the same?
[[nodiscard]] bool same_content(const TreeContent& one, const Node& a, const TreeContent& two,
                                const Node& b);

/// The named children of `node`, without comments.
[[nodiscard]] std::vector<Node> named_children(const Node& node);
/// The children of `node` that are code: no comments, and no comma in front of a closing bracket.
[[nodiscard]] std::vector<Node> code_children(const SourceTree& tree, const Node& node);

}  // namespace portpatch
