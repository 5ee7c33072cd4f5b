#include "edit/ladder.h"

#include <algorithm>

#include "edit/blocks.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

Node first_named(const Node& node) {
  for (const auto& child : node.named_children()) {
    if (!child.is_extra()) return child;
  }
  return {};
}

bool is_case(const SourceTree& tree, const Node& node) {
  return (has_role(tree, node, Role::kRung) || has_role(tree, node, Role::kRungDefault)) && has_role(tree, node.parent(), Role::kBlock);
}

/// Branches of an `if` and of those behind its `else`.
void collect(const SourceTree& tree, const Node& node, Ladder& ladder) {
  ladder.rungs.push_back({node, child_with(tree, node, Role::kRungCondition), child_with(tree, node, Role::kRungBody)});
  for (const auto& child : node.children()) {
    if (!has_role(tree, child, Role::kRungRest)) continue;
    const auto inner = first_named(child);
    if (has_role(tree, child, Role::kRung)) {
      ladder.rungs.push_back({child, child_with(tree, child, Role::kRungCondition), child_with(tree, child, Role::kRungBody)});
    } else if (inner && has_role(tree, inner, Role::kRung)) {
      collect(tree, inner, ladder);
    } else {
      ladder.otherwise = child;
    }
  }
}

std::optional<Ladder> read_cases(const SourceTree& tree, const Node& block) {
  Ladder ladder{.head = block, .is_cases = true, .rungs = {}, .otherwise = {}};
  for (const auto& child : statements_of(tree, block)) {
    if (has_role(tree, child, Role::kRungDefault)) ladder.otherwise = child;
    else if (has_role(tree, child, Role::kRung)) ladder.rungs.push_back({child, child_with(tree, child, Role::kRungCondition), child_with(tree, child, Role::kRungBody)});
    else return std::nullopt;
  }
  if (ladder.rungs.empty()) return std::nullopt;
  return ladder;
}

}  // namespace

std::optional<Ladder> read_ladder(const SourceTree& tree, const Node& captured) {
  Node node = captured;
  if (is_case(tree, node) && child_with(tree, node, Role::kRungRest) == Node() && !node.field("condition")) return read_cases(tree, node.parent());
  if (!has_role(tree, node, Role::kRung)) {
    const auto block = has_role(tree, node, Role::kBlock) ? node : node.field("body");
    if (!block || !has_role(tree, block, Role::kBlock)) return std::nullopt;
    return read_cases(tree, block);
  }
  for (;;) {
    const auto above = node.parent();
    if (has_role(tree, node, Role::kRungRest)) node = above;
    else if (above && has_role(tree, above, Role::kRungRest) && !has_role(tree, above, Role::kBlock)) node = above.parent();
    else break;
  }
  Ladder ladder{.head = node, .is_cases = false, .rungs = {}, .otherwise = {}};
  collect(tree, node, ladder);
  return ladder;
}

Node condition_of(const SourceTree&, const Rung& rung) {
  const auto value = rung.condition.field("value");
  return value ? value : rung.condition;
}

std::vector<Node> body_of(const SourceTree& tree, const Rung& rung) {
  if (rung.body) return has_role(tree, rung.body, Role::kBlock) ? statements_of(tree, rung.body) : std::vector<Node>{rung.body};
  std::vector<Node> statements;
  for (const auto& child : rung.node.named_children()) {
    if (!child.is_extra() && child != rung.condition) statements.push_back(child);
  }
  return statements;
}

}  // namespace portpatch
