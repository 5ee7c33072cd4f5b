// The bridge between Node and TSNode; included by the sources of syntax/ only.
#pragma once

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <tree_sitter/api.h>

#include "syntax/node.h"

namespace portpatch {

/// A tree as its nodes know it: tree-sitter's, and the parents of the nodes. tree-sitter itself
/// looks for a parent from the root down, over all siblings, so that to climb a deep tree costs the
/// square of its depth. Parents are noted a top-level statement at a time, when first asked for.
class NodeTree {
 public:
  explicit NodeTree(TSTree* tree) : tree_(tree, &ts_tree_delete) {}

  [[nodiscard]] const TSTree* tree() const { return tree_.get(); }
  /// Null for the root.
  [[nodiscard]] TSNode parent(const TSNode& node);
  /// The root's children.
  [[nodiscard]] const std::vector<TSNode>& tops();

 private:
  void note_below(const TSNode& top);

  std::unique_ptr<TSTree, decltype(&ts_tree_delete)> tree_;
  std::vector<TSNode> tops_;               // once they were asked for
  std::unordered_set<const void*> noted_;  // of them
  std::unordered_map<const void*, TSNode> parents_;
};

struct NodeAccess {
  [[nodiscard]] static NodeTree& tree(const Node& node) { return *node.tree_; }
  /// Of a node that is not null.
  [[nodiscard]] static TSNode raw(const Node& node) {
    return {{node.context_[0], node.context_[1], node.context_[2], node.context_[3]},
            node.id_,
            tree(node).tree()};
  }
  /// `tree`: whose node it is.
  [[nodiscard]] static Node wrap(const TSNode& node, NodeTree& tree) {
    Node result;
    if (ts_node_is_null(node)) return result;
    std::ranges::copy(node.context, result.context_);
    result.id_ = node.id;
    result.tree_ = &tree;
    return result;
  }
};

}  // namespace portpatch
