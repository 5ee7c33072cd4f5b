#include <optional>

#include <fmt/format.h>

#include "edit/layout.h"
#include "edit/step.h"

namespace portpatch {

namespace {

/// TEXT with ${name} filled in from the other captures.
std::expected<std::string, Step> expanded_text(const EditContext& context) {
  auto text = expand_captures(context.directive.texts.back(),
                              [&](std::string_view name) -> std::optional<std::string> {
                                const auto nodes = context.nodes_of(name);
                                if (nodes.empty()) return std::nullopt;
                                return std::string(nodes[0].text(context.text()));
                              });
  if (!text) {
    return std::unexpected(Step::blocked(
        "unbound-capture", fmt::format("the match binds no @{}", text.error()),
        "name only captures that every match of the pattern binds", context.node.range()));
  }
  return *text;
}

/// What the base said at this place, when it said something else than the tree does now: upstream
/// has changed what the rule is about. Nothing when the base is not known, or the rule says to
/// override it.
std::optional<Step> changed_upstream(const EditContext& context, std::string_view ours) {
  const auto& rule = context.rule;
  if (rule.locked.empty() || rule.settings.on_conflict == OnConflict::kOverride ||
      !context.is_target)
    return std::nullopt;
  CodeEvaluator evaluator(context.tree);
  const auto now = evaluator.canonical(context.tree, context.node);
  for (const auto& locked : rule.locked) {
    // A base that is no code by itself (a clause, a decorator) is compared as text only.
    if (locked.text == context.node.text(context.text())) return std::nullopt;
    for (const auto& base : {Fragment::parse_any(context.language(), locked.text),
                             Fragment::parse(context.language(), "directive", locked.text)}) {
      if (base && evaluator.canonical(*base) == now) return std::nullopt;
    }
  }
  return Step::conflict("upstream says something else there than at the base", std::string(ours),
                        std::string(context.node.text(context.text())), context.node.range());
}

/// Blocked with it, the edit may be made already.
constexpr std::string_view kPartAndText = "part-and-text";

Step replace_part(const EditContext& context, const std::string& text) {
  const auto& part = context.directive.texts[0];
  const auto range = context.node.range();
  const auto current = range.of(context.text());
  const bool has_text = current.contains(text);
  if (has_text && (text.contains(part) || !current.contains(part))) return Step::holds(range);
  // Of a part that is cut down, TEXT stands in it before as well.
  if (has_text && !part.contains(text)) {
    return Step::blocked(std::string(kPartAndText),
                         fmt::format("both `{}` and `{}` stand in it", part, text),
                         "name a longer part", range);
  }
  const auto at = current.find(part);
  if (part.empty() || at == std::string_view::npos) {
    return Step::conflict(fmt::format("`{}` does not stand in it", part), text,
                          std::string(current), range);
  }
  if (current.find(part, at + 1) != std::string_view::npos) {
    return Step::blocked("part-twice", fmt::format("`{}` stands in it more than once", part),
                         "name a longer part", range);
  }
  const auto begin = range.begin + at;
  auto step = Step::edit({{{begin, begin + part.size()}, text}}, range);
  step.inside_token = true;
  return step;
}

}  // namespace

Step plan_replace(const EditContext& context) {
  const auto text = expanded_text(context);
  if (!text) return text.error();
  if (context.directive.texts.size() == 2) return replace_part(context, *text);
  const auto range = context.node.range();
  // What a grammar leaves as text, the value of a macro, has no other form.
  if (trim(context.node.text(context.text())) == trim(*text)) return Step::holds(range);
  const auto fragment = Fragment::parse_any(context.language(), *text);
  if (!fragment) return Step::blocked(fragment.error(), range);
  CodeEvaluator evaluator(context.tree);
  const auto now = evaluator.canonical(context.tree, context.node);
  if (now == evaluator.canonical(*fragment)) return Step::holds(range);
  // A condition that the preprocessor reads is made of other nodes.
  const auto directive = Fragment::parse(context.language(), "directive", *text);
  if (directive && now == evaluator.canonical(*directive)) return Step::holds(range);
  if (auto step = changed_upstream(context, *text)) return std::move(*step);
  const auto lines = statement_lines(*fragment, indent_unit(context.text()));
  const auto printed = join_lines(lines, indent_at(context.text(), range.begin),
                                  line_break_of(context.text()));
  // A block that is nothing but the replaced statement is another block.
  auto around = context.node.parent();
  while (around && around.parent() && around.range() == range) around = around.parent();
  return Step::edit({{range, printed}}, around ? around.range() : range);
}

/// What stood there before is not in the rule: the caller restores it from upstream's version.
Step revert_replace(const EditContext& context) {
  const auto planned = plan_replace(context);
  if (planned.kind != Step::Kind::kHolds && planned.code != kPartAndText)
    return Step::holds(context.node.range());
  return Step::blocked("not-invertible", "the rule does not say what stood there before", "",
                       context.node.range());
}

Step plan_remove(const EditContext& context) {
  if (auto step = changed_upstream(context, "")) return std::move(*step);
  const auto item = find_item(context.tree, context.node, context.is_stable);
  if (item) {
    // Which of its blanks and line ends goes with a name is not told by a list without brackets.
    if (!item->first.has_brackets && has_role(context.tree, context.node, Role::kImportName) &&
        item->first.inside.of(context.text()).contains('\\'))
      return Step::blocked(
          "continued-line", "the names stand on lines that are continued with `\\`",
          "put the names into parentheses, or take it out by hand", context.node.range());
    auto edits = remove_item(context.tree, item->first, item->second);
    if (!edits) return Step::blocked(edits.error(), context.node.range());
    return Step::edit(std::move(*edits), item->first.node.range());
  }
  // An expression that is all of its statement means the statement, as does its only imported name.
  Node node = context.node;
  if (has_role(context.tree, node, Role::kImportName) && node.parent()) node = node.parent();
  while (node.parent() && node.parent().range() == node.range() &&
         !has_role(context.tree, node.parent(), Role::kBlock)) {
    node = node.parent();
  }
  auto edits = remove_statement(context.tree, node);
  if (!edits) return Step::blocked(edits.error(), context.node.range());
  // A block that is nothing but the statement which gives way to `pass` is another block.
  const bool filled = !edits->front().text.empty() && node.parent().range() == node.range();
  const auto around = filled ? node.parent().parent() : node.parent();
  return Step::edit(std::move(*edits), around ? around.range() : node.range());
}

/// A site of a pattern with #remove! is one that was not removed.
Step revert_remove(const EditContext& context) { return Step::holds(context.node.range()); }

}  // namespace portpatch
