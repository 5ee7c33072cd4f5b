#include <algorithm>

#include <fmt/format.h>

#include "edit/blocks.h"
#include "edit/branch.h"
#include "edit/layout.h"
#include "edit/line_tail.h"
#include "edit/step.h"
#include "syntax/language.h"

namespace portpatch {

namespace {

/// Has the ladder the same branches whatever the preprocessor makes of the file?
bool is_unconditional(const EditContext& context, const Ladder& ladder, bool leaves) {
  if (ladder.is_cut) return false;
  if (ladder.kind == LadderKind::kConditionals) return true;
  const auto conditions = [](const Ladder& one) {
    std::vector<ByteRange> ranges;
    for (const auto& rung : one.rungs) ranges.push_back(rung.condition.range());
    if (one.otherwise) ranges.push_back(one.otherwise.range());
    return ranges;
  };
  const auto& readings = context.file.readings();
  for (std::size_t i = 1; i < readings.size(); ++i) {
    const auto begin = ladder.head.range().begin;
    if (!context.file.shows(i, {begin, begin + 1})) continue;
    auto node = readings[i].tree.root().smallest_around({begin, begin + 1});
    while (node && node.kind() != ladder.head.kind() && node.range().begin == begin)
      node = node.parent();
    auto other = node && node.range().begin == begin ? read_choice(readings[i].tree, node)
                                                     : std::nullopt;
    if (!other && node && node.range().begin == begin)
      other = read_ladder_or_run(readings[i].tree, node, leaves);
    if (!other || other->kind != ladder.kind || conditions(*other) != conditions(ladder))
      return false;
  }
  return true;
}

std::expected<Wanted, Step> look_up(const EditContext& context) {
  const auto& texts = context.directive.texts;
  const auto range = context.node.range();
  auto ladder = read_choice(context.tree, context.node);
  if (!ladder) ladder = read_conditionals(context.tree, context.node);
  auto body = Fragment::parse(
      context.language(),
      ladder && ladder->kind == LadderKind::kChoice ? "expression" : "statement", texts[1]);
  if (!body) return std::unexpected(Step::blocked(body.error(), range));
  const bool body_leaves = leaves(body->tree(), body->nodes().back());
  if (!ladder) ladder = read_ladder_or_run(context.tree, context.node, body_leaves);
  if (!ladder) {
    return std::unexpected(Step::blocked(
        "no-ladder",
        fmt::format("the captured {} has no branches that could become more", context.node.kind()),
        "capture a whole if, switch, match, conditional expression or #if", range));
  }
  auto condition = Fragment::parse(context.language(), condition_frame(context.language(), *ladder),
                                   texts[0]);
  if (!condition) return std::unexpected(Step::blocked(condition.error(), range));
  if (!is_unconditional(context, *ladder, body_leaves)) {
    return std::unexpected(Step::blocked(
        "conditional", "branches of the ladder stand under a condition of the preprocessor",
        "edit this place by hand", range));
  }
  Wanted wanted{.condition = std::move(*condition),
                .body = std::move(*body),
                .forms = {},
                .ladder = std::move(*ladder),
                .place = {}};
  CodeEvaluator evaluator(context.tree);
  for (const auto& node : wanted.body.nodes())
    wanted.forms.push_back(evaluator.canonical(wanted.body.tree(), node));
  auto place = place_on_ladder(context, wanted.ladder, wanted.condition, wanted.forms,
                               texts.size() > 2 ? std::string_view(texts[2]) : std::string_view());
  if (!place) return std::unexpected(std::move(place.error()));
  wanted.place = *place;
  return wanted;
}

std::string branch_text(const Wanted& wanted) {
  return fmt::format("{}: {}", wanted.condition.text(), wanted.body.text());
}

Step conflict(const EditContext& context, const Wanted& wanted) {
  const auto range = wanted.ladder.rungs[*wanted.place.equal].node.range();
  const auto theirs = wanted.ladder.rungs[*wanted.place.equal].body;
  return Step::conflict("the branch stands there with another body", branch_text(wanted),
                        std::string((theirs ? theirs.range() : range).of(context.text())), range);
}

bool is_equal(const EditContext& context, const Wanted& wanted) {
  return body_forms(context.tree, wanted.ladder, *wanted.place.equal) == wanted.forms;
}

/// With on-conflict = "override" our statements in place of theirs.
Step override_body(const EditContext& context, const Wanted& wanted) {
  const auto& rung = wanted.ladder.rungs[*wanted.place.equal];
  const auto statements = body_of(context.tree, rung);
  const bool has_statements = wanted.ladder.kind != LadderKind::kChoice &&
                              wanted.ladder.kind != LadderKind::kConditionals;
  if (context.rule.settings.on_conflict != OnConflict::kOverride || statements.empty() ||
      !has_statements)
    return conflict(context, wanted);
  const ByteRange range{statements.front().range().begin, statements.back().range().end};
  const auto lines = statement_lines(wanted.body, indent_unit(context.text()));
  if (lines.size() > 1 && !starts_line(context.text(), range.begin))
    return conflict(context, wanted);
  auto step = Step::edit({{range, join_lines(lines, indent_at(context.text(), range.begin),
                                             line_break_of(context.text()))}},
                         rung.node.range());
  if (rung.body) step.more_parents = {rung.body.range()};
  return step;
}

/// What grows: the statement, or what the `if`s of a run stand in.
ByteRange parent_of(const Ladder& ladder) {
  return (ladder.kind == LadderKind::kRun ? ladder.head.parent() : ladder.head).range();
}

/// Without branch number `index` of several.
TextEdit take_out(const EditContext& context, const Ladder& ladder, std::size_t index) {
  const auto text = context.text();
  const auto node = ladder.rungs[index].node.range();
  const bool by_indentation = context.language().blocks_by_indentation() ||
                              context.language().entry_templates().contains(ladder.head.kind());
  if (!ladder.is_cases() && index == 0) {
    const auto& next = ladder.rungs[1].node;
    const auto keyword = ladder.head.children()[0].range();
    return {{keyword.begin, by_indentation ? next.children()[0].range().end : next.range().begin},
            by_indentation ? std::string(keyword.of(text)) : ""};
  }
  if (!ladder.is_cases() && !by_indentation)
    return {{ladder.rungs[index - 1].body.range().end, ladder.rungs[index].body.range().end}, ""};
  const auto newline = text.find('\n', node.end);
  ByteRange range{line_begin(text, node.begin),
                  newline == std::string_view::npos ? text.size() : newline + 1};
  if (newline == std::string_view::npos) range.begin = line_end(text, range.begin - 1);
  return {range, ""};
}

/// Without an `if` of a run, and the blank line that came with it.
Result<std::vector<TextEdit>> take_statement_out(const EditContext& context, const Ladder& ladder,
                                                 std::size_t index) {
  auto edits = remove_statement(context.tree, ladder.rungs[index].node);
  if (edits && edits->size() == 1)
    edits->front().range = with_blank_lines(context.text(), edits->front().range);
  return edits;
}

}  // namespace

Step plan_ensure_branch(const EditContext& context) {
  const auto wanted = look_up(context);
  if (!wanted) return wanted.error();
  if (wanted->place.equal) {
    if (is_equal(context, *wanted))
      return Step::holds(wanted->ladder.rungs[*wanted->place.equal].node.range());
    return override_body(context, *wanted);
  }
  if (wanted->ladder.kind == LadderKind::kChoice) return add_choice(context, *wanted);
  if (wanted->ladder.kind == LadderKind::kConditionals) return add_conditional(context, *wanted);
  auto edits = write_branch(context, *wanted);
  if (!edits) return Step::blocked(edits.error(), context.node.range());
  return Step::edit(std::move(*edits), parent_of(wanted->ladder));
}

Step revert_ensure_branch(const EditContext& context) {
  constexpr std::string_view kNotThere[] = {"order-unknown", "swallows", "unreachable",
                                            "mixed-ladder"};
  const auto wanted = look_up(context);
  if (!wanted)
    return std::ranges::find(kNotThere, wanted.error().code) != std::end(kNotThere)
               ? Step::holds(context.node.range())
               : wanted.error();
  const auto& ladder = wanted->ladder;
  if (!wanted->place.equal) return Step::holds(context.node.range());
  const auto& rung = ladder.rungs[*wanted->place.equal];
  if (condition_form(context.tree, ladder, rung) !=
      condition_form(context.tree, ladder, wanted->condition))
    return Step::holds(context.node.range());
  if (!is_equal(context, *wanted)) return conflict(context, *wanted);
  if (ladder.rungs.size() == 1)
    return Step::blocked("no-branch-left", "it is the only branch", "take it out by hand",
                         rung.node.range());
  if (ladder.kind == LadderKind::kChoice)
    return take_choice_out(context, ladder, *wanted->place.equal);
  if (ladder.kind == LadderKind::kConditionals)
    return take_conditional_out(context, ladder, *wanted->place.equal);
  if (ladder.kind != LadderKind::kRun)
    return Step::edit({take_out(context, ladder, *wanted->place.equal)}, parent_of(ladder));
  auto edits = take_statement_out(context, ladder, *wanted->place.equal);
  return edits ? Step::edit(std::move(*edits), parent_of(ladder))
               : Step::blocked(edits.error(), rung.node.range());
}

}  // namespace portpatch
