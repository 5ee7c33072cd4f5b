#include <fmt/format.h>

#include "edit/keys.h"
#include "edit/layout.h"
#include "edit/own_comments.h"
#include "edit/step.h"

namespace portpatch {

namespace {

struct Found {
  Container container;
  std::string text;     ///< NAME=VALUE as written here
  PayloadText payload;  ///< VALUE and its comments
  std::string value_form;
  std::optional<std::size_t> index;  ///< of the argument that has the name
};

std::expected<Found, Step> find_argument(const EditContext& context, CodeEvaluator& evaluator) {
  const auto site = context.node.range();
  auto container = find_container(context.tree, context.node, Role::kArguments, context.is_stable);
  if (!container) return std::unexpected(Step::blocked(container.error(), site));
  if (has_role(context.tree, container->node, Role::kPositional)) {
    return std::unexpected(
        Step::blocked("no-keywords",
                      fmt::format("{} calls have no keyword arguments", context.language().title()),
                      "use #ensure-element! for an argument by position", site));
  }
  const auto& templates = context.language().entry_templates();
  const auto found_template = templates.find(container->node.kind());
  Found found{.container = std::move(*container),
              .text = {},
              .payload = {},
              .value_form = {},
              .index = std::nullopt};
  if (found_template == templates.end()) {
    return std::unexpected(
        Step::blocked("no-keywords", "this call takes no keyword arguments", "", site));
  }
  const auto value = requote(context.language(), "expression", context.directive.texts[1],
                             house_quote(context.tree, found.container.node));
  const auto fragment = Fragment::parse(context.language(), "expression", value);
  if (!fragment) return std::unexpected(Step::blocked(fragment.error(), site));
  found.payload = split_comments(*fragment);
  found.text = fill_template(found_template->second, "", context.directive.texts[0],
                             found.payload.code);
  const auto probe = Fragment::parse(context.language(), "entry", found.text);
  const auto entry = probe ? descendant_with(probe->tree(), probe->nodes()[0], Role::kEntry)
                           : Node();
  if (!entry) {
    return std::unexpected(Step::blocked(
        "bad-entry", fmt::format("`{}` is no argument", found.text),
        "write NAME as a name (in C++ with its type) and VALUE as an expression", site));
  }
  const auto parts = entry_parts(probe->tree(), entry);
  const auto name = parts.key.text(probe->tree().text());
  found.value_form = evaluator.canonical(probe->tree(), parts.value);
  for (std::size_t i = 0; i < found.container.items.size(); ++i) {
    const auto& item = found.container.items[i];
    if (item.is_entry && item.key.text(context.text()) == name) found.index = i;
    // A parameter of that name without a default, or with a type around it.
    if (!item.is_entry && !item.is_spread) {
      const auto definition = descendant_with(context.tree, item.node, Role::kDefinition);
      if (definition && definition.text(context.text()) == name) {
        return std::unexpected(
            Step::conflict(fmt::format("`{}` stands there without this default", name), found.text,
                           std::string(item.node.text(context.text())), item.range()));
      }
    }
  }
  return found;
}

/// NAME=VALUE with the value laid out for the place in front of argument `index`.
std::string argument_text(const EditContext& context, const Found& found, std::size_t index) {
  const auto value = Fragment::parse(context.language(), "expression", found.payload.code);
  const auto name = found.text.substr(0, found.text.size() - found.payload.code.size());
  const auto indent = is_vertical(context.tree, found.container, index)
                          ? indent_for(context.tree, found.container, index)
                          : std::string(indent_at(context.text(), found.container.inside.end));
  return name + print_value(*value, {context.tree, {}, indent, display_width(indent + name)});
}

/// Behind the last argument that is no ** spread.
std::size_t place_of_argument(const EditContext& context, const Container& container) {
  auto index = container.items.size();
  while (index > 0 && container.items[index - 1].is_spread &&
         container.items[index - 1].node.text(context.text()).starts_with("**")) {
    --index;
  }
  while (index > 0 && !container.items[index - 1].is_stable) --index;
  return index;
}

}  // namespace

Step plan_ensure_argument(const EditContext& context) {
  CodeEvaluator evaluator(context.tree);
  const auto found = find_argument(context, evaluator);
  if (!found) return found.error();
  const auto site = found->container.node.range();
  if (found->index) {
    const auto& item = found->container.items[*found->index];
    if (evaluator.canonical(context.tree, item.value) == found->value_form)
      return Step::holds(item.range());
    if (context.rule.settings.on_conflict == OnConflict::kOverride) {
      const auto value = Fragment::parse(context.language(), "expression", found->payload.code);
      if (!value) return Step::blocked(value.error(), item.range());
      const auto indent = std::string(indent_at(context.text(), item.range().begin));
      return Step::edit(
          {{item.value.range(), print_value(*value, {context.tree, item.value, indent, 0})}},
          item.range());
    }
    return Step::conflict("the argument stands there with another value", found->text,
                          std::string(item.node.text(context.text())), item.range());
  }
  const auto index = place_of_argument(context, found->container);
  const ItemText item{argument_text(context, *found, index), found->payload.leading_comments,
                      found->payload.trailing_comment};
  auto edits = insert_item(context.tree, found->container, index, item);
  if (!edits) return Step::blocked(edits.error(), site);
  return Step::edit(std::move(*edits), site);
}

Step revert_ensure_argument(const EditContext& context) {
  CodeEvaluator evaluator(context.tree);
  const auto found = find_argument(context, evaluator);
  if (!found) return found.error();
  const auto site = found->container.node.range();
  if (!found->index) return Step::holds(site);
  const auto& item = found->container.items[*found->index];
  if (evaluator.canonical(context.tree, item.value) != found->value_form) {
    return Step::conflict("the argument stands there with another value than the rule's",
                          found->text, std::string(item.node.text(context.text())), item.range());
  }
  if (auto step = without_own_comments(context.tree, found->container.node, item.range(),
                                       comments_of(found->payload)))
    return std::move(*step);
  auto edits = remove_item(context.tree, found->container, *found->index);
  if (!edits) return Step::blocked(edits.error(), site);
  return Step::edit(std::move(*edits), site);
}

}  // namespace portpatch
