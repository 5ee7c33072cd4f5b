#include "edit/keys.h"

#include <algorithm>

#include <fmt/format.h>

#include "edit/payload.h"
#include "syntax/cc.h"

namespace portpatch {

namespace {

std::vector<std::string> texts_of(const EditContext& context, const std::vector<Node>& nodes) {
  std::vector<std::string> texts;
  for (const auto& node : nodes) texts.emplace_back(node.text(context.text()));
  return texts;
}

/// -1, 0 or 1; nothing when the two are of different kinds.
std::optional<int> compare(const Constant& a, const Constant& b) {
  if (a.value.index() != b.value.index()) return std::nullopt;
  return a.value < b.value ? -1 : b.value < a.value ? 1 : 0;
}

/// 1 for strictly ascending, -1 for strictly descending, 0 for neither (or too few to tell).
int order_of(const std::vector<std::optional<Constant>>& values) {
  int direction = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (!values[i - 1] || !values[i]) return 0;
    const auto step = compare(*values[i - 1], *values[i]);
    if (!step || *step == 0) return 0;
    if (direction != 0 && direction != -*step) return 0;
    direction = -*step;
  }
  return direction;
}

}  // namespace

Result<std::string> spell_as_siblings(const EditContext& context, const Container& container,
                                      std::string_view text, const std::vector<Node>& siblings) {
  const auto cc = parse_cc(text);
  if (!cc) {
    return requote(context.language(), "expression", std::string(text), house_quote(context.tree, container.node));
  }
  const auto texts = texts_of(context, siblings);
  const auto spelling = common_spelling(texts);
  const auto spelled = spelling ? spell(*cc, *spelling) : std::nullopt;
  if (spelled) return *spelled;
  return failure("unknown-spelling",
                 siblings.empty() ? fmt::format("there is no sibling to tell how `{}` is spelled here", text)
                                  : fmt::format("`{}` cannot be spelled as its siblings are: {}", text, join(texts, ", ")),
                 "write the key in the rule as it must stand, instead of cc:");
}

Node other_suffix(const EditContext& context, std::string_view text, const std::vector<Node>& siblings) {
  const auto cc = parse_cc(text);
  const auto spelling = cc ? common_spelling(texts_of(context, siblings)) : std::nullopt;
  if (!spelling) return {};
  Node found;
  for (const auto& sibling : siblings) {
    const auto other = read_spelling(sibling.text(context.text()), *spelling);
    if (!other || other->major != cc->major || other->minor != cc->minor) continue;
    if (other->suffix == cc->suffix) return {};
    found = sibling;
  }
  return found;
}

std::optional<std::size_t> place_of_new(const Container& container,
                                        const std::vector<std::optional<Constant>>& existing,
                                        const std::optional<Constant>& added, bool descending_too) {
  std::size_t index = container.items.size();
  int direction = existing.size() >= 2 && added ? order_of(existing) : 0;
  if (direction < 0 && !descending_too) direction = 0;
  if (direction != 0 && compare(*existing[0], *added)) {
    index = 0;
    while (index < existing.size() && *compare(*existing[index], *added) == -direction) ++index;
  }
  while (index > 0 && !container.items[index - 1].is_stable) --index;
  if (index == 0 && !container.items.empty() && !container.has_brackets && !container.items[0].is_stable) return std::nullopt;
  return index;
}

PayloadText split_comments(const Fragment& fragment) {
  PayloadText payload;
  const auto text = fragment.tree().text();
  const auto begin = fragment.nodes().front().range().begin;
  const auto end = fragment.nodes().back().range().end;
  for (const auto& comment : fragment.comments()) {
    if (comment.range().begin >= end) payload.trailing_comment = comment.text(text);
    else if (comment.range().end <= begin) payload.leading_comments.emplace_back(comment.text(text));
  }
  payload.code = text.substr(begin, end - begin);
  return payload;
}

}  // namespace portpatch
