// The bridge between Node and TSNode; included by the sources of syntax/ only.
#pragma once

#include <bit>

#include <tree_sitter/api.h>

#include "syntax/node.h"

namespace portpatch {

struct NodeAccess {
  static_assert(sizeof(Node) == sizeof(TSNode));
  [[nodiscard]] static TSNode raw(const Node& node) { return std::bit_cast<TSNode>(node); }
  [[nodiscard]] static Node wrap(const TSNode& node) {
    return ts_node_is_null(node) ? Node() : std::bit_cast<Node>(node);
  }
};

}  // namespace portpatch
