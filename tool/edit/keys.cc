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
std::optional<int> compare(const Constant& a, const Constant& b, bool naturally) {
  if (a.value.index() != b.value.index()) return std::nullopt;
  const auto* text = std::get_if<std::string>(&a.value);
  if (naturally && text != nullptr) return compare_naturally(*text, std::get<std::string>(b.value));
  return a.value < b.value ? -1 : b.value < a.value ? 1 : 0;
}

/// 1 for strictly ascending, -1 for strictly descending, 0 for neither (or too few to tell).
int order_of(const std::vector<std::optional<Constant>>& values, bool naturally) {
  int direction = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (!values[i - 1] || !values[i]) return 0;
    const auto step = compare(*values[i - 1], *values[i], naturally);
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
    return requote(context.language(), "expression", std::string(text),
                   house_quote(context.tree, container.node));
  }
  const auto texts = texts_of(context, siblings);
  const auto spelling = common_spelling(texts);
  const auto spelled = spelling ? spell(*cc, *spelling) : std::nullopt;
  if (spelled) return *spelled;
  return failure(
      "unknown-spelling",
      siblings.empty()
          ? fmt::format("there is no sibling to tell how `{}` is spelled here", text)
          : fmt::format("`{}` cannot be spelled as its siblings are: {}", text, join(texts, ", ")),
      "write the key in the rule as it must stand, instead of cc:");
}

Node other_suffix(const EditContext& context, std::string_view text,
                  const std::vector<Node>& siblings) {
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

OrderValues order_values(const EditContext& context, CodeEvaluator& evaluator,
                         const std::vector<Node>& nodes, std::string_view code,
                         const std::optional<Constant>& added) {
  std::vector<std::string> texts;
  for (const auto& node : nodes) {
    if (node) texts.emplace_back(node.text(context.text()));
  }
  const auto spelling = texts.size() == nodes.size() ? common_spelling(texts) : std::nullopt;
  const auto value_of = [&](std::string_view text) -> std::optional<Constant> {
    const auto cc = read_spelling(text, *spelling);
    return cc ? std::optional(Constant{std::int64_t{cc->major} * 100 + cc->minor}) : std::nullopt;
  };
  OrderValues values;
  if (spelling && value_of(code)) {
    for (const auto& text : texts) values.existing.push_back(value_of(text));
    values.added = value_of(code);
    return values;
  }
  for (const auto& node : nodes)
    values.existing.push_back(node ? evaluator.evaluate(context.tree, node) : std::nullopt);
  values.added = added;
  return values;
}

std::optional<std::size_t> place_of_new(const Container& container,
                                        const std::vector<std::optional<Constant>>& existing,
                                        const std::optional<Constant>& added, bool descending_too) {
  std::size_t index = container.items.size();
  const bool may_sort = existing.size() >= 2 && added;
  const bool naturally = may_sort && order_of(existing, true) != 0;
  int direction = may_sort ? order_of(existing, naturally) : 0;
  // Two texts that fall do so by chance: `{"role", "content"}`.
  const bool by_chance = existing.size() == 2 && existing[0] &&
                         std::holds_alternative<std::string>(existing[0]->value);
  if (direction < 0 && (!descending_too || by_chance)) direction = 0;
  if (direction != 0 && compare(*existing[0], *added, naturally)) {
    index = 0;
    while (index < existing.size() && *compare(*existing[index], *added, naturally) == -direction)
      ++index;
  }
  while (index > 0 && !container.items[index - 1].is_stable) --index;
  if (index == 0 && !container.items.empty() && !container.has_brackets &&
      !container.items[0].is_stable)
    return std::nullopt;
  return index;
}

std::optional<Step> lack_of_room(const EditContext& context, CodeEvaluator& evaluator,
                                 const Container& container) {
  const auto declaration = ancestor_with(context.tree, container.node, Role::kSized);
  if (!declaration) return std::nullopt;
  std::vector<Node> sizes;
  walk(declaration, [&](const Node& node) {
    const bool is_value = node.range().contains(container.node.range()) &&
                          has_role(context.tree, node, Role::kSequence);
    if (!is_value && has_role(context.tree, node, Role::kSize)) sizes.push_back(node);
    return !is_value;
  });
  std::size_t depth = 0;  // of a list of lists
  for (auto at = container.node.parent(); at && at != declaration; at = at.parent())
    depth += has_role(context.tree, at, Role::kSequence);
  if (sizes.empty() || depth >= std::max<std::size_t>(2, sizes.size())) return std::nullopt;
  const bool is_wrapped = depth == 0 && sizes.size() == 1 &&
                          container.node.parent() != declaration && container.items.size() == 1 &&
                          has_role(context.tree, container.items[0].node, Role::kSequence);
  if (is_wrapped)
    return Step::blocked("double-braces", "its elements stand in a second pair of braces",
                         "capture the inner list in the rule", container.node.range());
  const auto&
      size = sizes[std::min(depth, sizes.size() - 1)];  // std::array has one more pair of braces
  const auto value = evaluator.evaluate(context.tree, size);
  const auto* number = value ? std::get_if<std::int64_t>(&value->value) : nullptr;
  if (number != nullptr && *number > static_cast<std::int64_t>(container.items.size()))
    return std::nullopt;
  const auto text = std::string(size.text(context.text()));
  return Step::blocked(
      "fixed-size",
      number
          ? fmt::format("it is declared with room for {} and has {}", text, container.items.size())
          : fmt::format("it is declared with room for {}, which is not known here", text),
      "add a #replace! of the size to the rule, or have upstream let it follow from the elements",
      container.node.range());
}

PayloadText split_comments(const Fragment& fragment) {
  PayloadText payload;
  const auto text = fragment.tree().text();
  const auto begin = fragment.nodes().front().range().begin;
  const auto end = fragment.nodes().back().range().end;
  for (const auto& comment : fragment.comments()) {
    if (comment.range().begin >= end)
      payload.trailing_comment = trim(comment.text(text));
    else if (comment.range().end <= begin)
      payload.leading_comments.emplace_back(trim(comment.text(text)));
  }
  payload.code = text.substr(begin, end - begin);
  return payload;
}

}  // namespace portpatch
