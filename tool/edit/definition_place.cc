#include "edit/definition_place.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "syntax/language.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

bool is_constant(const SourceTree& tree, const Node& statement) {
  return has_role(tree, statement, Role::kDefineConstant);
}

/// A function or class, as against a constant, an import or code.
bool is_large(const SourceTree& tree, const Node& statement) {
  return is_scope_statement(tree, statement) ||
         (has_role(tree, statement, Role::kDefine) && !is_constant(tree, statement));
}

bool in_module(const SourceTree& tree, const Node& block) {
  const auto scope = ancestor_with(tree, block, Role::kScope);
  return !scope || has_role(tree, scope, Role::kModuleScope);
}

bool in_class(const SourceTree& tree, const Node& block) {
  const auto scope = ancestor_with(tree, block, Role::kScope);
  return scope && has_role(tree, scope, Role::kClassScope);
}

/// Does code run, or is it looked at, when the file is read up to it?
bool is_read_at_once(const SourceTree& tree, const Node& use) {
  if (!tree.language().blocks_by_indentation()) return true;
  for (auto up = use.parent(); up; up = up.parent()) {
    // What stands in a function's header is looked at when the function is defined.
    if (has_role(tree, up, Role::kBlock) && up.parent() &&
        has_role(tree, up.parent(), Role::kScope) &&
        !has_role(tree, up.parent(), Role::kClassScope))
      return false;
    if (has_role(tree, up, Role::kScope) && child_with(tree, up, Role::kBlock) == Node() &&
        !has_role(tree, up, Role::kClassScope))
      return false;
  }
  return true;
}

/// The first place where `name` is used and must have been seen before.
Node first_use(const SourceTree& tree, std::string_view name) {
  for (const auto at : whole_words(tree.text(), name)) {
    const auto end = at + name.size();
    const auto node = tree.root().smallest_around({at, end});
    const bool is_name = node && node.range() == ByteRange{at, end} && node.is_named() &&
                         !node.is_extra() && !has_role(tree, node, Role::kMember) &&
                         !has_role(tree, node, Role::kDefineName);
    if (is_name && !has_role(tree, node, Role::kString) &&
        !has_role(tree, node.parent(), Role::kString) && is_read_at_once(tree, node))
      return node;
  }
  return {};
}

/// The statement of `block` at or above `node`; a null node when it stands elsewhere.
Node statement_in(const Node& block, Node node) {
  while (node && node.parent() && node.parent() != block) node = node.parent();
  return node && node.parent() == block ? node : Node();
}

DefinitionPlace place_of_constant(const SourceTree& tree, const std::vector<Node>& statements) {
  Node constant, other;
  for (const auto& statement : statements) {
    if (is_large(tree, statement)) break;
    if (is_constant(tree, statement)) constant = statement;
    const bool leads = has_role(tree, statement, Role::kImport) ||
                       has_role(tree, statement, Role::kPrologue);
    if (leads) other = statement;
  }
  if (constant || other) return {constant ? constant : other, true};
  return {with_comments_above(tree, statements[0]), false};
}

}  // namespace

Result<DefinitionPlace> place_of_definition(const SourceTree& tree, const Node& block,
                                            const Definition& wanted, const Node& neighbour,
                                            const std::function<bool(const Node&)>& is_stable) {
  auto statements = statements_of(tree, block);
  const bool any = !statements.empty();
  std::erase_if(statements, [&](const Node& node) { return !is_stable(node); });
  if (neighbour) {
    const auto anchor = statement_in(block, neighbour);
    if (!anchor)
      return failure("no-neighbour", "the neighbour is no statement of the scope",
                     "capture a statement that stands directly in the scope");
    return DefinitionPlace{anchor, true};
  }
  if (statements.empty() && any)
    return failure("conditional", "all of the scope stands under conditions of the preprocessor",
                   "name another scope");
  if (statements.empty()) return DefinitionPlace{};
  DefinitionPlace place{statements.back(), true};
  if (wanted.is_constant) {
    place = place_of_constant(tree, statements);
  } else if (in_module(tree, block)) {
    auto last = statements.size();
    while (last > 0 && has_role(tree, statements[last - 1], Role::kTrailer)) --last;
    place = last > 0 ? DefinitionPlace{statements[last - 1], true}
                     : DefinitionPlace{with_comments_above(tree, statements[0]), false};
  } else if (!in_class(tree, block)) {
    // In a function: before what may use it.
    std::size_t first = 0;
    while (first < statements.size() &&
           (has_role(tree, statements[first], Role::kImport) ||
            (first == 0 && has_role(tree, statements[0], Role::kPrologue))))
      ++first;
    place = first == statements.size()
                ? DefinitionPlace{statements.back(), true}
                : DefinitionPlace{with_comments_above(tree, statements[first]), false};
  }
  if (in_class(tree, block) && !tree.language().blocks_by_indentation())
    return place;  // members are seen everywhere in their class
  const auto use = first_use(tree, wanted.name);
  const auto at = place.is_behind ? place.anchor.range().end : place.anchor.range().begin;
  if (!use || use.range().begin >= at) return place;
  const auto user = statement_in(block, use);
  if (!user)
    return failure("used-above",
                   fmt::format("`{}` is used above the scope that it is to stand in", wanted.name),
                   "choose a scope that begins above its use");
  return DefinitionPlace{with_comments_above(tree, user), false};
}

namespace {

/// Blank lines that the block's own functions and classes have between them; the usual number where
/// there are none.
int house_gap(const SourceTree& tree, const Node& block) {
  std::map<int, int> counts;
  const auto statements = statements_of(tree, block);
  for (std::size_t i = 1; i < statements.size(); ++i) {
    if (!is_large(tree, statements[i]) || !is_large(tree, statements[i - 1])) continue;
    ++counts[blank_lines_above(tree.text(),
                               with_comments_above(tree, statements[i]).range().begin)];
  }
  const auto most = std::ranges::max_element(counts, {},
                                             [](const auto& one) { return one.second; });
  if (most != counts.end()) return most->first;
  return tree.language().blocks_by_indentation() && !block.parent() ? 2 : 1;
}

/// The most blank lines in a row between two statements.
int most_blank_lines(const SourceTree& tree, const Node& above, const Node& below) {
  int most = 0, here = 0;
  const auto begin = statement_range(tree, above).end;
  if (below.range().begin <= begin || !starts_line(tree.text(), below.range().begin)) return 0;
  const auto between = tree.text().substr(begin,
                                          line_begin(tree.text(), below.range().begin) - begin);
  const auto lines = split_lines(between);
  for (std::size_t i = 1; i < lines.size(); ++i) {  // behind the statement's own line
    here = trim(lines[i]).empty() ? here + 1 : 0;
    most = std::max(most, here);
  }
  return most;
}

Node next_statement(const SourceTree& tree, const Node& block, const Node& node) {
  const auto statements = statements_of(tree, block);
  const auto found = std::ranges::find_if(
      statements, [&](const Node& one) { return one.range().begin > node.range().begin; });
  return found == statements.end() ? Node() : *found;
}

}  // namespace

CodeLines with_house_gaps(const SourceTree& tree, const Node& block, const DefinitionPlace& place,
                          const Definition& wanted, CodeLines lines) {
  const int gap = house_gap(tree, block);
  const auto gap_to = [&](const Node& other) {
    if (!other) return 0;
    if (!wanted.is_constant || is_large(tree, other)) return gap;
    return is_constant(tree, other) ? 0 : 1;
  };
  const auto blanks = [&](int count) {
    return CodeLines(static_cast<std::size_t>(std::max(0, count)));
  };
  CodeLines all;
  if (place.is_behind) {
    all = blanks(gap_to(place.anchor));
    all.insert(all.end(), lines.begin(), lines.end());
    if (const auto next = next_statement(tree, block, place.anchor); next && gap_to(next) > 0) {
      const auto below = blanks(gap_to(next) - most_blank_lines(tree, place.anchor, next));
      all.insert(all.end(), below.begin(), below.end());
    }
    return all;
  }
  const auto begin = place.anchor.range().begin;
  const auto statements = statements_of(tree, block);
  const auto above = std::ranges::find_if(
      statements.rbegin(), statements.rend(),
      [&](const Node& one) { return one.range().begin < begin; });
  if (above != statements.rend())
    all = blanks(gap_to(*above) - std::max(0, blank_lines_above(tree.text(), begin)));
  all.insert(all.end(), lines.begin(), lines.end());
  const auto anchor = place.anchor.is_extra() ? next_statement(tree, block, place.anchor)
                                              : place.anchor;
  const auto below = blanks(gap_to(anchor));
  all.insert(all.end(), below.begin(), below.end());
  return all;
}

}  // namespace portpatch
