#include "edit/ladder.h"

#include <algorithm>
#include <ranges>

#include "edit/blocks.h"
#include "syntax/code_form.h"
#include "syntax/language.h"
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
  return (has_role(tree, node, Role::kRung) || has_role(tree, node, Role::kRungDefault)) &&
         has_role(tree, node.parent(), Role::kBlock);
}

/// Branches of an `if` and of those behind its `else`.
void collect(const SourceTree& tree, const Node& node, Ladder& ladder) {
  ladder.rungs.push_back({node, child_with(tree, node, Role::kRungCondition),
                          child_with(tree, node, Role::kRungBody)});
  for (const auto& child : node.children()) {
    if (!has_role(tree, child, Role::kRungRest)) continue;
    const auto inner = first_named(child);
    if (has_role(tree, child, Role::kRung)) {
      ladder.rungs.push_back({child, child_with(tree, child, Role::kRungCondition),
                              child_with(tree, child, Role::kRungBody)});
    } else if (inner && has_role(tree, inner, Role::kRung)) {
      collect(tree, inner, ladder);
    } else {
      ladder.otherwise = child;
    }
  }
}

/// The chain that is this whole statement.
std::optional<Ladder> chain_at(const SourceTree& tree, const Node& statement) {
  if (!has_role(tree, statement, Role::kRung) || !statement.field("condition")) return std::nullopt;
  Ladder ladder{.kind = LadderKind::kChain, .head = statement, .rungs = {}, .otherwise = {}};
  collect(tree, statement, ladder);
  return ladder;
}

bool bodies_leave(const SourceTree& tree, const Ladder& chain) {
  return std::ranges::all_of(
      chain.rungs, [&](const Rung& rung) { return rung.body && leaves(tree, rung.body); });
}

/// Does it leave in each branch, and go on below when none is taken?
bool is_guard(const SourceTree& tree, const Ladder& chain) {
  return !chain.otherwise && bodies_leave(tree, chain);
}

/// A block that only the preprocessor sees.
bool is_conditional(const SourceTree& tree, const Node& block) {
  return tree.language().has_preprocessor() && block.child_count() > 0 &&
         block.children()[0].text(tree.text()).starts_with('#');
}

/// A conditional of the preprocessor with an `if` in it.
bool hides_branches(const SourceTree& tree, const Node& statement) {
  return is_conditional(tree, statement) && descendant_with(tree, statement, Role::kRung);
}

std::optional<Ladder> read_cases(const SourceTree& tree, const Node& block) {
  Ladder ladder{.kind = LadderKind::kCases, .head = block, .rungs = {}, .otherwise = {}};
  for (const auto& child : statements_of(tree, block)) {
    if (has_role(tree, child, Role::kRungDefault))
      ladder.otherwise = child;
    else if (has_role(tree, child, Role::kRung))
      ladder.rungs.push_back({child, child_with(tree, child, Role::kRungCondition),
                              child_with(tree, child, Role::kRungBody)});
    else
      return std::nullopt;
  }
  if (ladder.rungs.empty()) return std::nullopt;
  return ladder;
}

}  // namespace

std::optional<Ladder> read_ladder(const SourceTree& tree, const Node& captured) {
  Node node = captured;
  if (is_case(tree, node) && child_with(tree, node, Role::kRungRest) == Node() &&
      !node.field("condition"))
    return read_cases(tree, node.parent());
  if (!has_role(tree, node, Role::kRung)) {
    const auto block = has_role(tree, node, Role::kBlock) ? node : node.field("body");
    if (!block || !has_role(tree, block, Role::kBlock)) return std::nullopt;
    return read_cases(tree, block);
  }
  for (;;) {
    const auto above = node.parent();
    if (has_role(tree, node, Role::kRungRest))
      node = above;
    else if (above && has_role(tree, above, Role::kRungRest) &&
             !has_role(tree, above, Role::kBlock))
      node = above.parent();
    else
      break;
  }
  Ladder ladder{.kind = LadderKind::kChain, .head = node, .rungs = {}, .otherwise = {}};
  collect(tree, node, ladder);
  return ladder;
}

bool leaves(const SourceTree& tree, const Node& statement) {
  if (has_role(tree, statement, Role::kLeave)) return true;
  if (has_role(tree, statement, Role::kBlock)) {
    if (is_conditional(tree, statement)) return false;
    const auto statements = statements_of(tree, statement);
    return !statements.empty() && leaves(tree, statements.back());
  }
  const auto chain = chain_at(tree, statement);
  if (!chain || !chain->otherwise) return false;
  Node rest;
  for (const auto& child : chain->otherwise.named_children()) {
    if (!child.is_extra()) rest = child;
  }
  return rest && bodies_leave(tree, *chain) && leaves(tree, rest);
}

std::optional<Ladder> read_run(const SourceTree& tree, const Node& captured, bool leaves,
                               BlockIndex& blocks) {
  auto ladder = read_ladder(tree, captured);
  const auto block = ladder ? ladder->head.parent() : Node();
  if (!ladder || ladder->kind != LadderKind::kChain || ladder->rungs.size() != 1 ||
      !is_guard(tree, *ladder) || !has_role(tree, block, Role::kBlock))
    return ladder;
  const auto& statements = blocks.statements(block);
  const auto own = blocks.place_of(block, ladder->head);
  if (own == statements.size()) return ladder;
  const auto member = [&](std::size_t i) {
    auto chain = chain_at(tree, statements[i]);
    const bool is_one = chain && chain->rungs.size() == 1 && is_guard(tree, *chain);
    return is_one ? std::move(chain) : std::nullopt;
  };
  std::size_t first = own;
  while (first > 0 && member(first - 1)) --first;
  Ladder run{.kind = LadderKind::kRun, .head = statements[first], .rungs = {}, .otherwise = {}};
  for (auto i = first; i < statements.size(); ++i) {
    const auto chain = member(i);
    if (!chain) break;
    run.rungs.push_back(chain->rungs[0]);
  }
  return run.rungs.size() == 1 && !leaves ? ladder : run;
}

std::optional<Ladder> read_ladder_or_run(const SourceTree& tree, const Node& captured,
                                         bool leaves) {
  BlockIndex blocks(tree);
  auto ladder = read_run(tree, captured, leaves, blocks);
  const auto block = ladder ? ladder->head.parent() : Node();
  const bool is_run = ladder && ladder->kind == LadderKind::kRun;
  if (!ladder || (!is_run && ladder->kind != LadderKind::kChain) ||
      !has_role(tree, block, Role::kBlock))
    return ladder;
  const auto& statements = blocks.statements(block);
  const auto first = blocks.place_of(block, ladder->head);
  if (first == statements.size()) return ladder;
  const auto behind = first + (is_run ? ladder->rungs.size() : 1);
  const auto add_beside = [&](const Ladder& chain) {
    ladder->beside.insert(ladder->beside.end(), chain.rungs.begin(), chain.rungs.end());
  };
  for (auto i = first; i-- > 0;) {
    const auto chain = chain_at(tree, statements[i]);
    if (!chain || !is_guard(tree, *chain)) break;
    add_beside(*chain);
  }
  const bool goes_on = is_guard(tree, *ladder);
  for (auto i = behind; goes_on && i < statements.size(); ++i) {
    const auto chain = chain_at(tree, statements[i]);
    if (chain) add_beside(*chain);
    if (!chain || !is_guard(tree, *chain)) break;
  }
  ladder->is_cut = is_run &&
                   ((first > 0 && hides_branches(tree, statements[first - 1])) ||
                    (behind < statements.size() && hides_branches(tree, statements[behind])));
  return ladder;
}

std::optional<Ladder> read_choice(const SourceTree& tree, const Node& captured) {
  Node node = inside_groups(tree, captured);
  if (!has_role(tree, node, Role::kChoice)) return std::nullopt;
  for (;;) {
    Node outer = node;
    while (has_role(tree, outer.parent(), Role::kGroup)) outer = outer.parent();
    if (!has_role(tree, outer, Role::kRungRest) || !has_role(tree, outer.parent(), Role::kChoice))
      break;
    node = outer.parent();
  }
  Ladder ladder{.kind = LadderKind::kChoice, .head = node, .rungs = {}, .otherwise = {}};
  while (has_role(tree, node, Role::kChoice)) {
    ladder.rungs.push_back({node, child_with(tree, node, Role::kRungCondition),
                            child_with(tree, node, Role::kRungBody)});
    ladder.otherwise = child_with(tree, node, Role::kRungRest);
    node = inside_groups(tree, ladder.otherwise);
  }
  return ladder;
}

std::optional<Ladder> read_conditionals(const SourceTree& tree, const Node& captured) {
  Node node = captured;
  while (has_role(tree, node, Role::kRungRest) && has_role(tree, node.parent(), Role::kConditional))
    node = node.parent();
  if (!has_role(tree, node, Role::kConditional) || has_role(tree, node, Role::kImportGuard))
    return std::nullopt;
  Ladder ladder{.kind = LadderKind::kConditionals, .head = node, .rungs = {}, .otherwise = {}};
  for (; has_role(tree, node, Role::kConditional); node = ladder.otherwise) {
    ladder.rungs.push_back({node, child_with(tree, node, Role::kRungCondition), {}});
    ladder.otherwise = child_with(tree, node, Role::kRungRest);
  }
  return ladder;
}

Node condition_of(const SourceTree& tree, const Rung& rung) {
  const auto value = has_role(tree, rung.condition, Role::kGroup) ? rung.condition.field("value")
                                                                  : Node();
  return value ? value : rung.condition;
}

std::vector<Node> body_of(const SourceTree& tree, const Rung& rung) {
  if (rung.body)
    return has_role(tree, rung.body, Role::kBlock) ? statements_of(tree, rung.body)
                                                   : std::vector<Node>{rung.body};
  if (has_role(tree, rung.node, Role::kConditional)) return statements_of(tree, rung.node);
  std::vector<Node> statements;
  for (const auto& child : rung.node.named_children()) {
    if (!child.is_extra() && child != rung.condition && !has_role(tree, child, Role::kRungRest))
      statements.push_back(child);
  }
  return statements;
}

std::vector<Node> reached_body(const SourceTree& tree, const Ladder& ladder, std::size_t index) {
  auto body = body_of(tree, ladder.rungs[index]);
  return ladder.is_cases() && body.empty() ? reached_bodies(tree, ladder)[index] : body;
}

std::vector<std::vector<Node>> reached_bodies(const SourceTree& tree, const Ladder& ladder) {
  std::vector<std::vector<Node>> bodies;
  if (!ladder.is_cases()) {
    for (const auto& rung : ladder.rungs) bodies.push_back(body_of(tree, rung));
    return bodies;
  }
  // Cases that stand one below the other without statements are one.
  const auto cases = statements_of(tree, ladder.head);
  std::vector<Node> below;
  for (const auto& one : cases | std::views::reverse) {
    auto body = body_of(tree, {one, child_with(tree, one, Role::kRungCondition),
                               child_with(tree, one, Role::kRungBody)});
    if (!body.empty()) below = std::move(body);
    if (!has_role(tree, one, Role::kRungDefault)) bodies.push_back(below);
  }
  std::ranges::reverse(bodies);
  return bodies;
}

}  // namespace portpatch
