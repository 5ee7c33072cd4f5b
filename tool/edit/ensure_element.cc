#include <algorithm>

#include "edit/keys.h"
#include "edit/layout.h"
#include "edit/own_comments.h"
#include "edit/step.h"
#include "edit/text_list.h"

namespace portpatch {

namespace {

/// What of an item is the element: all of it, or the value of a row such as YAML's `- value`.
Node element_of(const Item& item) { return item.value && !item.is_entry ? item.value : item.node; }

struct Found {
  Container container;
  std::string code;  ///< the element as written here
  PayloadText payload;
  std::optional<std::size_t> index;  ///< of the item that is it
};

/// A fragment that may stand among elements: an expression, or an argument such as *rest.
Result<Fragment> parse_element(const EditContext& context, std::string_view text) {
  auto fragment = Fragment::parse(context.language(), "expression", text);
  if (!fragment) {
    if (auto argument = Fragment::parse(context.language(), "argument", text)) return argument;
  }
  return fragment;
}

std::expected<Found, Step> find_element(const EditContext& context, CodeEvaluator& evaluator) {
  const auto site = context.node.range();
  auto container = find_container(context.tree, context.node, Role::kSequence, context.is_stable);
  if (!container) return std::unexpected(Step::blocked(container.error(), site));
  Found found{.container = std::move(*container), .code = {}, .payload = {}, .index = std::nullopt};
  if (found.container.form == Container::Form::kText) return found;
  std::vector<Node> elements;
  for (const auto& item : found.container.items) {
    const bool is_named = item.is_entry &&
                          has_role(context.tree, found.container.node, Role::kArguments);
    if (!is_named && !item.is_spread) elements.push_back(element_of(item));
  }
  auto spelled = spell_as_siblings(context, found.container, context.directive.texts[0], elements);
  if (!spelled) return std::unexpected(Step::blocked(spelled.error(), site));
  if (const auto other = other_suffix(context, context.directive.texts[0], elements)) {
    return std::unexpected(Step::conflict("the same cc stands there with another suffix", *spelled,
                                          std::string(other.text(context.text())), other.range()));
  }
  const auto fragment = parse_element(context, *spelled);
  if (!fragment) return std::unexpected(Step::blocked(fragment.error(), site));
  found.payload = split_comments(*fragment);
  const auto bare = parse_element(context, found.payload.code);
  if (!bare) return std::unexpected(Step::blocked(bare.error(), site));
  const auto form = evaluator.canonical(*bare);
  for (std::size_t i = 0; i < found.container.items.size(); ++i) {
    if (evaluator.canonical(context.tree, element_of(found.container.items[i])) == form)
      found.index = i;
  }
  return found;
}

/// Positional arguments stand before the named ones.
std::size_t last_position(const EditContext& context, const Container& container) {
  auto index = container.items.size();
  const bool arguments = has_role(context.tree, container.node, Role::kArguments) &&
                         !has_role(context.tree, container.node, Role::kPositional);
  while (arguments && index > 0 &&
         (container.items[index - 1].is_entry || container.items[index - 1].is_spread))
    --index;
  return index;
}

Step add_element(const EditContext& context, const Found& found, CodeEvaluator& evaluator) {
  const auto& container = found.container;
  const auto site = container.node.range();
  if (auto full = lack_of_room(context, evaluator, container)) return std::move(*full);
  const auto fragment = parse_element(context, found.payload.code);
  if (!fragment) return Step::blocked(fragment.error(), site);
  std::vector<Node> elements;
  for (const auto& item : container.items) elements.push_back(element_of(item));
  const auto order = order_values(context, evaluator, elements, found.payload.code,
                                  evaluator.evaluate(fragment->tree(), fragment->nodes()[0]));
  const auto& added = order.added;
  // The order of a list may mean something: only numbers and cc's are put in order in one.
  const bool sortable = has_role(context.tree, container.node, Role::kUnordered) ||
                        (added && std::holds_alternative<std::int64_t>(added->value)) ||
                        context.directive.texts[0].starts_with("cc:");
  const bool either_way = has_role(context.tree, container.node, Role::kUnordered);
  auto index = place_of_new(container, order.existing, sortable ? added : std::nullopt, either_way);
  if (index && *index == container.items.size())
    index = std::min(*index, last_position(context, container));
  if (!index)
    return Step::blocked("no-room",
                         "every place in the sequence depends on a preprocessor conditional",
                         "edit it by hand", site);

  const Item* model = *index > 0                ? &container.items[*index - 1]
                      : container.items.empty() ? nullptr
                                                : &container.items[0];
  const bool rows = container.form == Container::Form::kRows;
  const auto indent = rows ? std::string() : indent_for(context.tree, container, *index);
  std::string before, behind;
  if (model && rows) {
    before = context.text().substr(model->range().begin,
                                   element_of(*model).range().begin - model->range().begin);
  }
  const ValueStyle style{context.tree, model ? element_of(*model) : Node(), indent,
                         display_width(indent)};
  const ItemText item{before + print_value(*fragment, style), found.payload.leading_comments,
                      found.payload.trailing_comment};
  auto edits = insert_item(context.tree, container, *index, item);
  if (!edits) return Step::blocked(edits.error(), site);
  return Step::edit(std::move(*edits), site);
}

}  // namespace

Step plan_ensure_element(const EditContext& context) {
  CodeEvaluator evaluator(context.tree);
  const auto found = find_element(context, evaluator);
  if (!found) return found.error();
  if (found->container.form == Container::Form::kText)
    return plan_text_element(context, found->container.node);
  if (found->index) return Step::holds(found->container.items[*found->index].range());
  return add_element(context, *found, evaluator);
}

Step revert_ensure_element(const EditContext& context) {
  CodeEvaluator evaluator(context.tree);
  const auto found = find_element(context, evaluator);
  if (!found) return found.error();
  if (found->container.form == Container::Form::kText)
    return revert_text_element(context, found->container.node);
  if (!found->index) return Step::holds(found->container.node.range());
  const auto& container = found->container;
  if (auto step = without_own_comments(context.tree, container.node,
                                       container.items[*found->index].range(),
                                       comments_of(found->payload)))
    return std::move(*step);
  auto edits = remove_item(context.tree, container, *found->index);
  if (!edits) return Step::blocked(edits.error(), found->container.node.range());
  return Step::edit(std::move(*edits), found->container.node.range());
}

}  // namespace portpatch
