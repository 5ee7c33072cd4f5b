#include "syntax/roles.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "syntax/language.h"
#include "syntax/node_access.h"
#include "syntax/pattern_set.h"
#include "syntax/role_table.h"

namespace portpatch {

namespace {

constexpr std::string_view kCaptureNames[] = {
#define PORTPATCH_ROLE(name, capture, meaning) capture,
    PORTPATCH_ROLES(PORTPATCH_ROLE)
#undef PORTPATCH_ROLE
};

/// Captures whose name begins with "_" are helpers of a predicate and assign nothing.
std::optional<std::size_t> index_of(std::string_view capture) {
  static const auto indexes = [] {
    std::unordered_map<std::string_view, std::size_t> made;
    for (std::size_t i = 0; i < std::size(kCaptureNames); ++i) made.emplace(kCaptureNames[i], i);
    return made;
  }();
  const auto found = indexes.find(capture);
  return found == indexes.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

void RoleTable::fill(const SourceTree& tree, const Node& top) {
  const auto assign = [&](const Match& match) {
    for (const auto& capture : match.captures) {
      if (const auto index = index_of(capture.name)) roles_[capture.node.id()].set(*index);
    }
  };
  const auto& roles = tree.language().roles();
  // The root itself: what is below it belongs to its children.
  if (top == tree.root()) return roles.match_at(tree, top, assign);
  // As walk() does, by a cursor: this is asked of every node of a file, and allocates nothing.
  TSTreeCursor cursor = ts_tree_cursor_new(NodeAccess::raw(top));
  for (bool more = true; more;) {
    roles.match_at(tree,
                   NodeAccess::wrap(ts_tree_cursor_current_node(&cursor), NodeAccess::tree(top)),
                   assign);
    more = ts_tree_cursor_goto_first_child(&cursor);
    while (!more && !(more = ts_tree_cursor_goto_next_sibling(&cursor))) {
      if (!ts_tree_cursor_goto_parent(&cursor)) break;
    }
  }
  ts_tree_cursor_delete(&cursor);
}

void RoleTable::fill_around(const SourceTree& tree, const Node& node) {
  auto& nodes = NodeAccess::tree(node);
  const auto root = tree.root();
  // First: it says of its children what they are to it.
  if (filled_.insert(root.id()).second) fill(tree, root);
  if (node == root) return;
  const auto fill_at = [&](const TSNode& top) {
    if (filled_.insert(top.id).second) fill(tree, NodeAccess::wrap(top, nodes));
  };
  const auto& tops = nodes.tops();
  const auto begin = node.range().begin;
  auto top = std::ranges::upper_bound(tops, begin, {}, &ts_node_start_byte);
  if (top == tops.begin()) return;
  const auto next = top--;
  fill_at(*top);
  const ByteRange known{ts_node_start_byte(*top),
                        next == tops.end() ? tree.text().size() : ts_node_start_byte(*next)};
  // A zero-width sibling may begin where this one does.
  for (; top != tops.begin() && ts_node_start_byte(*std::prev(top)) == begin; --top)
    fill_at(*std::prev(top));
  known_ = known;
}

bool RoleTable::has(const SourceTree& tree, const Node& node, Role role) {
  if (!node) return false;
  const auto begin = node.range().begin;
  if (begin <= known_.begin || begin >= known_.end) fill_around(tree, node);
  const auto found = roles_.find(node.id());
  return found != roles_.end() && found->second.test(static_cast<std::size_t>(role));
}

bool has_role(const SourceTree& tree, const Node& node, Role role) {
  return tree.role_table().has(tree, node, role);
}

Node child_with(const SourceTree& tree, const Node& node, Role role) {
  for (const auto& child : node.children()) {
    if (has_role(tree, child, role)) return child;
  }
  return {};
}

Node descendant_with(const SourceTree& tree, const Node& node, Role role) {
  Node found;
  walk(node, [&](const Node& current) {
    if (!found && has_role(tree, current, role)) found = current;
    return !found;
  });
  return found;
}

Node ancestor_with(const SourceTree& tree, Node node, Role role) {
  while (node && !has_role(tree, node, role)) node = node.parent();
  return node;
}

Node name_of_scope(const SourceTree& tree, const Node& scope) {
  Node name;
  walk(scope, [&](const Node& current) {
    if (!name && has_role(tree, current, Role::kScopeName)) name = current;
    // The name of a scope stands in front of its block.
    return !name && (current == scope || (!has_role(tree, current, Role::kScope) &&
                                          !has_role(tree, current, Role::kBlock)));
  });
  return name;
}

Node scope_of_definition(const SourceTree& tree, const Node& definition) {
  auto scope = ancestor_with(tree, definition.parent(), Role::kScope);
  if (scope && has_role(tree, definition, Role::kScopeName))
    scope = ancestor_with(tree, scope.parent(), Role::kScope);
  return scope;
}

std::string scope_path(const SourceTree& tree, const Node& node) {
  std::string path;
  for (auto above = node.parent(); above; above = above.parent()) {
    if (!has_role(tree, above, Role::kScope)) continue;
    const auto name = name_of_scope(tree, above);
    if (!name || name.range().contains(node.range())) continue;
    auto text = std::string(name.text(tree.text()));
    for (auto at = text.find("::"); at != std::string::npos; at = text.find("::"))
      text.replace(at, 2, ".");
    path = text + (path.empty() ? "" : ".") + path;
  }
  return path;
}

}  // namespace portpatch
