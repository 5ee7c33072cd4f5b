#include "edit/beside_item.h"

#include "edit/keys.h"
#include "edit/layout.h"
#include "edit/own_comments.h"
#include "edit/payload.h"

namespace portpatch {

namespace {

/// The container of the captured item, and where the directive's own item stands in it.
struct Place {
  Container container;
  std::size_t anchor = 0;
  std::optional<std::size_t> index;
  std::optional<std::size_t> rival;  ///< an entry with the same key and another value
  PayloadText payload;
};

/// An entry whose key is that of `entry`, where one container has but one of each.
std::optional<std::size_t> same_key(const EditContext& context, CodeEvaluator& evaluator,
                                    const Container& container, const Fragment& entry) {
  const auto key = entry_parts(entry.tree(), entry.nodes()[0]).key;
  if (!key || !has_role(context.tree, container.node, Role::kMap)) return std::nullopt;
  const auto wanted = evaluator.canonical(entry.tree(), key);
  for (std::size_t i = 0; i < container.items.size(); ++i) {
    if (container.items[i].key &&
        evaluator.canonical(context.tree, container.items[i].key) == wanted)
      return i;
  }
  return std::nullopt;
}

std::optional<std::expected<Place, Step>> find_place(const EditContext& context, bool in_front) {
  // Imported names come by #ensure-import!: what stands beside one is a statement.
  if (has_role(context.tree, context.node, Role::kImportName)) return std::nullopt;
  auto item = find_item(context.tree, context.node, context.is_stable);
  if (!item || item->first.form != Container::Form::kBrackets) return std::nullopt;
  const auto whole = parse_item(context.language(), context.directive.texts[0]);
  if (!whole) return std::unexpected(Step::blocked(whole.error(), context.node.range()));
  Place place{.container = std::move(item->first),
              .anchor = item->second,
              .index = std::nullopt,
              .rival = std::nullopt,
              .payload = split_comments(*whole)};
  const auto bare = parse_item(context.language(), place.payload.code);
  if (!bare) return std::unexpected(Step::blocked(bare.error(), context.node.range()));
  CodeEvaluator evaluator(context.tree);
  const auto wanted = evaluator.canonical(*bare);
  const auto& items = place.container.items;
  // Where order means nothing it may stand on either side.
  const bool either_side = has_role(context.tree, place.container.node, Role::kUnordered);
  const auto first = in_front || either_side ? 0 : place.anchor + 1,
             end = in_front && !either_side ? place.anchor : items.size();
  for (auto i = first; i < end; ++i) {
    if (evaluator.canonical(context.tree, items[i].node) == wanted) place.index = i;
  }
  if (!place.index) place.rival = same_key(context, evaluator, place.container, *bare);
  return place;
}

}  // namespace

std::optional<Step> plan_beside_item(const EditContext& context, bool in_front) {
  const auto found = find_place(context, in_front);
  if (!found) return std::nullopt;
  if (!*found) return found->error();
  const auto& place = **found;
  const auto& container = place.container;
  const auto site = container.node.range();
  if (place.index) return Step::holds(container.items[*place.index].range());
  if (place.rival) {
    const auto there = container.items[*place.rival].range();
    return Step::conflict("its key stands there with another value", place.payload.code,
                          std::string(there.of(context.text())), there);
  }
  CodeEvaluator evaluator(context.tree);
  if (auto full = lack_of_room(context, evaluator, container)) return std::move(*full);
  const auto index = in_front ? place.anchor : place.anchor + 1;
  const auto fragment = parse_item(context.language(), place.payload.code);
  if (!fragment) return Step::blocked(fragment.error(), site);
  const auto indent = is_vertical(context.tree, container, index)
                          ? indent_for(context.tree, container, index)
                          : std::string(indent_at(context.text(), container.inside.end));
  const ItemText item{
      print_value(*fragment, {context.tree, context.node, indent, display_width(indent)}),
      place.payload.leading_comments, place.payload.trailing_comment};
  auto edits = insert_item(context.tree, container, index, item);
  if (!edits) return Step::blocked(edits.error(), site);
  return Step::edit(std::move(*edits), site);
}

std::optional<Step> revert_beside_item(const EditContext& context, bool in_front) {
  const auto found = find_place(context, in_front);
  if (!found) return std::nullopt;
  if (!*found) return found->error();
  const auto& container = (*found)->container;
  if (!(*found)->index) return Step::holds(container.node.range());
  const auto index = *(*found)->index;
  if (auto step = without_own_comments(context.tree, container.node, container.items[index].range(),
                                       comments_of((*found)->payload)))
    return std::move(*step);
  auto edits = remove_item(context.tree, container, index);
  if (!edits) return Step::blocked(edits.error(), container.node.range());
  return Step::edit(std::move(*edits), container.node.range());
}

}  // namespace portpatch
