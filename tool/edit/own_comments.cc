#include "edit/own_comments.h"

#include <algorithm>

#include "base/text.h"
#include "edit/line_tail.h"
#include "syntax/fragment.h"

namespace portpatch {

namespace {

/// A comment as it reads whatever its indentation and line ends.
std::string form_of(std::string_view comment) {
  std::string form;
  for (const auto line : split_lines(comment)) form += std::string(trim(line)) + "\n";
  return form;
}

class CommentSearch {
 public:
  CommentSearch(const SourceTree& tree, const std::vector<std::string>& comments)
      : tree_(tree), text_(tree.text()) {
    for (const auto& comment : comments) wanted_.push_back(form_of(comment));
  }

  void above(std::size_t at) {
    while (starts_line(text_, at)) {
      const auto end = text_.substr(0, line_begin(text_, at)).find_last_not_of(" \t\r\n");
      if (end == std::string_view::npos) return;
      const auto comment = tree_.root().smallest_around({end, end + 1});
      // A blank line tells the comment from the code.
      const auto gap = text_.substr(end + 1, at - end - 1);
      if (!comment.is_extra() || std::ranges::count(gap, '\n') != 1 ||
          !take({comment.range().begin, end + 1}))
        return;
      at = comment.range().begin;
    }
  }

  void between(const Node& parent, ByteRange code) {
    for (const auto& child : parent.children()) {
      if (child.is_extra() && child.child_count() == 0 && code.contains(child.range()))
        take(child.range());
    }
  }

  void behind(std::size_t at) {
    auto tail = line_tail(tree_, at);
    if (!tail.is_clean && text_[tail.code] == ',') tail = line_tail(tree_, tail.code + 1);
    if (tail.is_clean && !tail.comments.empty()) take(tail.comments);
  }

  [[nodiscard]] const std::vector<TextEdit>& edits() const { return edits_; }

 private:
  bool take(ByteRange range) {
    const auto wanted = std::ranges::find(wanted_, form_of(range.of(text_)));
    if (wanted == wanted_.end()) return false;
    wanted_.erase(wanted);
    while (text_[range.end - 1] == '\r') --range.end;
    const auto newline = text_.find('\n', range.end);
    const auto line_end = newline == std::string_view::npos ? text_.size() : newline + 1;
    if (starts_line(text_, range.begin) &&
        trim(text_.substr(range.end, line_end - range.end)).empty()) {
      range = {line_begin(text_, range.begin), line_end};
    } else {
      range.begin = before_blanks(text_, range.begin);
    }
    edits_.push_back({range, ""});
    return true;
  }

  const SourceTree& tree_;
  std::string_view text_;
  std::vector<std::string> wanted_;
  std::vector<TextEdit> edits_;
};

}  // namespace

std::optional<Step> without_own_comments(const SourceTree& tree, const Node& parent, ByteRange code,
                                         const std::vector<std::string>& comments) {
  if (comments.empty()) return std::nullopt;
  CommentSearch search(tree, comments);
  search.above(code.begin);
  search.between(parent, code);
  search.behind(code.end);
  if (search.edits().empty()) return std::nullopt;
  auto step = Step::edit(search.edits(), parent.range());
  step.drops_comments = true;
  step.unfinished = true;
  return step;
}

std::vector<std::string> comments_of(const PayloadText& payload) {
  auto comments = payload.leading_comments;
  if (!payload.trailing_comment.empty()) comments.push_back(payload.trailing_comment);
  return comments;
}

std::vector<std::string> comments_of(const Fragment& payload) {
  std::vector<std::string> comments;
  for (const auto& comment : payload.comments())
    comments.emplace_back(comment.text(payload.tree().text()));
  return comments;
}

}  // namespace portpatch
