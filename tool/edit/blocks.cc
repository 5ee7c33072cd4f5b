#include "edit/blocks.h"

#include <algorithm>

#include <fmt/format.h>

#include "edit/layout.h"
#include "edit/line_tail.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

bool is_blank_line(std::string_view text, std::size_t at) {
  return trim(line_at(text, at)).empty();
}

/// The semicolon behind `node` that is no part of it; a null node when there is none.
Node own_semicolon(const SourceTree& tree, const Node& node) {
  if (!node.parent()) return {};
  const auto siblings = node.parent().children();
  const auto next = std::find(siblings.begin(), siblings.end(), node);
  if (next == siblings.end() || next + 1 == siblings.end()) return {};
  const auto& token = *(next + 1);
  return !token.is_named() && token.text(tree.text()) == ";" ? token : Node();
}

}  // namespace

bool is_always_shown(const ParsedFile& file, ByteRange range) {
  for (std::size_t i = 0; i < file.readings().size(); ++i) {
    if (!file.shows(i, range)) return false;
  }
  return true;
}

std::vector<Node> statements_of(const SourceTree& tree, const Node& block) {
  std::vector<Node> statements;
  for (const auto& child : block.named_children()) {
    if (!child.is_extra() && !has_role(tree, child, Role::kHeader) && !child.range().empty())
      statements.push_back(child);
  }
  return statements;
}

const BlockIndex::Block& BlockIndex::listed(const Node& block) {
  const auto [known, is_new] = blocks_.try_emplace(block.id());
  auto& [statements, places] = known->second;
  if (!is_new) return known->second;
  statements = statements_of(tree_, block);
  for (std::size_t i = 0; i < statements.size(); ++i) places.emplace(statements[i].id(), i);
  return known->second;
}

const std::vector<Node>& BlockIndex::statements(const Node& block) {
  return listed(block).statements;
}

std::size_t BlockIndex::place_of(const Node& block, const Node& statement) {
  const auto& [statements, places] = listed(block);
  const auto found = places.find(statement.id());
  return found == places.end() ? statements.size() : found->second;
}

bool is_scope_statement(const SourceTree& tree, const Node& statement) {
  return has_role(tree, statement, Role::kScope) ||
         static_cast<bool>(child_with(tree, statement, Role::kScope));
}

Node file_block(const SourceTree& tree) {
  for (const auto& statement : statements_of(tree, tree.root())) {
    if (has_role(tree, statement, Role::kImportGuard)) return statement;
    if (!has_role(tree, statement, Role::kPrologue)) break;
  }
  return tree.root();
}

ByteRange statement_range(const SourceTree& tree, const Node& node) {
  auto range = node.range();
  while (range.end > range.begin &&
         std::string_view(" \t\r\n").contains(tree.text()[range.end - 1]))
    --range.end;
  if (const auto semicolon = own_semicolon(tree, node)) range.end = semicolon.range().end;
  return range;
}

Node with_comments_above(const SourceTree& tree, const Node& node) {
  if (!node.parent()) return node;
  Node top = node;
  const auto text = tree.text();
  const auto siblings = node.parent().children();
  auto at = std::find(siblings.begin(), siblings.end(), node);
  while (at != siblings.begin()) {
    --at;
    const bool touches = at->is_extra() && starts_line(text, at->range().begin) &&
                         blank_lines_above(text, top.range().begin) == 0;
    if (!touches) break;
    top = *at;
  }
  const bool is_top = top != node && trim(text.substr(0, top.range().begin)).empty();
  return is_top ? node : top;
}

std::string indent_unit_in(const SourceTree& tree, const Node& block) {
  const auto text = tree.text();
  for (const auto& statement : statements_of(tree, block)) {
    const auto inner = indent_at(text, statement.range().begin);
    if (!block.parent() || !starts_line(text, statement.range().begin)) continue;
    const auto outer = indent_at(text, block.parent().range().begin);
    if (inner.size() > outer.size() && inner.starts_with(outer))
      return std::string(inner.substr(outer.size()));
  }
  return indent_unit(text);
}

int blank_lines(std::string_view between) {
  return std::max(0, static_cast<int>(std::ranges::count(between, '\n')) - 1);
}

int blank_lines_above(std::string_view text, std::size_t begin) {
  const auto last = text.substr(0, begin).find_last_not_of(" \t\r\n");
  // A byte order mark is nothing.
  if (last != std::string_view::npos && line_begin(text, last + 1) == last + 1) return -1;
  return last == std::string_view::npos ? -1 : blank_lines(text.substr(last, begin - last));
}

ByteRange with_blank_lines(std::string_view text, ByteRange lines) {
  auto above = lines.begin, below = lines.end;
  while (above > 0 && is_blank_line(text, above - 1)) above = line_begin(text, above - 1);
  while (below < text.size() && is_blank_line(text, below)) {
    const auto newline = text.find('\n', below);
    below = newline == std::string_view::npos ? text.size() : newline + 1;
  }
  if (above == 0) return {lines.begin, below};
  if (below == text.size()) return {above, lines.end};
  if (above == lines.begin || below == lines.end) return lines;
  return lines.begin - above <= below - lines.end ? ByteRange{above, lines.end}
                                                  : ByteRange{lines.begin, below};
}

Result<std::vector<TextEdit>> insert_behind_statement(const SourceTree& tree, const Node& anchor,
                                                      const CodeLines& lines) {
  const auto semicolon = own_semicolon(tree, anchor);
  if (!semicolon) return insert_behind(tree, anchor, lines);
  const auto text = tree.text();
  const auto tail = line_tail(tree, semicolon.range().end);
  if (!tail.is_clean || !starts_line(text, anchor.range().begin)) {
    return failure("no-room", "other code stands on the line of the statement before",
                   "break the line in the source, or choose another neighbour");
  }
  const auto indent = indent_at(text, anchor.range().begin);
  const auto line_break = line_break_of(text);
  return std::vector<TextEdit>{
      {{tail.end, tail.end},
       fmt::format("{}{}{}", line_break, lines[0].text.empty() ? "" : indent,
                   join_lines(lines, indent, line_break))}};
}

}  // namespace portpatch
