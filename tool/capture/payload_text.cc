#include "capture/payload_text.h"

#include <algorithm>
#include <map>

#include "edit/line_tail.h"

namespace portpatch {

std::string dedented(const SourceTree& tree, ByteRange range) {
  const auto text = tree.text();
  const auto indent = indent_at(text, range.begin);
  std::string out;
  for (auto at = range.begin; at < range.end;) {
    const auto end = std::min(
        text.find('\n', at) == std::string_view::npos ? range.end : text.find('\n', at) + 1,
        range.end);
    auto line = text.substr(at, end - at);
    if (at > range.begin && line.starts_with(indent) && !begins_inside_token(tree, at))
      line.remove_prefix(indent.size());
    // A directive's text has the line ends of the file that it goes into.
    const bool has_return = line.ends_with("\r\n");
    out += has_return ? line.substr(0, line.size() - 2) : line;
    if (has_return) out += '\n';
    at = end;
  }
  return out;
}

std::vector<std::string> comments_in(const SourceTree& tree, const Node& parent) {
  std::vector<std::string> comments;
  for (const auto& child : parent.children()) {
    if (child.is_extra()) comments.emplace_back(child.text(tree.text()));
  }
  return comments;
}

ByteRange with_comments(const SourceTree& tree, const std::vector<Node>& statements,
                        const std::vector<std::string>& known) {
  ByteRange range{statements.front().range().begin, statements.back().range().end};
  const auto text = tree.text();
  while (range.end > range.begin && std::string_view(" \t\r\n").contains(text[range.end - 1]))
    --range.end;
  const auto siblings = statements.front().parent().children();
  const auto first = std::ranges::find(siblings, statements.front());
  const bool own_line = starts_line(text, range.begin);
  for (auto at = first; own_line && at != siblings.begin();) {
    const auto& comment = *--at;
    const auto between = text.substr(comment.range().end, range.begin - comment.range().end);
    const bool touches = std::ranges::count(between, '\n') <= 1 &&
                         between.find_first_not_of(" \t\r\n") == std::string_view::npos;
    if (!comment.is_extra() || !touches || !starts_line(text, comment.range().begin)) break;
    if (std::ranges::find(known, comment.text(text)) != known.end()) break;
    range.begin = comment.range().begin;
  }
  for (const auto& sibling : siblings) {
    if (!sibling.is_extra() || sibling.range().begin < range.end ||
        sibling.range().begin >= line_end(text, range.end))
      continue;
    range.end = sibling.range().end;
  }
  return range;
}

std::vector<Node> own_comments(const SourceTree& tree, const SourceTree& other) {
  const auto each_comment = [](const SourceTree& in, auto&& take) {
    walk(in.root(), [&](const Node& node) {
      if (node.is_extra() && node.is_named()) take(node, trim(node.text(in.text())));
      return !node.is_extra();
    });
  };
  std::map<std::string_view, std::size_t> known;
  each_comment(other, [&](const Node&, std::string_view text) { ++known[text]; });
  std::vector<Node> own;
  each_comment(tree, [&](const Node& node, std::string_view text) {
    auto& left = known[text];
    if (left > 0)
      --left;
    else
      own.push_back(node);
  });
  return own;
}

}  // namespace portpatch
