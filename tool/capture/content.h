// What a node says, as a number: two nodes with one content hash are the same code. Stricter than
// equality in directives (nothing is evaluated), so that a captured change is kept to the letter;
// comments, layout, grouping parentheses and trailing commas are not looked at.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "syntax/source_tree.h"

namespace portpatch {

/// The hashes of all nodes of a tree, which must outlive it.
class TreeContent {
 public:
  explicit TreeContent(const SourceTree& tree);

  [[nodiscard]] const SourceTree& tree() const { return *tree_; }
  [[nodiscard]] std::uint64_t hash(const Node& node) const { return facts(node).hash; }
  /// How many tokens the node has.
  [[nodiscard]] std::size_t size(const Node& node) const { return facts(node).size; }

 private:
  struct Facts {
    std::uint64_t hash = 0;
    std::size_t size = 0;
  };
  [[nodiscard]] const Facts& facts(const Node& node) const;
  [[nodiscard]] Facts compute(const Node& node) const;

  const SourceTree* tree_;
  std::unordered_map<const void*, Facts> facts_;
};

/// The children of `node` that are code: no comments, and no comma in front of a closing bracket.
[[nodiscard]] std::vector<Node> code_children(const SourceTree& tree, const Node& node);

}  // namespace portpatch
