#include "edit/merge_text.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "edit/container.h"
#include "edit/layout.h"
#include "edit/line_tail.h"
#include "syntax/language.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

using Kind = MergeChange::Kind;
using Edits = std::vector<TextEdit>;

bool always_stable(ByteRange, ByteRange) { return true; }

bool is_comment(const Node& node) { return node.is_extra() && node.child_count() == 0; }

std::vector<Node> comments_in(const SourceTree& tree, const Node& around, ByteRange range) {
  std::vector<Node> found;
  walk(around, [&](const Node& node) {
    if (is_comment(node) && range.contains(node.range()) &&
        !node.text(tree.text()).starts_with('\\'))
      found.push_back(node);
    return node.range().overlaps(range);
  });
  return found;
}

bool has_text(const SourceTree& tree, const std::vector<Node>& comments, std::string_view text) {
  return std::ranges::any_of(
      comments, [&](const Node& one) { return trim(one.text(tree.text())) == trim(text); });
}

/// A piece of ours as lines, the indentation of its first line taken off the others.
CodeLines lines_of(const SourceTree& tree, ByteRange range) {
  const auto indent = indent_at(tree.text(), range.begin);
  CodeLines lines;
  auto at = range.begin;
  for (auto line : split_lines(range.of(tree.text()))) {
    const bool verbatim = at != range.begin && begins_inside_token(tree, at);
    if (at != range.begin && !verbatim && line.starts_with(indent))
      line.remove_prefix(indent.size());
    if (trim(line).empty() && !verbatim) line = {};
    lines.push_back({std::string(line), verbatim});
    at = std::min(tree.text().find('\n', at), tree.text().size() - 1) + 1;
  }
  return lines;
}

/// An item of ours that comes, with what stands around it.
struct Piece {
  ByteRange code;  ///< from its own first comment, to the end of the comment on its last line
  ByteRange item;  ///< the nodes alone
  std::vector<std::string> leading;
  std::size_t blank_lines = 0;  ///< in front of it
};

class Writer {
 public:
  Writer(const SourceTree& base, const SourceTree& ours, const SourceTree& theirs)
      : base_(base), ours_(ours), theirs_(theirs), text_(theirs.text()) {}

  Result<MergeEdits> write(std::vector<MergeChange> changes) {
    std::ranges::sort(
        changes, [](const MergeChange& a, const MergeChange& b) { return order(a) > order(b); });
    for (const auto& change : changes) {
      if (auto wrong = check_comments(change)) return std::unexpected(std::move(*wrong));
      if (!changes_comments(change)) continue;
      auto tree = SourceTree::parse(theirs_.language(), apply_edits(text_, result_.edits));
      if (!tree) return std::unexpected(tree.error());
      auto edits = edits_of(*tree, change);
      if (!edits) return std::unexpected(edits.error());
      std::ranges::sort(*edits);
      for (auto edit = edits->rbegin(); edit != edits->rend(); ++edit) {
        if (!put_in_front(std::move(*edit)))
          return failure("no-room", "the changes stand too close together",
                         "merge this place by hand");
      }
    }
    return std::move(result_);
  }

 private:
  /// From the end of the text to its beginning, so that what is still to be changed stands where it
  /// stood.
  static std::tuple<std::size_t, int, std::ptrdiff_t> order(const MergeChange& change) {
    const auto range = change.kind == Kind::kInsert ? ByteRange{} : change.theirs.range();
    const auto size = static_cast<std::ptrdiff_t>(range.size());
    if (change.kind == Kind::kCommentBehind) return {range.end, 1, size};
    if (change.kind == Kind::kCommentsAbove) return {range.begin, -1, -size};
    if (change.kind != Kind::kInsert) return {range.begin, 1, 0};
    if (change.before)
      return {change.before.range().end, 2,
              static_cast<std::ptrdiff_t>(change.before.range().size())};
    return {change.behind.range().begin, 0,
            -static_cast<std::ptrdiff_t>(change.behind.range().size())};
  }

  bool put_in_front(TextEdit edit) {
    auto& edits = result_.edits;
    if (!edits.empty() && edit.range.end > edits.front().range.begin) return false;
    if (!edits.empty() && edit.range.end == edits.front().range.begin) {
      edits.front() = {{edit.range.begin, edits.front().range.end}, edit.text + edits.front().text};
    } else {
      edits.insert(edits.begin(), std::move(edit));
    }
    return true;
  }

  /// The comments on the lines right above a node, the first on top.
  static std::vector<ByteRange> comments_above(const SourceTree& tree, const Node& node) {
    std::vector<ByteRange> found;
    const auto text = tree.text();
    // Whole lines: a grammar may hold the comment in front of a block's first statement outside of
    // the block.
    for (auto at = node.range().begin; starts_line(text, at) && line_begin(text, at) > 0;) {
      const auto above = line_begin(text, at) - 1;
      at = line_begin(text, above) + indent_at(text, above).size();
      const auto tail = line_tail(tree, at);
      if (!tail.is_clean || tail.comments.empty() || tail.comments.begin != at) break;
      found.insert(found.begin(), tail.comments);
    }
    return found;
  }

  static std::string_view comment_behind(const SourceTree& tree, const Node& node) {
    const auto tail = line_tail(tree, node.range().end);
    return tail.is_clean ? trim(tail.comments.of(tree.text())) : std::string_view();
  }

  /// Those of `tree`'s comments above a node that stand nowhere in `other`.
  static std::vector<std::string_view> only_in(const SourceTree& tree, const Node& node,
                                               std::string_view other) {
    std::vector<std::string_view> found;
    for (const auto range : comments_above(tree, node)) {
      if (const auto comment = trim(range.of(tree.text())); !other.contains(comment))
        found.push_back(comment);
    }
    return found;
  }

  /// False for a change of comments that comes to nothing.
  bool changes_comments(const MergeChange& change) const {
    if (change.kind == Kind::kCommentBehind) {
      const auto was = comment_behind(base_, change.base),
                 is = comment_behind(ours_, change.ours[0]);
      return was != is && comment_behind(theirs_, change.theirs) == was;
    }
    if (change.kind != Kind::kCommentsAbove) return true;
    return !come_above(change).empty() || !gone_above(change).empty();
  }

  std::vector<std::string_view> come_above(const MergeChange& change) const {
    auto come = only_in(ours_, change.ours[0], base_.text());
    std::erase_if(come, [&](std::string_view comment) { return text_.contains(comment); });
    return come;
  }

  /// Comments above the node in theirs that base has above it and ours nowhere.
  std::vector<ByteRange> gone_above(const MergeChange& change) const {
    const auto gone = only_in(base_, change.base, ours_.text());
    return above_theirs(change, [&](std::string_view comment) {
      return std::ranges::find(gone, comment) != gone.end();
    });
  }

  /// The comments above the node in theirs that are meant.
  template <typename IsMeant>
  std::vector<ByteRange> above_theirs(const MergeChange& change, IsMeant&& is_meant) const {
    auto there = comments_above(theirs_, change.theirs);
    std::erase_if(there, [&](ByteRange range) { return !is_meant(trim(range.of(text_))); });
    return there;
  }

  /// Comments in what goes must be base's that ours took away, or come again with ours.
  std::optional<Diagnostic> check_comments(const MergeChange& change) {
    if (change.kind != Kind::kReplace && change.kind != Kind::kRemove) return std::nullopt;
    const auto was = comments_in(base_, change.base, change.base.range());
    std::vector<Node> come;
    for (const auto& node : change.ours) {
      const auto more = comments_in(ours_, node, node.range());
      come.insert(come.end(), more.begin(), more.end());
    }
    for (const auto& comment : comments_in(theirs_, change.theirs, change.theirs.range())) {
      const auto text = comment.text(text_);
      if (!has_text(base_, was, text) && !has_text(ours_, come, text)) {
        return Diagnostic{
            .code = "comment-lost",
            .message = fmt::format("upstream's comment `{}` stands in what ours replaces", text),
            .remedy = "merge this place by hand"};
      }
      result_.drops_comments = true;
    }
    return std::nullopt;
  }

  /// The node of the text with the later changes made that `node` of theirs is: it begins where it
  /// did.
  static Node find_again(const SourceTree& tree, const Node& node) {
    const auto range = node.range();
    if (auto same = tree.node_at(range, node.kind())) return same;
    Node found;
    for (auto one = tree.root().smallest_around({range.begin, range.begin + 1});
         one && one.range().begin == range.begin; one = one.parent()) {
      if (one.kind() == node.kind()) found = one;
    }
    return found;
  }

  /// `nodes`, neighbours in ours, with the comments in front that base does not have there.
  Piece piece_of(const std::vector<Node>& nodes) const {
    Piece piece{
        .code = {nodes.front().range().begin, nodes.back().range().end}, .item = {}, .leading = {}};
    piece.item = piece.code;
    const auto text = ours_.text();
    if (const auto tail = line_tail(ours_, piece.code.end); tail.is_clean && !tail.comments.empty())
      piece.code.end = tail.comments.end;
    const auto above = comments_above(ours_, nodes.front());
    for (auto comment = above.rbegin();
         comment != above.rend() && !base_.text().contains(trim(comment->of(text))); ++comment) {
      piece.code.begin = comment->begin;
      piece.leading.insert(piece.leading.begin(), std::string(comment->of(text)));
    }
    const auto front = text.substr(0, piece.code.begin);
    const auto code_end = front.find_last_not_of(" \t\r\n");
    const auto breaks = std::ranges::count(
        front.substr(code_end == std::string_view::npos ? 0 : code_end + 1), '\n');
    piece.blank_lines = breaks > 1 ? static_cast<std::size_t>(breaks) - 1 : 0;
    return piece;
  }

  std::string_view line_break() const { return line_break_of(text_); }

  std::string printed(ByteRange range, std::string_view indent) const {
    return join_lines(lines_of(ours_, range), indent, line_break());
  }

  /// The container and place of an item; nothing for a statement or a part.
  std::optional<std::pair<Container, std::size_t>> item_at(const SourceTree& tree,
                                                           const Node& node) const {
    if (has_role(tree, node.parent(), Role::kBlock)) return std::nullopt;
    auto found = find_item(tree, node, always_stable);
    return found ? std::optional(std::move(*found)) : std::nullopt;
  }

  Result<Edits> edits_of(const SourceTree& tree, const MergeChange& change) {
    if (change.kind == Kind::kInsert) return insert(tree, change);
    if (change.kind == Kind::kCommentBehind) return comment_edits(change);
    if (change.kind == Kind::kCommentsAbove) return comments_edits(change);
    const auto node = find_again(tree, change.theirs);
    if (!node)
      return failure("no-room", "a place is not found again behind another change",
                     "merge this place by hand");
    return change.kind == Kind::kRemove ? remove(tree, change, node) : replace(tree, change, node);
  }

  /// Whole lines of comments, as edits that take them out.
  Edits without_lines(const std::vector<ByteRange>& comments) {
    Edits edits;
    for (const auto comment : comments) {
      const auto begin = line_begin(text_, comment.begin);
      edits.push_back({{begin, text_.find('\n', comment.end) + 1}, ""});
      result_.drops_comments = true;
    }
    return edits;
  }

  Edits comments_edits(const MergeChange& change) {
    auto edits = without_lines(gone_above(change));
    const auto begin = line_begin(text_, change.theirs.range().begin);
    std::string lines;
    for (const auto comment : come_above(change))
      lines += fmt::format("{}{}{}", indent_at(text_, begin), comment, line_break());
    if (!lines.empty() && starts_line(text_, change.theirs.range().begin))
      edits.push_back({{begin, begin}, lines});
    return edits;
  }

  Edits comment_edits(const MergeChange& change) {
    const auto comment = comment_behind(ours_, change.ours[0]);
    const auto end = change.theirs.range().end;
    const auto tail = line_tail(theirs_, end);
    if (!tail.is_clean) return {};
    result_.drops_comments |= !tail.comments.empty();
    return {{{end, std::max(end, tail.comments.end)},
             comment.empty() ? "" : fmt::format("  {}", comment)}};
  }

  Result<Edits> replace(const SourceTree& tree, const MergeChange& change, const Node& node) {
    auto range = node.range();
    const bool is_statement = change.in_list && has_role(tree, node.parent(), Role::kBlock);
    auto indent = std::string(indent_at(tree.text(), range.begin));
    if (!is_statement) return Edits{{range, printed(change.ours.front().range(), indent)}};
    auto piece = piece_of(change.ours);
    const auto text = printed({piece.code.begin, piece.item.end}, indent);
    // Comments beside it that ours has inside, as under an `if` around it, come again with ours.
    const auto above = only_in(ours_, change.ours.front(), "");
    auto edits = without_lines(above_theirs(change, [&](std::string_view comment) {
      return text.contains(comment) && std::ranges::find(above, comment) == above.end();
    }));
    const auto behind = comment_behind(theirs_, change.theirs);
    if (!behind.empty() && text.contains(behind) &&
        comment_behind(ours_, change.ours.back()) != behind) {
      range.end = line_tail(tree, range.end).comments.end;
      result_.drops_comments = true;
    }
    edits.push_back({range, text});
    return edits;
  }

  Result<Edits> remove(const SourceTree& tree, const MergeChange& change, const Node& node) {
    if (const auto item = item_at(tree, node)) return remove_item(tree, item->first, item->second);
    if (change.in_list) {
      auto edits = remove_statement(tree, node);
      // The comments that ours had brought with it go with it.
      if (edits) std::ranges::copy(without_lines(gone_above(change)), std::back_inserter(*edits));
      return edits;
    }
    // A part of another node goes with the gap in front of it.
    const auto siblings = node.parent().children();
    const auto place = std::ranges::find(siblings, node);
    if (place == siblings.begin())
      return Edits{{{node.range().begin, (place + 1)->range().begin}, ""}};
    return Edits{{{(place - 1)->range().end, node.range().end}, ""}};
  }

  Result<Edits> insert(const SourceTree& tree, const MergeChange& change) const {
    const bool behind = static_cast<bool>(change.before);
    const auto anchor = find_again(tree, behind ? change.before : change.behind);
    if (!anchor)
      return failure("no-room", "a place is not found again behind another change",
                     "merge this place by hand");
    if (!change.in_list) return insert_part(tree, change, anchor, behind);
    if (const auto item = item_at(tree, anchor))
      return insert_items(tree, change, item->first, item->second + (behind ? 1 : 0));
    const auto piece = piece_of(change.ours);
    const auto lines = lines_of(ours_, piece.code);
    auto edits = behind ? insert_behind(tree, anchor, lines) : insert_in_front(tree, anchor, lines);
    if (!edits || edits->size() != 1) return edits;
    // Blank lines as ours has them.
    auto& text = edits->front().text;
    std::string blank;
    const auto count = behind ? piece.blank_lines : blank_lines_behind(change.ours.back());
    for (std::size_t i = 0; i < count; ++i) blank += line_break();
    if (behind && text.starts_with(line_break())) text.insert(0, blank);
    if (!behind && text.contains('\n')) text.insert(text.rfind('\n') + 1, blank);
    return edits;
  }

  std::size_t blank_lines_behind(const Node& node) const {
    const auto text = ours_.text();
    const auto end = line_end(text, line_tail(ours_, node.range().end).end);
    const auto next = text.find_first_not_of(" \t\r\n", end);
    if (next == std::string_view::npos) return 0;
    const auto breaks = std::ranges::count(text.substr(end, next - end), '\n');
    return breaks > 1 ? static_cast<std::size_t>(breaks) - 1 : 0;
  }

  /// A part of a node that is no list, such as an `elif`: with the gap that ours has in front of
  /// it.
  Result<Edits> insert_part(const SourceTree& tree, const MergeChange& change, const Node& anchor,
                            bool behind) const {
    const auto& first = change.ours.front();
    const auto& last = change.ours.back();
    const auto siblings = first.parent().children();
    const auto indent = std::string(indent_at(tree.text(), anchor.parent().range().begin));
    const auto own_indent = indent_at(ours_.text(), first.parent().range().begin);
    const auto begin = std::ranges::find(siblings, first);
    const auto end = std::ranges::find(siblings, last) + 1;
    if ((behind && begin == siblings.begin()) || (!behind && end == siblings.end()))
      return failure("no-room", "a part has no neighbour", "merge this place by hand");
    const ByteRange gap{behind ? (begin - 1)->range().end : first.range().begin,
                        behind ? last.range().end : end->range().begin};
    std::string text;
    std::size_t at = gap.begin;
    for (auto line : split_lines(gap.of(ours_.text()))) {
      if (at != gap.begin) {
        text += line_break();
        const bool verbatim = begins_inside_token(ours_, at);
        if (!verbatim && line.starts_with(own_indent))
          text += trim(line).empty() ? "" : indent, line.remove_prefix(own_indent.size());
      }
      text += line;
      at = std::min(ours_.text().find('\n', at), ours_.text().size() - 1) + 1;
    }
    if (!behind) return Edits{{{anchor.range().begin, anchor.range().begin}, text}};
    const auto tail = line_tail(tree, anchor.range().end);
    const auto place = tail.is_clean && !tail.comments.empty() && text.starts_with(line_break())
                           ? tail.comments.end
                           : anchor.range().end;
    return Edits{{{place, place}, text}};
  }

  Result<Edits> insert_items(const SourceTree& tree, const MergeChange& change,
                             const Container& container, std::size_t index) const {
    if (change.ours.size() > 1 && container.form != Container::Form::kBrackets)
      return failure("no-room", "several rows come at one place", "merge this place by hand");
    const auto indent = is_vertical(tree, container, index)
                            ? indent_for(tree, container, index)
                            : std::string(indent_at(tree.text(), container.inside.end));
    const auto piece = piece_of({change.ours.front()});
    // Several come as one text with the commas between them.
    ItemText item{
        printed({change.ours.front().range().begin, change.ours.back().range().end}, indent),
        {},
        {}};
    item.leading_comments = piece.leading;
    return insert_item(tree, container, index, item);
  }

  const SourceTree& base_;
  const SourceTree& ours_;
  const SourceTree& theirs_;
  const std::string_view text_;
  MergeEdits result_;
};

}  // namespace

Result<MergeEdits> merge_edits(const SourceTree& base, const SourceTree& ours,
                               const SourceTree& theirs, std::vector<MergeChange> changes) {
  return Writer(base, ours, theirs).write(std::move(changes));
}

}  // namespace portpatch
