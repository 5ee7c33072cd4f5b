// A node of a syntax tree: tree-sitter's TSNode behind our own name, so that its header stays in
// this folder. A node is valid as long as its SourceTree is; a null node answers as an empty one
// does.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace portpatch {

class NodeTree;

class Node {
 public:
  Node() = default;

  [[nodiscard]] explicit operator bool() const { return id_ != nullptr; }
  /// Identity within one tree.
  [[nodiscard]] const void* id() const { return id_; }
  bool operator==(const Node& other) const { return id_ == other.id_ && tree_ == other.tree_; }

  /// The grammar's name of the node ("dictionary", "{").
  [[nodiscard]] std::string_view kind() const;
  [[nodiscard]] ByteRange range() const;
  [[nodiscard]] std::string_view text(std::string_view source) const { return range().of(source); }

  [[nodiscard]] bool is_named() const;
  [[nodiscard]] bool is_extra() const;  ///< comments and the like, which may stand anywhere
  [[nodiscard]] bool is_error() const;
  [[nodiscard]] bool is_missing() const;
  [[nodiscard]] bool has_error() const;  ///< it or a descendant is an ERROR or MISSING node

  /// Parents are worked out a top-level statement at a time, when first asked for; not to be asked
  /// from two threads on one tree.
  [[nodiscard]] Node parent() const;
  [[nodiscard]] Node field(std::string_view name) const;  ///< null node when absent
  [[nodiscard]] std::vector<Node> children() const;
  [[nodiscard]] std::vector<Node> named_children() const;
  [[nodiscard]] std::size_t child_count() const;
  /// The smallest node below (or at) this one that spans `range`.
  [[nodiscard]] Node smallest_around(ByteRange range) const;

 private:
  friend struct NodeAccess;
  std::uint32_t context_[4] = {};
  const void* id_ = nullptr;
  NodeTree* tree_ = nullptr;
};

/// A child with the field it stands in; empty when in none.
struct NodeInField {
  Node node;
  std::string_view field;
};
/// All children of `node` but comments, in order.
[[nodiscard]] std::vector<NodeInField> fields_of(const Node& node);

}  // namespace portpatch
