#include "edit/line_tail.h"

#include "syntax/roles.h"

namespace portpatch {

namespace {

/// The comment that begins at `at`, or a null node.
Node comment_at(const SourceTree& tree, std::size_t at) {
  for (Node node = tree.root().smallest_around({at, at + 1}); node; node = node.parent()) {
    if (node.is_extra() && node.is_named() && node.range().begin == at) return node;
    if (node.range().begin < at) break;
  }
  return {};
}

}  // namespace

LineTail line_tail(const SourceTree& tree, std::size_t from) {
  const auto text = tree.text();
  LineTail tail{.is_clean = false, .end = from, .code = from, .comments = {from, from}};
  bool any_comment = false;
  for (std::size_t at = from;;) {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
    if (at == text.size() || text[at] == '\n' || text.substr(at).starts_with("\r\n")) {
      tail.is_clean = true;
      tail.end = at;
      return tail;
    }
    const auto comment = comment_at(tree, at);
    if (!comment) {
      tail.code = at;
      tail.comments = {from, from};
      return tail;
    }
    if (!any_comment) tail.comments.begin = at;
    any_comment = true;
    at = comment.range().end;
    // A grammar that takes the carriage return for part of the comment is not followed in that.
    if (text.substr(at - 1).starts_with("\r\n")) --at;
    tail.comments.end = at;
  }
}

bool begins_inside_token(const SourceTree& tree, std::size_t at) {
  if (at == 0) return false;
  for (auto node = tree.root().smallest_around({at - 1, at}); node && node.range().begin < at;
       node = node.parent()) {
    // C++'s raw string has parts, of which one may end with the line.
    const bool is_token = node.child_count() == 0 || has_role(tree, node, Role::kString) ||
                          has_role(tree, node, Role::kLabel);
    if (is_token && node.range().end > at) return true;
  }
  return false;
}

std::size_t before_blanks(std::string_view text, std::size_t at) {
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) --at;
  return at;
}

}  // namespace portpatch
