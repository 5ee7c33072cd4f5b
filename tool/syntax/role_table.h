// The roles of one tree's nodes, filled a top-level statement at a time.
#pragma once

#include <bitset>
#include <unordered_map>
#include <unordered_set>

#include "syntax/roles.h"

namespace portpatch {

class RoleTable {
 public:
  [[nodiscard]] bool has(const SourceTree& tree, const Node& node, Role role);

 private:
  void fill(const SourceTree& tree, const Node& top);
  /// Fills what may give `node` a role.
  void fill_around(const SourceTree& tree, const Node& node);

  std::unordered_map<const void*, std::bitset<kRoleCount>> roles_;
  std::unordered_set<const void*> filled_;  // the root, and top-level nodes
  ByteRange known_;  // nodes that begin inside of it, not at its begin, have their roles
};

}  // namespace portpatch
