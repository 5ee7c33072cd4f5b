#include "syntax/code_form.h"

#include <algorithm>

#include <fmt/format.h>

namespace portpatch {

namespace {

/// Deeper nesting is compared as text: recursion stays bounded.
constexpr std::size_t kMaxDepth = 400;

std::string leaf_form(std::string_view text) { return fmt::format("{}:{}", text.size(), text); }

/// Text between tokens that no node covers; line continuations are layout.
std::string_view bare_gap(std::string_view gap) {
  for (;;) {
    gap = trim(gap);
    if (gap.starts_with("\\\n") || gap.starts_with("\\\r\n") || gap == "\\") {
      gap.remove_prefix(1);
      continue;
    }
    return gap;
  }
}

class FormMaker {
 public:
  FormMaker(const SourceTree& tree, const std::vector<Stand>& stands)
      : tree_(tree), stands_(stands) {}

  /// Adds the form of `node`: one string, or as many as stand for it.
  void add(const Node& node, std::size_t depth, std::vector<std::string>& out) const {
    for (const auto& stand : stands_) {
      const auto place = std::ranges::find(stand.nodes, node);
      // A block that holds nothing but the name is still a block.
      const bool is_leaf = !stand.leaf.empty() && node.text(tree_.text()) == stand.leaf &&
                           !has_role(tree_, node, Role::kBlock);
      if (place == stand.nodes.end() && !is_leaf) continue;
      if (is_leaf || place == stand.nodes.begin())
        out.insert(out.end(), stand.forms.begin(), stand.forms.end());
      return;
    }
    if (auto form = form_of(node, depth); !form.empty()) out.push_back(std::move(form));
  }

 private:
  bool is_whole(const Node& node) const {
    return has_role(tree_, node, Role::kString) || has_role(tree_, node, Role::kRawString) ||
           has_role(tree_, node, Role::kLabel);
  }

  /// A comma between items, a semicolon between statements: [1, 2] and [1, 2,] are the same.
  bool is_separator(const Node& parent, const Node& token) const {
    if (token.is_named()) return false;
    const auto text = token.text(tree_.text());
    const auto is = [&](Role role) { return has_role(tree_, parent, role); };
    return (text == "," && (is(Role::kSequence) || is(Role::kMap) || is(Role::kArguments))) ||
           (text == ";" && is(Role::kBlock));
  }

  bool stands_for(const Node& node) const {
    return std::ranges::any_of(stands_, [&](const Stand& stand) {
      return std::ranges::find(stand.nodes, node) != stand.nodes.end();
    });
  }

  /// The operands of a chain, flat; what something else stands for is one of them as a whole.
  void add_chain(Node node, Role role, std::size_t depth, std::vector<std::string>& out) const {
    std::vector<Node> behind;
    while (!stands_for(node) && has_role(tree_, inside_groups(tree_, node), role)) {
      const auto inner = inside_groups(tree_, node);
      if (stands_for(inner)) break;
      behind.push_back(inner.field("right"));
      node = inner.field("left");
    }
    add(node, depth + 1, out);
    for (auto right = behind.rbegin(); right != behind.rend(); ++right) {
      if (has_role(tree_, inside_groups(tree_, *right), role) && depth < kMaxDepth)
        add_chain(*right, role, depth + 1, out);
      else
        add(*right, depth + 1, out);
    }
  }

  std::string form_of(const Node& node, std::size_t depth) const {
    const auto text = node.text(tree_.text());
    if (trim(text).empty()) return {};
    if (depth > kMaxDepth || is_whole(node)) return leaf_form(text);
    std::vector<std::string> parts;
    const auto inner = inside_groups(tree_, node);
    if (inner != node) {
      add(inner, depth + 1, parts);
      return join(parts, " ");
    }
    for (const auto role : {Role::kConjunction, Role::kDisjunction}) {
      if (!has_role(tree_, node, role)) continue;
      add_chain(node, role, depth, parts);
      return chain_form(role, parts);
    }
    std::size_t at = node.range().begin;
    for (const auto& child : node.children()) {
      if (const auto gap = bare_gap(tree_.text().substr(at, child.range().begin - at));
          !gap.empty())
        parts.push_back(leaf_form(gap));
      at = child.range().end;
      const bool is_comment = child.is_extra() && child.child_count() == 0;
      if (!is_comment && !is_separator(node, child)) add(child, depth + 1, parts);
    }
    if (parts.size() == 1 && has_role(tree_, node, Role::kTuple))
      return fmt::format("({} {})", node.kind(), parts[0]);
    if (parts.empty()) return fmt::format("{}{}", node.kind(), leaf_form(text));
    return parts.size() == 1 ? parts[0] : fmt::format("({} {})", node.kind(), join(parts, " "));
  }

  const SourceTree& tree_;
  const std::vector<Stand>& stands_;
};

void add_operands(const SourceTree& tree, const Node& node, Role role, std::vector<Node>& out) {
  // Chains lean to the left: only the other side is followed by recursion, one level of parentheses
  // each.
  std::vector<Node> behind;
  auto current = inside_groups(tree, node);
  while (has_role(tree, current, role)) {
    behind.push_back(current.field("right"));
    current = inside_groups(tree, current.field("left"));
  }
  out.push_back(current);
  for (auto right = behind.rbegin(); right != behind.rend(); ++right)
    add_operands(tree, *right, role, out);
}

}  // namespace

std::string exact_form(const SourceTree& tree, const Node& node, const std::vector<Stand>& stands) {
  return exact_form(tree, std::vector{node}, stands);
}

std::string exact_form(const SourceTree& tree, const std::vector<Node>& nodes,
                       const std::vector<Stand>& stands) {
  std::vector<std::string> forms;
  for (const auto& node : nodes) FormMaker(tree, stands).add(node, 0, forms);
  return join(forms, ";");
}

Node inside_groups(const SourceTree& tree, Node node) {
  while (has_role(tree, node, Role::kGroup)) {
    Node inner;
    for (const auto& child : node.named_children()) {
      if (child.is_extra()) continue;
      if (inner) return node;
      inner = child;
    }
    if (!inner) return node;
    node = inner;
  }
  return node;
}

std::vector<Node> operands_of(const SourceTree& tree, const Node& node, Role role) {
  std::vector<Node> operands;
  add_operands(tree, node, role, operands);
  return operands;
}

std::string chain_form(Role role, const std::vector<std::string>& operands) {
  if (operands.size() == 1) return operands[0];
  const std::string open = role == Role::kConjunction ? "and[" : "or[";
  std::vector<std::string> flat;
  for (const auto& operand : operands) {
    flat.push_back(operand.starts_with(open)
                       ? operand.substr(open.size(), operand.size() - open.size() - 1)
                       : operand);
  }
  return open + join(flat, " ") + "]";
}

}  // namespace portpatch
