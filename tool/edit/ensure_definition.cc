#include <algorithm>

#include <fmt/format.h>

#include "edit/definition_place.h"
#include "edit/layout.h"
#include "edit/own_comments.h"
#include "edit/step.h"
#include "syntax/code_value.h"
#include "syntax/language.h"

namespace portpatch {

namespace {

/// The definition that the rule wants, its scope, and the scope's own of that name.
struct Found {
  Fragment fragment;
  Definition wanted;
  Node block;
  std::vector<Node> equal, different;
  std::vector<ByteRange> hidden_equal, hidden_different;  ///< only in other readings of the file
};

/// The block of the scope that was captured.
Node scope_block(const SourceTree& tree, const Node& node) {
  if (node == tree.root()) return file_block(tree);
  if (has_role(tree, node, Role::kBlock)) return node;
  const auto scope = has_role(tree, node, Role::kScope) ? node
                                                        : child_with(tree, node, Role::kScope);
  const auto body = scope ? scope.field("body") : Node();
  return body && has_role(tree, body, Role::kBlock) ? body : Node();
}

/// Parameters without the names that they have: what a C++ overload differs by.
std::string signature(const SourceTree& tree, const Node& statement) {
  const auto parameters = descendant_with(tree, statement, Role::kDefineParameters);
  std::string out;
  if (!parameters) return out;
  walk(parameters, [&](const Node& node) {
    if (node.is_extra()) return false;
    if (node.child_count() == 0 &&
        !(has_role(tree, node, Role::kReference) && !has_role(tree, node, Role::kMember)))
      out += std::string(node.text(tree.text())) + " ";
    return true;
  });
  return out;
}

/// What another reading of the file, with other branches of the preprocessor, has of that name.
void collect_hidden(const EditContext& context, Found& found) {
  const bool whole = context.node == context.tree.root();
  const auto form = CodeEvaluator(context.tree)
                        .canonical(found.fragment.tree(), found.wanted.statement);
  const auto parameters = signature(found.fragment.tree(), found.wanted.statement);
  for (const auto& reading : context.file.readings()) {
    const auto& tree = reading.tree;
    if (&tree == &context.tree) continue;
    const auto block = whole ? file_block(tree)
                             : tree.node_at(found.block.range(), found.block.kind());
    if (!block) continue;
    CodeEvaluator evaluator(tree);
    walk(block, [&](const Node& node) {
      if (node == block) return true;
      const auto definition = read_definition(tree, node);
      if (definition && definition->name == found.wanted.name &&
          signature(tree, node) == parameters) {
        (evaluator.canonical(tree, node) == form ? found.hidden_equal : found.hidden_different)
            .push_back(node.range());
        return false;
      }
      return !has_role(tree, node, Role::kScope);
    });
  }
}

bool is_decorated(const Node& node) { return static_cast<bool>(node.field("definition")); }

/// Everything in the scope that has the wanted name, also under conditions.
void collect(const EditContext& context, Found& found) {
  const auto& tree = context.tree;
  CodeEvaluator evaluator(tree);
  const auto& own = found.fragment.tree();
  const auto form = evaluator.canonical(own, found.wanted.statement);
  const auto parameters = signature(own, found.wanted.statement);
  std::vector<Node> decorated;
  walk(found.block, [&](const Node& node) {
    if (node == found.block) return true;
    const auto definition = read_definition(tree, node);
    if (definition && definition->name == found.wanted.name &&
        signature(tree, node) == parameters) {
      if (evaluator.canonical(tree, node) == form)
        found.equal.push_back(node);
      else
        (is_decorated(node) ? decorated : found.different).push_back(node);
      return false;
    }
    return !has_role(tree, node, Role::kScope);
  });
  // Beside an equal one, decorated namesakes are its overloads, or a property's setter.
  if (found.equal.empty())
    found.different.insert(found.different.end(), decorated.begin(), decorated.end());
  if (!tree.language().checks_names()) return;
  const auto scope = ancestor_with(tree, found.block, Role::kScope);
  for (const auto& name : definitions_of(tree, found.wanted.name)) {
    const auto covers = [&](const Node& node) { return node.range().contains(name.range()); };
    const bool known = std::ranges::any_of(found.equal, covers) ||
                       std::ranges::any_of(found.different, covers) ||
                       std::ranges::any_of(decorated, covers);
    if (scope_of_definition(tree, name) == scope && !known)
      found.different.push_back(name.parent());
  }
}

std::expected<Found, Step> look_up(const EditContext& context) {
  auto fragment = Fragment::parse(context.language(), "statement", context.directive.texts[0]);
  if (!fragment) return std::unexpected(Step::blocked(fragment.error(), context.node.range()));
  const auto wanted = definition_of_text(*fragment);
  if (!wanted)
    return std::unexpected(Step::blocked("bad-code", "the text is not one definition",
                                         "write one function, class or constant",
                                         context.node.range()));
  Found found{.fragment = std::move(*fragment),
              .wanted = *wanted,
              .block = scope_block(context.tree, context.node),
              .equal = {},
              .different = {}};
  if (!found.block) {
    return std::unexpected(
        Step::blocked("no-block",
                      fmt::format("the captured {} has no body that a definition could stand in",
                                  context.node.kind()),
                      "capture a module, class, function or namespace", context.node.range()));
  }
  collect(context, found);
  collect_hidden(context, found);
  return found;
}

/// One level of indentation: the scope's, the file's, or where neither has any the rule's own.
std::string unit_for(const EditContext& context, const Found& found) {
  const auto lines = split_lines(context.text());
  const bool shows = std::ranges::any_of(
      lines, [](std::string_view line) { return line.starts_with(' ') || line.starts_with('\t'); });
  return shows ? indent_unit_in(context.tree, found.block) : indent_unit(found.fragment.text());
}

std::string own_text(const Found& found) { return std::string(found.fragment.text()); }

/// The nodes that the block is in the file's other readings, too.
std::vector<ByteRange> parents_in_variants(const EditContext& context, const Node& anchor) {
  std::vector<ByteRange> parents;
  for (const auto& reading : context.file.readings()) {
    const auto node = reading.tree.node_at(anchor.range(), anchor.kind());
    if (node && node.parent()) parents.push_back(node.parent().range());
  }
  return parents;
}

Step conflict(const EditContext& context, const Found& found) {
  const auto range = found.different.empty() ? found.hidden_different[0]
                                             : found.different[0].range();
  return Step::conflict(fmt::format("`{}` stands there otherwise", found.wanted.name),
                        own_text(found), std::string(trim(range.of(context.text()))), range);
}

}  // namespace

Step plan_ensure_definition(const EditContext& context) {
  auto found = look_up(context);
  if (!found) return found.error();
  const auto& tree = context.tree;
  const auto unit = unit_for(context, *found);
  if (found->different.empty() && !found->hidden_different.empty())
    return conflict(context, *found);
  if (!found->different.empty()) {
    const bool may_write = found->different.size() == 1 && found->equal.empty() &&
                           has_role(tree, found->different[0], Role::kDefine);
    if (context.rule.settings.on_conflict != OnConflict::kOverride || !may_write)
      return conflict(context, *found);
    const auto range = found->different[0].range();
    const auto parent = found->different[0].parent();
    auto lines = statement_lines(found->fragment, unit);
    if (lines.back().text.ends_with(';') && !range.of(context.text()).ends_with(';'))
      lines.back().text.pop_back();
    auto step = Step::edit({{range, join_lines(lines, indent_at(context.text(), range.begin),
                                               line_break_of(context.text()))}},
                           parent.range());
    if (parent.range() == range && parent.parent())  // the only statement: its block is new as well
      step.more_parents = {parent.parent().range()};
    return step;
  }
  if (!found->equal.empty()) return Step::holds(found->equal[0].range());
  if (!found->hidden_equal.empty()) return Step::holds(found->hidden_equal[0]);
  Node neighbour;
  if (!context.directive.neighbour.empty()) {
    const auto nodes = context.nodes_of(context.directive.neighbour);
    if (nodes.empty()) {
      return Step::blocked(
          "unbound-capture", fmt::format("the match binds no @{}", context.directive.neighbour),
          "use only captures that every match of the pattern binds", context.node.range());
    }
    neighbour = nodes[0];
  }
  const auto stable = [&](const Node& node) { return is_always_shown(context.file, node.range()); };
  const auto place = place_of_definition(tree, found->block, found->wanted, neighbour, stable);
  if (!place) return Step::blocked(place.error(), context.node.range());
  if (place->anchor && !stable(place->anchor)) {
    return Step::blocked("conditional", "the place for it is under a condition of the preprocessor",
                         "name another neighbour", place->anchor.range());
  }
  auto lines = statement_lines(found->fragment, unit);
  if (place->anchor)
    lines = with_house_gaps(tree, found->block, *place, found->wanted, std::move(lines));
  auto edits = !place->anchor     ? insert_into_empty(tree, found->block, lines)
               : place->is_behind ? insert_behind_statement(tree, place->anchor, lines)
                                  : insert_in_front(tree, place->anchor, lines);
  if (!edits) return Step::blocked(edits.error(), context.node.range());
  auto step = Step::edit(std::move(*edits), found->block.range());
  if (place->anchor) step.more_parents = parents_in_variants(context, place->anchor);
  return step;
}

Step revert_ensure_definition(const EditContext& context) {
  const auto found = look_up(context);
  if (!found) return found.error();
  const auto& tree = context.tree;
  const auto text = context.text();
  if (!found->different.empty() || !found->hidden_different.empty())
    return conflict(context, *found);
  if (found->equal.empty()) return Step::holds(context.node.range());
  const auto& node = found->equal[0];
  const auto parent = node.parent();
  if (parent != found->block || !is_always_shown(context.file, node.range())) {
    return Step::blocked("conditional",
                         "it stands under a condition, where the rule did not put it",
                         "take it out by hand", node.range());
  }
  const auto range = statement_range(tree, node);
  if (auto step = without_own_comments(tree, parent, range, comments_of(found->fragment)))
    return std::move(*step);
  std::vector<TextEdit> edits;
  const auto newline = text.find('\n', range.end);
  const bool fills = statements_of(tree, parent).size() == 1 && parent.parent() &&
                     !tree.language().empty_statement().empty();
  const bool own_lines = starts_line(text, range.begin) &&
                         trim(text.substr(range.end, newline == std::string_view::npos
                                                         ? newline
                                                         : newline - range.end))
                             .empty();
  if (fills || !own_lines) {
    auto removal = remove_statement(tree, node);
    if (!removal) return Step::blocked(removal.error(), node.range());
    edits = std::move(*removal);
  } else {
    const ByteRange lines{line_begin(text, range.begin),
                          newline == std::string_view::npos ? text.size() : newline + 1};
    auto gone = with_blank_lines(text, lines);
    // At the end of a block, right above its bracket, the blank lines above were put there with it.
    const bool is_last = statements_of(tree, parent).back() == node;
    if (const int above = blank_lines_above(text, range.begin);
        gone == lines && is_last && above > 0)
      gone.begin = text.find_last_not_of(" \t\r\n", range.begin - 1) + 1 +
                   line_break_of(text).size();
    edits.push_back({gone, ""});
  }
  auto step = Step::edit(std::move(edits), fills && parent.range() == node.range()
                                               ? parent.parent().range()
                                               : parent.range());
  step.more_parents = parents_in_variants(context, node);
  step.takes_names = true;
  return step;
}

}  // namespace portpatch
