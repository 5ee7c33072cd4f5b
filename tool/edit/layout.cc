#include "edit/layout.h"

#include <algorithm>

#include <fmt/format.h>

#include "edit/line_tail.h"

namespace portpatch {

namespace {

/// Lines longer than this are broken, unless the container already has longer ones.
constexpr std::size_t kLineWidth = 88;

bool has_newline(std::string_view text, std::size_t begin, std::size_t end) {
  return begin < end && text.substr(begin, end - begin).contains('\n');
}

std::size_t behind_item(const Item& item) {
  return item.comma ? *item.comma + 1 : item.range().end;
}

/// Items share lines: a table filled several to a line, not one below the other.
bool is_packed(std::string_view text, const Container& container) {
  const auto& items = container.items;
  bool shares = false, breaks = false;
  for (std::size_t i = 1; i < items.size(); ++i) {
    const bool newline = has_newline(text, items[i - 1].range().end, items[i].range().begin);
    (newline ? breaks : shares) = true;
  }
  return shares && breaks;
}

/// The lines of a new item that stands on lines of its own, each led by a line break.
std::string own_lines(std::string_view line_break, std::string_view indent, const ItemText& item,
                      std::string_view comma) {
  std::string out;
  for (const auto& comment : item.leading_comments)
    out += fmt::format("{}{}{}", line_break, indent, comment);
  out += fmt::format("{}{}{}{}", line_break, indent, item.code, comma);
  if (!item.trailing_comment.empty()) out += "  " + item.trailing_comment;
  return out;
}

bool has_comments(const ItemText& item) {
  return !item.leading_comments.empty() || !item.trailing_comment.empty();
}

/// The blanks behind the first comma that is followed by something on its line: ", " or ",".
std::string gap_of(std::string_view text, const Container& container) {
  for (const auto& item : container.items) {
    if (!item.comma) continue;
    const auto end = text.find_first_not_of(" \t", *item.comma + 1);
    if (end != std::string_view::npos && text[end] != '\n' && text[end] != '\r' &&
        end < container.inside.end) {
      return std::string(text.substr(*item.comma + 1, end - *item.comma - 1));
    }
  }
  return " ";
}

class Inserter {
 public:
  Inserter(const SourceTree& tree, const Container& container, std::size_t index,
           const ItemText& item)
      : tree_(tree),
        text_(tree.text()),
        container_(container),
        index_(index),
        item_(item),
        line_break_(line_break_of(tree.text())) {}

  Result<std::vector<TextEdit>> insert() {
    if (container_.items.empty()) return into_empty();
    const bool vertical = is_vertical(tree_, container_, index_) || has_comments(item_) ||
                          must_break();
    const auto indent = indent_for(tree_, container_, index_);
    if (index_ == 0) return vertical ? first_line(indent) : first_inline();
    return vertical ? behind_line(indent) : behind_inline();
  }

 private:
  using Edits = std::vector<TextEdit>;

  static TextEdit at(std::size_t place, std::string text) {
    return {{place, place}, std::move(text)};
  }

  const Item& anchor() const { return container_.items[index_ - 1]; }
  bool is_last() const { return index_ == container_.items.size(); }

  /// Whether the line would get too long in a container that already has several lines.
  bool must_break() const {
    if (!is_last() || !container_.has_brackets ||
        !has_newline(text_, container_.inside.begin, container_.inside.end))
      return false;
    std::size_t longest = kLineWidth;
    for (const auto line : split_lines(container_.node.text(text_)))
      longest = std::max(longest, display_width(line));
    const auto line = line_at(text_, anchor().range().end);
    return display_width(line) + display_width(item_.code) + 2 > longest;
  }

  Result<Edits> into_empty() {
    const auto comma = has_role(tree_, container_.node, Role::kTuple) ? "," : "";
    const auto blank = container_.inside.of(text_);
    if (!container_.has_brackets)
      return failure("no-room", "the container has neither items nor brackets");
    const bool is_bracket = std::string_view("([{<").contains(text_[container_.inside.begin - 1]);
    if (trim(blank).empty() && !has_comments(item_) && !is_bracket)
      return Edits{at(container_.inside.begin, " " + item_.code)};
    if (trim(blank).empty() && !has_comments(item_))
      return Edits{{container_.inside, item_.code + comma}};
    // Comments or line breaks stand inside: the item gets the last line of its own.
    const auto close = container_.inside.end;
    const auto indent = indent_for(tree_, container_, 0);
    const auto last = container_.inside.begin +
                      std::string_view(blank).find_last_not_of(" \t\r\n") + 1;
    const auto place = trim(blank).empty() ? container_.inside.begin : last;
    auto lines = own_lines(line_break_, indent, item_,
                           uses_trailing_commas(text_) ? this->comma() : comma);
    if (!has_newline(text_, place, close))
      lines += fmt::format("{}{}", line_break_, indent_at(text_, container_.node.range().begin));
    return Edits{at(place, std::move(lines))};
  }

  /// What stands behind an item that is not the last: `,` or nothing.
  std::string comma() const { return std::string(container_.separator); }

  Edits first_inline() {
    return {
        at(container_.items[0].range().begin, item_.code + comma() + gap_of(text_, container_))};
  }

  Edits first_line(std::string_view indent) {
    const auto tail = line_tail(tree_, container_.inside.begin);
    const auto place = tail.is_clean ? tail.end : container_.inside.begin;
    auto lines = own_lines(line_break_, indent, item_, comma());
    if (!tail.is_clean) lines += fmt::format("{}{}", line_break_, indent);
    return {at(place, std::move(lines))};
  }

  Edits behind_inline() {
    const auto gap = gap_of(text_, container_);
    if (!anchor().comma) return {at(anchor().range().end, comma() + gap + item_.code)};
    const bool one_tuple = is_last() && index_ == 1 &&
                           has_role(tree_, container_.node, Role::kTuple);
    return {at(*anchor().comma + 1, gap + item_.code + (one_tuple ? "" : ","))};
  }

  Edits behind_line(std::string_view indent) {
    const auto behind = behind_item(anchor());
    auto tail = line_tail(tree_, behind);
    // A comment that begins on this line may end on the line of the next item.
    if (!is_last() && tail.end > container_.items[index_].range().begin)
      tail = {.is_clean = false, .end = behind};
    const bool comma_after = anchor().comma.has_value() || has_comments(item_);
    auto lines = own_lines(line_break_, indent, item_, comma_after ? comma() : "");
    if (tail.is_clean) {
      if (anchor().comma || comma().empty()) return {at(tail.end, std::move(lines))};
      return merge(at(anchor().range().end, comma()), at(tail.end, std::move(lines)));
    }
    // The bracket or the next item follows on the same line.
    if (has_comments(item_))
      lines += fmt::format("{}{}", line_break_,
                           is_last() ? std::string(indent_at(text_, container_.node.range().begin))
                                     : std::string(indent));
    return {at(behind, (anchor().comma ? "" : comma()) + lines)};
  }

  static Edits merge(TextEdit first, TextEdit second) {
    if (first.range == second.range) return {{first.range, first.text + second.text}};
    return {std::move(first), std::move(second)};
  }

  const SourceTree& tree_;
  std::string_view text_;
  const Container& container_;
  std::size_t index_;
  const ItemText& item_;
  std::string_view line_break_;
};

}  // namespace

bool uses_trailing_commas(std::string_view text) {
  for (auto at = text.find(','); at != std::string_view::npos; at = text.find(',', at + 1)) {
    const auto next = text.find_first_not_of(" \t\r\n", at + 1);
    if (next != std::string_view::npos && std::string_view(")]}").contains(text[next]) &&
        has_newline(text, at, next))
      return true;
  }
  return false;
}

std::string indent_unit(std::string_view text) {
  std::size_t counts[9] = {};
  std::size_t tabs = 0, previous = 0;
  for (const auto line : split_lines(text)) {
    if (trim(line).empty()) continue;
    if (line[0] == '\t') ++tabs;
    const auto blanks = std::min(line.find_first_not_of(' '), line.size());
    if (blanks > previous && blanks - previous <= 8) ++counts[blanks - previous];
    previous = blanks;
  }
  std::size_t best = 4;
  for (const std::size_t step : {2u, 3u, 4u, 8u}) {
    if (counts[step] > counts[best]) best = step;
  }
  return tabs > counts[best] ? "\t" : std::string(best, ' ');
}

bool is_vertical(const SourceTree& tree, const Container& container, std::size_t index) {
  const auto text = tree.text();
  const auto& items = container.items;
  if (container.form == Container::Form::kRows) return true;
  if (items.empty()) return has_newline(text, container.inside.begin, container.inside.end);
  if (is_packed(text, container)) return false;
  const auto next = index < items.size() ? items[index].range().begin : container.inside.end;
  if (index == 0) return starts_line(text, next) && has_newline(text, container.inside.begin, next);
  const auto& anchor = items[index - 1];
  const bool own_line = starts_line(text, anchor.range().begin) &&
                        (index > 1 ||
                         has_newline(text, container.inside.begin, anchor.range().begin));
  const bool next_own_line = index < items.size() && starts_line(text, next);
  if (own_line && items.size() > 1 && index == items.size()) return true;
  return has_newline(text, anchor.range().end, next) && (own_line || next_own_line);
}

std::string indent_for(const SourceTree& tree, const Container& container, std::size_t index) {
  const auto text = tree.text();
  const auto& items = container.items;
  for (const auto i : {index == 0 ? 0 : index - 1, index}) {
    if (i < items.size() && starts_line(text, items[i].range().begin))
      return std::string(indent_at(text, items[i].range().begin));
  }
  for (const auto& item : items) {
    if (starts_line(text, item.range().begin))
      return std::string(indent_at(text, item.range().begin));
  }
  // No item begins a line: a comment inside does, or one level below the line of the container.
  for (const auto& child : container.node.children()) {
    if (child.is_extra() && starts_line(text, child.range().begin))
      return std::string(indent_at(text, child.range().begin));
  }
  return std::string(indent_at(text, container.node.range().begin)) + indent_unit(text);
}

Result<std::vector<TextEdit>> insert_item(const SourceTree& tree, const Container& container,
                                          std::size_t index, const ItemText& item) {
  if (container.form != Container::Form::kRows)
    return Inserter(tree, container, index, item).insert();
  if (container.items.empty()) return failure("no-room", "the block has no row to stand beside");
  CodeLines rows;
  for (const auto& comment : item.leading_comments) rows.push_back({comment});
  for (const auto line : split_lines(item.code)) rows.push_back({std::string(line)});
  if (!item.trailing_comment.empty()) rows.back().text += "  " + item.trailing_comment;
  if (index == 0) return insert_in_front(tree, container.items[0].node, rows);
  return insert_behind(tree, container.items[index - 1].node, rows);
}

namespace {

/// From the beginning of the line of `begin` to the beginning of the line behind `end`.
ByteRange whole_lines(std::string_view text, ByteRange range) {
  const auto newline = text.find('\n', range.end);
  return {line_begin(text, range.begin),
          newline == std::string_view::npos ? text.size() : newline + 1};
}

bool has_comment(const Container& container, ByteRange range) {
  const auto children = container.node.children();
  return std::ranges::any_of(children, [&](const Node& child) {
    return child.is_extra() && range.contains(child.range());
  });
}

}  // namespace

Result<std::vector<TextEdit>> remove_item(const SourceTree& tree, const Container& container,
                                          std::size_t index) {
  const auto text = tree.text();
  const auto& items = container.items;
  const auto& item = items[index];
  if (container.form == Container::Form::kRows) return remove_statement(tree, item.node);
  const bool is_last = index + 1 == items.size();
  const auto behind = behind_item(item);
  const auto tail = line_tail(tree, behind);
  const bool ends_line = tail.is_empty();
  // The last of a list that ends on its line: the comma in front and the line break go with it.
  const bool one_stays = items.size() == 2 && has_role(tree, container.node, Role::kTuple);
  const bool no_commas = container.separator.empty();
  if (is_last && !item.comma && index > 0 && !one_stays && (items[index - 1].comma || no_commas) &&
      !tail.is_clean) {
    const auto comma = no_commas ? items[index - 1].range().end : *items[index - 1].comma;
    const auto behind_comma = comma + container.separator.size();
    const auto gap = text.substr(behind_comma, item.range().begin - behind_comma);
    if (gap.contains('\n') && trim(gap).empty())
      return std::vector<TextEdit>{{{comma, item.range().end}, ""}};
  }
  std::vector<TextEdit> edits;
  // The last item without a comma takes the comma in front of it along.
  if (is_last && !item.comma && index > 0 && items[index - 1].comma) {
    const auto comma = *items[index - 1].comma;
    const auto end = line_tail(tree, comma + 1);
    const bool own_line = starts_line(text, comma) && end.is_empty();
    const auto begin = end.is_empty() ? before_blanks(text, comma) : comma;
    if (!one_stays)
      edits.push_back(
          {own_line ? whole_lines(text, {comma, end.end}) : ByteRange{begin, comma + 1}, ""});
  }
  const bool own_line = starts_line(text, item.range().begin) && tail.is_clean &&
                        has_newline(text, container.inside.begin, item.range().begin);
  const bool one_tuple = items.size() == 2 && index == 0 &&
                         has_role(tree, container.node, Role::kTuple) && !items[1].comma;
  if (own_line && ends_line) {
    edits.push_back({whole_lines(text, {item.range().begin, tail.end}), ""});
  } else if (own_line) {
    edits.push_back({{item.range().begin, tail.comments.begin}, ""});
  } else if (item.comma &&
             has_comment(container,
                         {item.range().end,
                          is_last || ends_line ? behind : items[index + 1].range().begin})) {
    // A comment between the item and its neighbour stays: only the item and its comma go.
    edits.push_back({item.range(), ""});
    edits.push_back({{*item.comma, *item.comma + 1}, ""});
  } else if (!is_last && !has_newline(text, behind, items[index + 1].range().begin)) {
    edits.push_back({{item.range().begin, items[index + 1].range().begin}, ""});
  } else {
    auto begin = item.range().begin;
    const bool takes_blanks = index > 0 || container.separator.empty() || ends_line;
    if (takes_blanks) begin = std::max(container.inside.begin, before_blanks(text, begin));
    edits.push_back({{begin, ends_line ? tail.end : behind}, ""});
  }
  if (edits.size() == 2 && edits[0].range.end >= edits[1].range.begin) {
    edits = {{{edits[0].range.begin, edits[1].range.end}, ""}};
  }
  if (one_tuple) edits.push_back({{items[1].range().end, items[1].range().end}, ","});
  return edits;
}

}  // namespace portpatch
