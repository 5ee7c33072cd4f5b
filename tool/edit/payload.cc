#include "edit/payload.h"

#include <algorithm>

#include <fmt/format.h>

#include "edit/layout.h"
#include "edit/line_tail.h"
#include "syntax/language.h"
#include "syntax/literals.h"

namespace portpatch {

namespace {

constexpr std::size_t kLineWidth = 88;

bool always_stable(ByteRange, ByteRange) { return true; }

std::size_t blanks_of(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

CodeLines raw_lines(const Fragment& fragment) {
  CodeLines lines;
  std::size_t at = fragment.body().begin;
  for (const auto line : split_lines(fragment.text())) {
    lines.push_back({std::string(line), begins_inside_token(fragment.tree(), at)});
    at = fragment.tree().text().find('\n', at) + 1;
  }
  return lines;
}

/// Takes the first line's own indentation off the others. Text that was copied from the middle of a
/// file has lost it in front of the first line: there the line that closes its bracket tells.
void dedent(CodeLines& lines, std::size_t first_indent) {
  std::size_t level = first_indent;
  const auto& first = lines.front().text;
  const auto& last = lines.back();
  const auto blanks = blanks_of(last.text);
  const auto closes = !last.verbatim && blanks < last.text.size() &&
                      std::string_view(")]}").contains(last.text[blanks]);
  if (closes && !first.empty() && std::string_view("([{").contains(first.back())) {
    const auto is_deeper = [&](const CodeLine& line) {
      return line.verbatim || trim(line.text).empty() || blanks_of(line.text) >= blanks;
    };
    if (std::all_of(lines.begin() + 1, lines.end(), is_deeper)) level = std::max(level, blanks);
  }
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (!lines[i].verbatim) lines[i].text.erase(0, std::min(level, blanks_of(lines[i].text)));
  }
}

/// The least indentation that a line has: one level, in code that begins at the margin.
std::string least_indent(const CodeLines& lines) {
  std::string_view least;
  for (const auto& line : lines) {
    const auto blanks = std::string_view(line.text).substr(0, blanks_of(line.text));
    if (line.verbatim || blanks.empty() || blanks.size() == line.text.size()) continue;
    if (least.empty() || blanks.size() < least.size()) least = blanks;
  }
  return least.starts_with('\t') ? "\t" : std::string(least);
}

/// One printing of a value; recursive over nested containers.
class ValuePrinter {
 public:
  ValuePrinter(const SourceTree& payload, const SourceTree& file)
      : payload_(payload),
        file_(file),
        unit_(indent_unit(file.text())),
        line_break_(line_break_of(file.text())) {}

  std::string print(const Node& node, const Node& model, const std::string& indent,
                    std::size_t column) const {
    const auto container = brackets_of(payload_, node);
    if (!container || container->items.empty() || holds_comments(node))
      return flat_text(node, indent);
    const auto like = model ? brackets_of(file_, model) : std::nullopt;
    const bool comparable = like && !like->items.empty() && model.kind() == node.kind();
    if (comparable && is_vertical(file_, *like, like->items.size()))
      return print_vertical(*container, &*like, indent);
    const auto one_line = print_inline(*container, comparable ? &*like : nullptr, indent);
    const bool too_long = column + display_width(one_line) > kLineWidth && !one_line.contains('\n');
    if (too_long && !comparable) return print_vertical(*container, nullptr, indent);
    return one_line;
  }

 private:
  static std::optional<Container> brackets_of(const SourceTree& tree, const Node& node) {
    for (const auto role : {Role::kMap, Role::kSequence}) {
      if (!has_role(tree, node, role)) continue;
      auto container = find_container(tree, node, role, always_stable);
      if (container && container->has_brackets && container->node == node)
        return std::move(*container);
    }
    return std::nullopt;
  }

  static bool holds_comments(const Node& node) {
    bool found = false;
    walk(node, [&](const Node& current) {
      found |= current.is_extra();
      return !found;
    });
    return found;
  }

  std::string_view text(const Node& node) const { return node.text(payload_.text()); }

  /// The node as written, its further lines moved to `indent`.
  std::string flat_text(const Node& node, const std::string& indent) const {
    CodeLines lines;
    std::size_t at = node.range().begin;
    for (const auto line : split_lines(text(node))) {
      lines.push_back({std::string(line), begins_inside_token(payload_, at)});
      at = payload_.text().find('\n', at) + 1;
    }
    dedent(lines, indent_at(payload_.text(), node.range().begin).size());
    return join_lines(lines, indent, line_break_);
  }

  std::string print_item(const Item& item, const Item* model, const std::string& indent) const {
    const auto column = display_width(indent);
    if (!item.is_entry) return print(item.node, model ? model->node : Node(), indent, column);
    const auto all = payload_.text();
    const auto part = [&](std::size_t begin, std::size_t end) {
      return std::string(all.substr(begin, end - begin));
    };
    const bool like = model && model->is_entry;
    const auto key = part(item.range().begin, item.key.range().end);
    auto between = part(item.key.range().end, item.value.range().begin);
    if (like)
      between = std::string(file_.text().substr(
          model->key.range().end, model->value.range().begin - model->key.range().end));
    return key + between +
           print(item.value, like ? model->value : Node(), indent,
                 column + display_width(key + between)) +
           part(item.value.range().end, item.range().end);
  }

  std::string bracket(const Container& container, bool open) const {
    const auto range = open ? ByteRange{container.node.range().begin, container.inside.begin}
                            : ByteRange{container.inside.end, container.node.range().end};
    return std::string(range.of(payload_.text()));
  }

  bool is_one_tuple(const Container& container) const {
    return container.items.size() == 1 && has_role(payload_, container.node, Role::kTuple);
  }

  std::string print_inline(const Container& container, const Container* like,
                           const std::string& indent) const {
    std::string out = bracket(container, true);
    for (std::size_t i = 0; i < container.items.size(); ++i) {
      const auto* model = like && !like->items.empty() ? &like->items.back() : nullptr;
      out += fmt::format("{}{}", i > 0 ? ", " : "", print_item(container.items[i], model, indent));
    }
    return out + (is_one_tuple(container) ? "," : "") + bracket(container, false);
  }

  std::string print_vertical(const Container& container, const Container* like,
                             const std::string& indent) const {
    const auto inner = indent + unit_;
    const bool trailing_comma = like ? like->items.back().comma.has_value()
                                     : uses_trailing_commas(file_.text());
    std::string out = bracket(container, true);
    for (std::size_t i = 0; i < container.items.size(); ++i) {
      const bool comma = i + 1 < container.items.size() || trailing_comma ||
                         is_one_tuple(container);
      out += fmt::format(
          "{}{}{}{}", line_break_, inner,
          print_item(container.items[i], like ? &like->items.back() : nullptr, inner),
          comma ? "," : "");
    }
    return out + fmt::format("{}{}{}", line_break_, indent, bracket(container, false));
  }

  const SourceTree& payload_;
  const SourceTree& file_;
  std::string unit_;
  std::string_view line_break_;
};

}  // namespace

std::string join_lines(const CodeLines& lines, std::string_view indent,
                       std::string_view line_break) {
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) out += line_break;
    if (i > 0 && !lines[i].verbatim && !lines[i].text.empty()) out += indent;
    out += lines[i].text;
  }
  return out;
}

CodeLines statement_lines(const Fragment& fragment, std::string_view unit) {
  auto lines = raw_lines(fragment);
  dedent(lines, fragment.first_indent());
  const auto own_unit = least_indent(lines);
  if (own_unit.empty() || own_unit == unit) return lines;
  for (auto& line : lines) {
    if (line.verbatim) continue;
    std::size_t levels = 0;
    while (std::string_view(line.text).substr(levels * own_unit.size()).starts_with(own_unit))
      ++levels;
    std::string indent;
    for (std::size_t i = 0; i < levels; ++i) indent += unit;
    line.text = indent + line.text.substr(levels * own_unit.size());
  }
  return lines;
}

char house_quote(const SourceTree& tree, const Node& container) {
  char quote = 0;
  bool mixed = false;
  std::size_t looked_at = 0;
  walk(container, [&](const Node& node) {
    if (mixed || ++looked_at > 2000) return false;
    if (!has_role(tree, node, Role::kString)) return true;
    const auto literal = parse_string(node.text(tree.text()), true);
    if (literal && literal->quote.size() == 1) {
      mixed |= quote != 0 && quote != literal->quote[0];
      quote = literal->quote[0];
    }
    return false;
  });
  return mixed ? 0 : quote;
}

std::string requote(const Language& language, std::string_view kind, std::string text, char quote) {
  if (quote == 0) return text;
  const auto fragment = Fragment::parse(language, kind, text);
  if (!fragment) return text;
  std::vector<TextEdit> edits;
  const auto& tree = fragment->tree();
  walk(tree.root(), [&](const Node& node) {
    if (!has_role(tree, node, Role::kString)) return true;
    const auto range = node.range();
    const auto written = range.of(tree.text());
    const auto literal = parse_string(written, true);
    if (!literal || literal->quote.size() != 1 || literal->quote[0] == quote ||
        !fragment->body().contains(range))
      return false;
    if (literal->content.find_first_of("\\\"'") != std::string::npos) return false;
    const auto at = range.begin - fragment->body().begin;
    const auto open = at + written.find(literal->quote);
    edits.push_back({{open, open + 1}, std::string(1, quote)});
    edits.push_back({{at + written.size() - 1, at + written.size()}, std::string(1, quote)});
    return false;
  });
  return apply_edits(fragment->text(), edits);
}

std::string print_value(const Fragment& fragment, const ValueStyle& style) {
  return ValuePrinter(fragment.tree(), style.tree)
      .print(fragment.nodes()[0], style.model, style.indent, style.column);
}

}  // namespace portpatch
