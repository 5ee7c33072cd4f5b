// Statements next to statements; declared in edit/layout.h.
#include <algorithm>

#include <fmt/format.h>

#include "edit/layout.h"
#include "edit/line_tail.h"
#include "syntax/language.h"

namespace portpatch {

namespace {

using Edits = std::vector<TextEdit>;

/// The node's bytes without trailing blanks: rows of some grammars reach to the next line.
ByteRange trimmed_range(const Node& node, std::string_view text) {
  auto range = node.range();
  while (range.end > range.begin && std::string_view(" \t\r\n").contains(text[range.end - 1]))
    --range.end;
  return range;
}

/// One line that may stand behind a semicolon.
bool is_simple(const CodeLines& statement) {
  return statement.size() == 1 && !statement[0].text.contains('#');
}

/// What a new line begins with so that it lines up with `at`.
std::string line_indent(std::string_view text, std::size_t at) {
  std::string indent(indent_at(text, at));
  if (!starts_line(text, at)) indent.append(at - line_begin(text, at) - indent.size(), ' ');
  return indent;
}

std::unexpected<Diagnostic> no_line(const CodeLines& statement) {
  return failure(
      "no-room",
      fmt::format("`{}` cannot stand on the same line as its neighbour", statement[0].text),
      "break the line in the source, or choose another anchor");
}

/// Does `node` share its line with a statement before it, or with its block's header?
bool shares_line(const SourceTree& tree, const Node& node) {
  return !starts_line(tree.text(), node.range().begin) &&
         !has_role(tree, node.parent(), Role::kRows);
}

}  // namespace

Result<Edits> insert_behind(const SourceTree& tree, const Node& anchor,
                            const CodeLines& statement) {
  const auto text = tree.text();
  const auto range = trimmed_range(anchor, text);
  const auto tail = line_tail(tree, range.end);
  const auto line_break = line_break_of(text);
  const bool by_indentation = tree.language().blocks_by_indentation();
  if (tail.is_clean && !shares_line(tree, anchor)) {
    const auto indent = line_indent(text, range.begin);
    // A line of the preprocessor is one with its line break: it goes in as a whole line.
    const bool owns_break = tree.language().has_preprocessor() &&
                            (range.end < anchor.range().end ||
                             statement.back().text.starts_with('#'));
    if (const auto newline = text.find('\n', tail.end);
        owns_break && newline != std::string_view::npos) {
      return Edits{{{newline + 1, newline + 1},
                    fmt::format("{}{}{}", statement[0].text.empty() ? "" : indent,
                                join_lines(statement, indent, line_break), line_break)}};
    }
    return Edits{{{tail.end, tail.end},
                  fmt::format("{}{}{}", line_break, statement[0].text.empty() ? "" : indent,
                              join_lines(statement, indent, line_break))}};
  }
  if (!is_simple(statement) || (!by_indentation && statement[0].text.starts_with('#')))
    return no_line(statement);
  if (!by_indentation) return Edits{{{range.end, range.end}, " " + statement[0].text}};
  const bool semicolon = !tail.is_clean && text[tail.code] == ';';
  if (!tail.is_clean && !semicolon) return no_line(statement);
  return Edits{{{range.end, range.end}, "; " + statement[0].text}};
}

Result<Edits> insert_in_front(const SourceTree& tree, const Node& anchor,
                              const CodeLines& statement) {
  const auto text = tree.text();
  const auto begin = anchor.range().begin;
  const auto line_break = line_break_of(text);
  if (!shares_line(tree, anchor)) {
    const auto indent = line_indent(text, begin);
    if (const auto first = line_begin(text, begin);
        statement[0].text.empty() && starts_line(text, begin)) {
      return Edits{
          {{first, first}, join_lines(statement, indent, line_break) + std::string(line_break)}};
    }
    return Edits{
        {{begin, begin},
         fmt::format("{}{}{}", join_lines(statement, indent, line_break), line_break, indent)}};
  }
  if (!is_simple(statement)) return no_line(statement);
  const auto* join = tree.language().blocks_by_indentation() ? "; " : " ";
  return Edits{{{begin, begin}, statement[0].text + join}};
}

Result<Edits> insert_into_empty(const SourceTree& tree, const Node& block,
                                const CodeLines& statement) {
  const auto text = tree.text();
  const auto line_break = line_break_of(text);
  const auto children = block.children();
  const bool braces = children.size() >= 2 && children.front().text(text) == "{" &&
                      children.back().text(text) == "}";
  if (!braces) {
    // A file without statements: behind its comments.
    if (block.parent()) return failure("no-room", "the block has no statement and no braces");
    const auto end = text.find_last_not_of(" \t\r\n") == std::string_view::npos ? 0 : text.size();
    const bool broken = end == 0 || text[end - 1] == '\n';
    return Edits{{{end, end},
                  fmt::format("{}{}{}", broken ? "" : line_break,
                              join_lines(statement, "", line_break), broken ? line_break : "")}};
  }
  const auto outer = std::string(indent_at(text, block.range().begin));
  const auto indent = outer + indent_unit(text);
  const auto close = children.back().range().begin;
  const auto open = children.front().range().end;
  const auto inner = text.substr(open, close - open);
  const auto last = inner.find_last_not_of(" \t\r\n");
  const auto place = last == std::string_view::npos ? open : open + last + 1;
  return Edits{{{place, close},
                fmt::format("{}{}{}{}{}", line_break, indent,
                            join_lines(statement, indent, line_break), line_break, outer)}};
}

Result<Edits> remove_statement(const SourceTree& tree, const Node& statement) {
  const auto text = tree.text();
  const auto range = trimmed_range(statement, text);
  const auto parent = statement.parent();
  const bool clause = has_role(tree, statement, Role::kStatement);
  if (!clause && (!parent || !has_role(tree, parent, Role::kBlock))) {
    return failure("no-room",
                   fmt::format("the {} is the only part of what is around it", statement.kind()),
                   "capture a statement of a block");
  }
  const auto siblings = parent.named_children();
  const auto statements = std::ranges::count_if(siblings, [&](const Node& node) {
    return !node.is_extra() && !has_role(tree, node, Role::kHeader);
  });
  const auto& filler = tree.language().empty_statement();
  if (!clause && statements == 1 && parent.parent() && !filler.empty())
    return Edits{{range, filler}};
  auto tail = line_tail(tree, range.end);
  auto code_end = range.end;
  if (!tail.is_clean && text[tail.code] == ';') {
    // One that only ends the line goes along.
    const auto behind = line_tail(tree, tail.code + 1);
    if (behind.is_clean) code_end = tail.code + 1, tail = behind;
  }
  if (starts_line(text, range.begin) && tail.is_clean) {
    if (!tail.comments.empty()) return Edits{{{range.begin, tail.comments.begin}, ""}};
    const auto newline = text.find('\n', tail.end);
    auto begin = line_begin(text, range.begin);
    auto end = newline == std::string_view::npos ? text.size() : newline + 1;
    // The last line of a file that ends without a line break takes the one in front of it along.
    if (newline == std::string_view::npos && begin > 0) begin = line_end(text, begin - 1);
    return Edits{{{begin, end}, ""}};
  }
  // Others stand on its line: take the semicolon behind it along, or the one in front of it.
  if (!tail.is_clean && text[tail.code] == ';') {
    auto end = text.find_first_not_of(" \t", tail.code + 1);
    if (end == std::string_view::npos) end = text.size();
    return Edits{{{range.begin, end}, ""}};
  }
  auto begin = before_blanks(text, range.begin);
  if (begin > 0 && text[begin - 1] == ';' && tree.language().blocks_by_indentation()) --begin;
  return Edits{{{begin, code_end}, ""}};
}

}  // namespace portpatch
