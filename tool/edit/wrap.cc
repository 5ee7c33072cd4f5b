// wrap!: the node stands inside TEXT, at its mark.
#include <algorithm>

#include <fmt/format.h>

#include "edit/layout.h"
#include "edit/line_tail.h"
#include "edit/tree_compare.h"
#include "edit/wrapper.h"
#include "locate/sites.h"
#include "syntax/language.h"

namespace portpatch {

namespace {

/// What is wrapped: one expression, or neighbours in a block.
std::expected<std::vector<Node>, Step> wrapped_nodes(const EditContext& context,
                                                     const Wrapper& wrapper) {
  auto nodes = context.nodes_of(context.directive.capture);
  std::erase_if(nodes, [](const Node& node) { return node.is_extra(); });
  if (nodes.empty())
    return std::unexpected(Step::blocked("no-room", "only a comment is captured", "capture code",
                                         context.node.range()));
  std::ranges::sort(nodes, {}, &Node::range);
  nodes.erase(std::ranges::unique(nodes).begin(), nodes.end());
  const auto blocked = [&](std::string_view why, std::string_view remedy) {
    return std::unexpected(
        Step::blocked("no-room", std::string(why), std::string(remedy), context.node.range()));
  };
  if (wrapper.is_statement && !wrapper.is_definition) {
    for (auto& node : nodes) {
      const auto statement = enclosing_statement(context.tree, node);
      if (statement.range() != node.range() || !statement.parent())
        return blocked("TEXT wraps statements, and what is captured is none",
                       "capture the whole statement");
      node = statement;
    }
  }
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    bool are_neighbours = wrapper.is_statement && nodes[i].parent() == nodes[0].parent();
    for (const auto& child : nodes[0].parent().children()) {
      const auto range = child.range();
      const bool between = nodes[i - 1].range().end <= range.begin &&
                           range.end <= nodes[i].range().begin;
      are_neighbours &= !between || child.is_extra() || range.empty();
    }
    if (!are_neighbours)
      return blocked("the captured nodes are no statements one behind the other",
                     "capture neighbours, or one node");
  }
  return nodes;
}

std::vector<std::string> forms_of(const SourceTree& tree, const std::vector<Node>& nodes) {
  std::vector<std::string> forms;
  for (const auto& node : nodes) forms.push_back(exact_form(tree, node));
  return forms;
}

/// The lines of TEXT in front of the mark's, what stands beside the mark on its line, and the lines
/// behind.
struct SplitLines {
  CodeLines front, behind;
  std::string indent, prefix, suffix;
};

SplitLines split_at_mark(CodeLines lines, const std::string& mark) {
  SplitLines parts;
  const auto marked = std::ranges::find_if(
      lines, [&](const CodeLine& line) { return line.text.contains(mark); });
  parts.front.assign(lines.begin(), marked);
  parts.behind.assign(marked + 1, lines.end());
  const auto at = marked->text.find(mark);
  const auto blanks = marked->text.find_first_not_of(" \t");
  parts.indent = marked->text.substr(0, blanks);
  parts.prefix = marked->text.substr(blanks, at - blanks);
  parts.suffix = marked->text.substr(at + mark.size());
  return parts;
}

/// Lines of statements in the place of one, each with its line break behind it or in front of it.
class StatementWrap {
 public:
  StatementWrap(const EditContext& context, const std::vector<Node>& nodes, SplitLines parts)
      : context_(context),
        text_(context.text()),
        parts_(std::move(parts)),
        break_(line_break_of(text_)),
        range_{nodes.front().range().begin, last_line_end(nodes.back())},
        indent_(indent_at(text_, range_.begin)) {}

  [[nodiscard]] ByteRange range() const { return range_; }

  Result<std::vector<TextEdit>> edits(const std::vector<Node>& nodes) const {
    const auto end = nodes.back().range().end;
    const bool is_bare = parts_.prefix.empty() && parts_.suffix.empty();
    if (!is_bare && parts_.front.empty() && parts_.behind.empty() &&
        !ByteRange{range_.begin, end}.of(text_).contains('\n')) {
      return std::vector<TextEdit>{{{range_.begin, range_.begin}, parts_.prefix},
                                   {{end, end}, parts_.suffix}};
    }
    if (!starts_line(text_, range_.begin) || !line_tail(context_.tree, end).is_clean) {
      return failure("no-room", "the statement shares its line with others",
                     "break the line in the source, or wrap all of them");
    }
    auto parts = parts_;
    if (!is_bare) {  // `if (x) { ${s} }` around several lines: they get lines of their own
      if (!parts.prefix.empty())
        parts.front.push_back({parts.indent + std::string(trim(parts.prefix))});
      if (!parts.suffix.empty())
        parts.behind.insert(parts.behind.begin(), {parts.indent + std::string(trim(parts.suffix))});
      parts.indent += indent_unit(text_);
    }
    std::vector<TextEdit> edits;
    const auto first = line_begin(text_, range_.begin);
    if (!parts.front.empty()) edits.push_back({{first, first}, lines(parts.front, "", break_)});
    if (!parts.indent.empty()) indent_lines(parts.indent, edits);
    if (!parts.behind.empty())
      edits.push_back({{range_.end, range_.end}, lines(parts.behind, break_, "")});
    return merged(std::move(edits));
  }

 private:
  /// The end of the last line: behind its comments, and behind the comments below it that stand
  /// deeper.
  [[nodiscard]] std::size_t last_line_end(const Node& last) const {
    auto end = last.range().end;
    while (end > 0 && std::string_view(" \t\r\n").contains(text_[end - 1])) --end;
    const auto tail = line_tail(context_.tree, end);
    if (!tail.is_clean) return end;
    if (!tail.comments.empty()) end = tail.comments.end;
    if (!context_.language().blocks_by_indentation()) return end;
    const auto own = indent_at(text_, last.range().begin).size();
    for (auto at = line_end(text_, end); at < text_.size();) {
      at = text_.find('\n', at);
      if (at == std::string_view::npos) break;
      const auto line = line_at(text_, ++at);
      if (trim(line).empty()) {
        if (at >= text_.size()) break;
        at = line_end(text_, at);
        continue;
      }
      const auto code = at + indent_at(text_, at).size();
      const auto comment = line_tail(context_.tree, code);
      if (indent_at(text_, at).size() <= own || !comment.is_clean || comment.comments.empty())
        break;
      end = comment.comments.end;
      at = line_end(text_, end);
    }
    return end;
  }

  /// A line of the preprocessor stands at the margin.
  [[nodiscard]] std::string line_text(const CodeLine& line) const {
    if (line.verbatim || line.text.empty()) return line.text;
    if (context_.language().has_preprocessor() && trim(line.text).starts_with('#'))
      return std::string(trim(line.text));
    return indent_ + line.text;
  }

  [[nodiscard]] std::string lines(const CodeLines& lines, std::string_view before,
                                  std::string_view behind) const {
    std::string out;
    for (const auto& line : lines) out += fmt::format("{}{}{}", before, line_text(line), behind);
    return out;
  }

  void indent_lines(const std::string& indent, std::vector<TextEdit>& edits) const {
    for (auto at = line_begin(text_, range_.begin); at < range_.end;) {
      const auto line = line_at(text_, at);
      const bool is_directive = context_.language().has_preprocessor() && line.starts_with('#');
      const bool is_inside = at > range_.begin && begins_inside_token(context_.tree, at);
      const auto place = line.starts_with(indent_) ? at + indent_.size() : at;
      if (!trim(line).empty() && !is_directive && !is_inside)
        edits.push_back({{place, place}, indent});
      const auto next = text_.find('\n', at);
      if (next == std::string_view::npos) break;
      at = next + 1;
    }
  }

  /// Sorted; edits at one place are one edit.
  static std::vector<TextEdit> merged(std::vector<TextEdit> edits) {
    std::vector<TextEdit> out;
    for (auto& edit : edits) {
      if (!out.empty() && out.back().range == edit.range)
        out.back().text += edit.text;
      else
        out.push_back(std::move(edit));
    }
    return out;
  }

  const EditContext& context_;
  const std::string_view text_;
  const SplitLines parts_;
  const std::string_view break_;
  const ByteRange range_;
  const std::string indent_;
};

Step wrap_statements(const EditContext& context, const std::vector<Node>& nodes,
                     const Wrapper& wrapper) {
  Step step;
  for (const bool parentheses : {false, true}) {
    auto lines = wrapper_lines(context, wrapper, parentheses, indent_unit(context.text()));
    if (!lines) return Step::blocked(lines.error(), context.node.range());
    const StatementWrap wrap(context, nodes, split_at_mark(std::move(*lines), wrapper.mark));
    auto edits = wrap.edits(nodes);
    if (!edits) return Step::blocked(edits.error(), context.node.range());
    const auto becomes = wrapped_form(wrapper, forms_of(context.tree, nodes));
    const ByteRange range{std::min(edits->front().range.begin, wrap.range().begin),
                          std::max(edits->back().range.end, wrap.range().end)};
    const auto difference = difference_of_edits(context.tree, *edits,
                                                {.parent = range, .becomes = becomes});
    if (!difference) return Step::rewrite(std::move(*edits), range, becomes);
    step = Step::blocked("no-room",
                         fmt::format("the statements do not fit into TEXT there: {}", *difference),
                         "edit this place by hand", context.node.range());
  }
  return step;
}

Step wrap_expression(const EditContext& context, const Node& node, const Wrapper& wrapper) {
  const auto range = node.range();
  const auto becomes = wrapped_form(wrapper, forms_of(context.tree, {node}));
  const bool inner_needed = wrapper.is_tight && has_role(context.tree, node, Role::kLoose);
  const bool outer_needed = wrapper.is_loose && has_role(context.tree, node.parent(), Role::kUnary);
  std::string why = "it has no spelling there";
  for (int spelling = 0; spelling < 8; ++spelling) {
    const bool inner = (spelling & 1) != 0, outer = (spelling & 2) != 0,
               captures = (spelling & 4) != 0;
    if ((inner_needed && !inner) || (outer_needed && !outer)) continue;
    const auto lines = wrapper_lines(context, wrapper, captures, indent_unit(context.text()));
    if (!lines) return Step::blocked(lines.error(), range);
    const auto printed = join_lines(*lines, indent_at(context.text(), range.begin),
                                    line_break_of(context.text()));
    const auto at = printed.find(wrapper.mark);
    std::vector<TextEdit> edits{
        {{range.begin, range.begin},
         (outer ? "(" : "") + printed.substr(0, at) + (inner ? "(" : "")},
        {{range.end, range.end},
         (inner ? ")" : "") + printed.substr(at + wrapper.mark.size()) + (outer ? ")" : "")}};
    std::erase_if(edits, [](const TextEdit& edit) { return edit.text.empty(); });
    auto difference = difference_of_edits(context.tree, edits,
                                          {.parent = range, .becomes = becomes});
    if (!difference) return Step::rewrite(std::move(edits), range, becomes);
    why = std::move(*difference);
  }
  return Step::blocked("no-room", fmt::format("it cannot stand inside TEXT there: {}", why),
                       "capture an expression, or statements where TEXT wraps statements", range);
}

/// Edits that leave of `around` only `nodes`, moved to the indentation of the whole.
std::vector<TextEdit> unwrapping(const EditContext& context, ByteRange around, ByteRange inner) {
  const auto text = context.text();
  while (std::string_view(" \t\r\n").contains(text[around.end - 1])) --around.end;
  std::vector<TextEdit> edits{{{around.begin, inner.begin}, ""}};
  const bool is_conditional = context.language().has_preprocessor() && text[around.begin] == '#';
  if (is_conditional)
    edits = {{{line_begin(text, around.begin), line_begin(text, inner.begin)}, ""}};
  const auto outer_indent = indent_at(text, around.begin),
             inner_indent = indent_at(text, inner.begin);
  if (!is_conditional && starts_line(text, inner.begin) &&
      inner_indent.size() > outer_indent.size()) {
    const auto levels = inner_indent.size() - outer_indent.size();
    for (auto at = text.find('\n', inner.begin); at < inner.end && at != std::string_view::npos;
         at = text.find('\n', at)) {
      ++at;
      const auto blanks = indent_at(text, at).size();
      if (!begins_inside_token(context.tree, at) && !trim(line_at(text, at)).empty())
        edits.push_back({{at, at + std::min(levels, blanks)}, ""});
    }
  }
  edits.push_back({{inner.end, around.end}, ""});
  std::erase_if(edits, [](const TextEdit& edit) { return edit.range.empty(); });
  return edits;
}

bool has_comments(const Fragment& fragment) {
  bool found = false;
  walk(fragment.tree().root(), [&](const Node& node) {
    found |= node.is_extra() && node.child_count() == 0;
    return !found;
  });
  return found;
}

}  // namespace

namespace {

/// What is wrapped, and what it stands in already.
struct Found {
  std::vector<Node> nodes, around;
};

std::expected<Found, Step> find_wrapped(const EditContext& context, const Wrapper& wrapper) {
  auto nodes = wrapped_nodes(context, wrapper);
  if (!nodes) return std::unexpected(nodes.error());
  Found found{std::move(*nodes), {}};
  found.around = wrapped_around(context.tree, found.nodes, wrapper);
  if (!found.around.empty() || found.nodes.size() > 1) return found;
  // A pattern that goes by the place captures the wrapper itself, once it is there.
  if (const auto inside = wrapped_inside(context.tree, found.nodes[0], wrapper))
    found = {{inside}, {found.nodes[0]}};
  return found;
}

/// From the first of TEXT's own comments above it.
std::size_t begin_with_comments(const EditContext& context, const Wrapper& wrapper,
                                std::size_t begin) {
  const auto text = context.text();
  const auto& comments = wrapper.fragment.comments();
  for (auto comment = comments.rbegin(); comment != comments.rend(); ++comment) {
    if (comment->range().begin > wrapper.fragment.nodes()[0].range().begin ||
        !starts_line(text, begin) || line_begin(text, begin) == 0)
      continue;
    const auto above = line_begin(text, begin) - 1;
    const auto place = line_begin(text, above) + indent_at(text, above).size();
    if (trim(line_at(text, above)) != trim(comment->text(wrapper.fragment.tree().text()))) break;
    begin = place;
  }
  return begin;
}

/// Would the directive make the text that is there of the text without TEXT?
bool would_make(const EditContext& context, std::vector<TextEdit> edits, ByteRange inner) {
  std::ranges::sort(edits);
  const auto before = SourceTree::parse(context.language(), apply_edits(context.text(), edits));
  if (!before) return false;
  const auto begin = OffsetMap(edits).least(inner.begin);
  const auto node = before->root().smallest_around({begin, begin + inner.size()});
  if (node.range() != ByteRange{begin, begin + inner.size()}) return false;
  const EditContext there{*before,
                          context.rule,
                          context.directive,
                          node,
                          [&](std::string_view) { return std::vector{node}; },
                          context.is_stable,
                          true,
                          context.file};
  auto step = plan_wrap(there);
  std::ranges::sort(step.edits);
  return step.kind == Step::Kind::kEdit &&
         apply_edits(before->text(), step.edits) == context.text();
}

}  // namespace

Step plan_wrap(const EditContext& context) {
  const auto wrapper = read_wrapper(context);
  if (!wrapper) return wrapper.error();
  const auto found = find_wrapped(context, *wrapper);
  if (!found) return found.error();
  if (!found->around.empty())
    return Step::holds({found->around.front().range().begin, found->around.back().range().end});
  if (wrapper->is_definition &&
      enclosing_statement(context.tree, found->nodes[0]).range() != found->nodes[0].range()) {
    return Step::blocked("no-room", "something else stands around the definition already",
                         "capture the whole of it, or what stands around it", context.node.range());
  }
  return wrapper->is_statement ? wrap_statements(context, found->nodes, *wrapper)
                               : wrap_expression(context, found->nodes.front(), *wrapper);
}

Step revert_wrap(const EditContext& context) {
  const auto wrapper = read_wrapper(context);
  if (!wrapper) return wrapper.error();
  const auto found = find_wrapped(context, *wrapper);
  if (!found) return found.error();
  if (found->around.empty()) return Step::holds(context.node.range());
  const auto& nodes = found->nodes;
  const bool comments = has_comments(wrapper->fragment);
  const ByteRange whole{begin_with_comments(context, *wrapper, found->around.front().range().begin),
                        found->around.back().range().end};
  const auto becomes = exact_form(context.tree, nodes);
  ByteRange code{nodes.front().range().begin, nodes.back().range().end};
  if (const auto tail = line_tail(context.tree, code.end);
      wrapper->is_statement && tail.is_clean && tail.end <= whole.end)
    code.end = std::max(code.end, tail.comments.end);
  // With the parentheses that the directive would have put around it and inside it, or as it
  // stands.
  std::vector<ByteRange> arounds{whole}, inners{code};
  if (!wrapper->is_statement) {
    const auto is_group = [&](const Node& node) {
      return has_role(context.tree, node, Role::kGroup) &&
             node.text(context.text()).starts_with('(');
    };
    for (auto group = found->around[0].parent(); is_group(group); group = group.parent())
      arounds.insert(arounds.begin(), group.range());
    inners = {inside_groups(context.tree, nodes[0]).range()};
    for (auto group = inside_groups(context.tree, nodes[0]).parent();
         is_group(group) && whole.contains(group.range()); group = group.parent())
      inners.push_back(group.range());
  }
  std::string why;
  std::optional<Step> kept;
  for (const auto& around : arounds) {
    for (const auto& inner : inners) {
      auto edits = unwrapping(context, around, inner);
      if (edits.empty()) continue;
      const ByteRange range{std::min(edits.front().range.begin, around.begin), around.end};
      auto difference = difference_of_edits(
          context.tree, edits, {.parent = range, .becomes = becomes, .drops_comments = comments});
      if (difference) {
        why = std::move(*difference);
        continue;
      }
      const bool is_ours = wrapper->captures.empty() && !wrapper->is_statement &&
                           would_make(context, edits, inner);
      if (kept && !is_ours) continue;
      kept = Step::rewrite(std::move(edits), range, becomes);
      kept->drops_comments = comments;
      if (is_ours) return *kept;
    }
  }
  if (kept) return *kept;
  return Step::blocked("no-room", fmt::format("it cannot be taken out of TEXT: {}", why),
                       "take it out by hand", context.node.range());
}

}  // namespace portpatch
