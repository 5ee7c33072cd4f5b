// The leaves of a tree, read once: bags of the code below any node are then slices of one list.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "syntax/source_tree.h"

namespace portpatch {

/// Hashes of pieces of code; comments, layout and trailing commas are not in it.
using Bag = std::vector<std::uint64_t>;

/// The hash of a piece of code; never 0, which means none.
[[nodiscard]] std::uint64_t code_hash(std::string_view text);
/// Brackets and commas are alike everywhere: false.
[[nodiscard]] bool says_something(std::string_view code);
[[nodiscard]] Bag sorted(Bag bag);
/// The hashes of the node's leaves in source order, comments and punctuation left out, a string
/// being one leaf.
[[nodiscard]] Bag tokens_of(const SourceTree& tree, const Node& node);

/// The tree must outlive it. For one thread.
class LeafTable {
 public:
  explicit LeafTable(const SourceTree& tree) : tree_(&tree) {}

  /// As tokens_of().
  [[nodiscard]] Bag below(const Node& node);
  /// The hash of all of them in order; 0 for a null node.
  [[nodiscard]] std::uint64_t hash_of(const Node& node);

 private:
  struct Leaf {
    ByteRange range;
    const void* id;
  };
  void fill();
  /// The slice of `hashes_` that is below `node`; empty also where the table does not tell, in and
  /// around a string or a comment.
  [[nodiscard]] std::span<const std::uint64_t> slice(const Node& node);

  const SourceTree* tree_;
  bool is_filled_ = false;
  std::vector<Leaf> leaves_;
  Bag hashes_;  // of leaves_
};

}  // namespace portpatch
