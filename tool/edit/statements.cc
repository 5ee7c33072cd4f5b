#include <algorithm>

#include <fmt/format.h>

#include "edit/beside_item.h"
#include "edit/blocks.h"
#include "edit/layout.h"
#include "edit/own_comments.h"
#include "edit/step.h"
#include "locate/sites.h"
#include "syntax/language.h"

namespace portpatch {

namespace {

enum class Side { kBefore, kBehind, kEnd };

/// A block's statements, and which of them a directive's own statements are.
struct Neighbours {
  Node block;
  Node anchor;  ///< null for append! into an empty block
  std::vector<Node> statements;
  std::optional<std::size_t> index;  ///< of the first of the directive's statements
  std::size_t count = 1;             ///< how many they are
};

/// The block that append! means: the captured node, or the body of the definition captured.
Node block_of(const EditContext& context) {
  if (has_role(context.tree, context.node, Role::kBlock)) return context.node;
  for (const auto* field : {"body", "consequence"}) {
    const auto body = context.node.field(field);
    if (body && has_role(context.tree, body, Role::kBlock)) return body;
  }
  return {};
}

std::expected<Neighbours, Step> find_neighbours(const EditContext& context,
                                                const Fragment& fragment, Side side) {
  Neighbours found{.block = {},
                   .anchor = {},
                   .statements = {},
                   .index = std::nullopt,
                   .count = fragment.nodes().size()};
  if (side == Side::kEnd) {
    found.block = block_of(context);
  } else {
    found.anchor = enclosing_statement(context.tree, context.node);
    found.block = found.anchor.parent();
  }
  if (!found.block) {
    return std::unexpected(
        Step::blocked("no-block",
                      fmt::format("the captured {} is no {}", context.node.kind(),
                                  side == Side::kEnd ? "block" : "statement"),
                      side == Side::kEnd ? "capture a body" : "capture a statement of a block",
                      context.node.range()));
  }
  found.statements = statements_of(context.tree, found.block);
  CodeEvaluator evaluator(context.tree);
  std::vector<std::string> wanted;
  for (const auto& node : fragment.nodes())
    wanted.push_back(evaluator.canonical(fragment.tree(), node));
  const auto anchor = std::ranges::find(found.statements, found.anchor) - found.statements.begin();
  const std::size_t first = side == Side::kBehind ? static_cast<std::size_t>(anchor) + 1 : 0;
  const std::size_t end = side == Side::kBefore ? static_cast<std::size_t>(anchor)
                                                : found.statements.size();
  for (std::size_t i = first; i + wanted.size() <= end && !found.index; ++i) {
    bool equal = true;
    for (std::size_t k = 0; equal && k < wanted.size(); ++k) {
      equal = evaluator.canonical(context.tree, found.statements[i + k]) == wanted[k];
    }
    if (equal) found.index = i;
  }
  return found;
}

Result<Fragment> parse_statement(const EditContext& context) {
  return Fragment::parse(context.language(), "statement", context.directive.texts[0]);
}

Step plan(const EditContext& context, Side side) {
  if (side != Side::kEnd) {
    if (auto step = plan_beside_item(context, side == Side::kBefore)) return std::move(*step);
  }
  const auto fragment = parse_statement(context);
  if (!fragment) return Step::blocked(fragment.error(), context.node.range());
  const auto found = find_neighbours(context, *fragment, side);
  if (!found) return found.error();
  if (found->index) return Step::holds(found->statements[*found->index].range());
  const auto lines = statement_lines(*fragment, indent_unit_in(context.tree, found->block));
  auto edits = side == Side::kBefore   ? insert_in_front(context.tree, found->anchor, lines)
               : side == Side::kBehind ? insert_behind(context.tree, found->anchor, lines)
               : found->statements.empty()
                   ? insert_into_empty(context.tree, found->block, lines)
                   : insert_behind(context.tree, found->statements.back(), lines);
  if (!edits) return Step::blocked(edits.error(), context.node.range());
  return Step::edit(std::move(*edits), found->block.range());
}

/// Takes the directive's statements out again, the last first so that their lines stay apart.
Step revert(const EditContext& context, Side side) {
  if (side != Side::kEnd) {
    if (auto step = revert_beside_item(context, side == Side::kBefore)) return std::move(*step);
  }
  const auto fragment = parse_statement(context);
  if (!fragment) return Step::blocked(fragment.error(), context.node.range());
  const auto found = find_neighbours(context, *fragment, side);
  if (!found) return found.error();
  if (!found->index) return Step::holds(found->block.range());
  const ByteRange own{found->statements[*found->index].range().begin,
                      found->statements[*found->index + found->count - 1].range().end};
  if (auto step = without_own_comments(context.tree, found->block, own, comments_of(*fragment)))
    return std::move(*step);
  std::vector<TextEdit> edits;
  for (std::size_t i = 0; i < found->count; ++i) {
    auto one = remove_statement(context.tree, found->statements[*found->index + i]);
    if (!one) return Step::blocked(one.error(), context.node.range());
    edits.insert(edits.end(), one->begin(), one->end());
  }
  return Step::edit(std::move(edits), found->block.range());
}

}  // namespace

Step plan_insert_before(const EditContext& context) { return plan(context, Side::kBefore); }
Step plan_insert_after(const EditContext& context) { return plan(context, Side::kBehind); }
Step plan_append(const EditContext& context) { return plan(context, Side::kEnd); }
Step revert_insert_before(const EditContext& context) { return revert(context, Side::kBefore); }
Step revert_insert_after(const EditContext& context) { return revert(context, Side::kBehind); }
Step revert_append(const EditContext& context) { return revert(context, Side::kEnd); }

}  // namespace portpatch
