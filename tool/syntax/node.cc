#include "syntax/node.h"

#include <algorithm>

#include "syntax/node_access.h"

namespace portpatch {

namespace {

TSNode raw(const Node& node) { return NodeAccess::raw(node); }

std::vector<Node> collect_children(const Node& node, bool named_only) {
  std::vector<Node> result;
  const auto count = node.child_count();
  if (count == 0) return result;
  result.reserve(count);
  TSTreeCursor cursor = ts_tree_cursor_new(raw(node));
  for (bool more = ts_tree_cursor_goto_first_child(&cursor); more;
       more = ts_tree_cursor_goto_next_sibling(&cursor)) {
    const TSNode child = ts_tree_cursor_current_node(&cursor);
    if (!named_only || ts_node_is_named(child))
      result.push_back(NodeAccess::wrap(child, NodeAccess::tree(node)));
  }
  ts_tree_cursor_delete(&cursor);
  return result;
}

}  // namespace

const std::vector<TSNode>& NodeTree::tops() {
  if (!tops_.empty()) return tops_;
  const auto root = ts_tree_root_node(tree());
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  for (bool more = ts_tree_cursor_goto_first_child(&cursor); more;
       more = ts_tree_cursor_goto_next_sibling(&cursor)) {
    tops_.push_back(ts_tree_cursor_current_node(&cursor));
    parents_.emplace(tops_.back().id, root);
  }
  ts_tree_cursor_delete(&cursor);
  return tops_;
}

TSNode NodeTree::parent(const TSNode& node) {
  if (ts_node_eq(node, ts_tree_root_node(tree()))) return {};
  if (const auto known = parents_.find(node.id); known != parents_.end()) return known->second;
  auto top = std::ranges::upper_bound(tops(), ts_node_start_byte(node), {}, &ts_node_start_byte);
  if (top != tops_.begin() && noted_.insert((--top)->id).second) note_below(*top);
  const auto found = parents_.find(node.id);
  // A node without width may begin where the next statement does.
  return found != parents_.end() ? found->second : ts_node_parent(node);
}

void NodeTree::note_below(const TSNode& top) {
  std::vector<TSNode> above{top};
  TSTreeCursor cursor = ts_tree_cursor_new(top);
  bool more = ts_tree_cursor_goto_first_child(&cursor);
  while (more) {
    const TSNode node = ts_tree_cursor_current_node(&cursor);
    parents_.emplace(node.id, above.back());
    more = ts_tree_cursor_goto_first_child(&cursor);
    if (more) above.push_back(node);
    while (!more && !(more = ts_tree_cursor_goto_next_sibling(&cursor))) {
      above.pop_back();
      if (above.empty() || !ts_tree_cursor_goto_parent(&cursor)) break;
    }
  }
  ts_tree_cursor_delete(&cursor);
}

std::vector<NodeInField> fields_of(const Node& node) {
  std::vector<NodeInField> result;
  if (node.child_count() == 0) return result;
  TSTreeCursor cursor = ts_tree_cursor_new(raw(node));
  for (bool more = ts_tree_cursor_goto_first_child(&cursor); more;
       more = ts_tree_cursor_goto_next_sibling(&cursor)) {
    const TSNode child = ts_tree_cursor_current_node(&cursor);
    if (ts_node_is_extra(child)) continue;
    const char* field = ts_tree_cursor_current_field_name(&cursor);
    result.push_back({NodeAccess::wrap(child, NodeAccess::tree(node)),
                      field == nullptr ? std::string_view() : field});
  }
  ts_tree_cursor_delete(&cursor);
  return result;
}

std::string_view Node::kind() const {
  return *this ? ts_node_type(raw(*this)) : std::string_view();
}
ByteRange Node::range() const {
  return *this ? ByteRange{ts_node_start_byte(raw(*this)), ts_node_end_byte(raw(*this))}
               : ByteRange{};
}
bool Node::is_named() const { return *this && ts_node_is_named(raw(*this)); }
bool Node::is_extra() const { return *this && ts_node_is_extra(raw(*this)); }
bool Node::is_error() const { return *this && ts_node_is_error(raw(*this)); }
bool Node::is_missing() const { return *this && ts_node_is_missing(raw(*this)); }
bool Node::has_error() const { return *this && ts_node_has_error(raw(*this)); }
Node Node::parent() const {
  if (!*this) return {};
  auto& tree = NodeAccess::tree(*this);
  return NodeAccess::wrap(tree.parent(raw(*this)), tree);
}
Node Node::field(std::string_view name) const {
  if (!*this) return {};
  return NodeAccess::wrap(
      ts_node_child_by_field_name(raw(*this), name.data(), static_cast<std::uint32_t>(name.size())),
      NodeAccess::tree(*this));
}
std::vector<Node> Node::children() const { return collect_children(*this, false); }
std::vector<Node> Node::named_children() const { return collect_children(*this, true); }
std::size_t Node::child_count() const { return !*this ? 0 : ts_node_child_count(raw(*this)); }
Node Node::smallest_around(ByteRange range) const {
  if (!*this) return {};
  return NodeAccess::wrap(
      ts_node_descendant_for_byte_range(raw(*this), static_cast<std::uint32_t>(range.begin),
                                        static_cast<std::uint32_t>(range.end)),
      NodeAccess::tree(*this));
}

}  // namespace portpatch
