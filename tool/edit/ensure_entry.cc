#include <algorithm>

#include <fmt/format.h>

#include "edit/keys.h"
#include "edit/layout.h"
#include "edit/own_comments.h"
#include "edit/step.h"
#include "locate/sites.h"
#include "syntax/literals.h"

namespace portpatch {

namespace {

/// An entry of the directive, parsed alone: what its key and value are as code.
struct Probe {
  Fragment fragment;
  Node entry, key, value;
};

/// The container's own way of writing an entry: by its template, or `TABLE[key] = value`.
std::string template_of(const EditContext& context, const Container& container) {
  const auto& templates = context.language().entry_templates();
  std::string kind(container.node.kind());
  // A list of pairs is written as its language writes pairs, whatever holds them.
  const auto found = templates.find(kind);
  return found == templates.end() ? "{key}: {value}" : found->second;
}

/// In dict(a=1) the key "a" is the word a.
std::string key_for(const EditContext& context, const Container& container, std::string key) {
  if (!has_role(context.tree, container.node, Role::kArguments)) return key;
  const auto literal = parse_string(key, false);
  return literal && literal->prefix.empty() ? literal->content : key;
}

Result<Probe> make_probe(const EditContext& context, const Container& container,
                         std::string_view key, std::string_view value) {
  const auto text = fill_template(template_of(context, container), container.row_table, key, value);
  auto fragment = Fragment::parse(context.language(), "entry", text);
  if (!fragment) {
    return failure("bad-entry",
                   fmt::format("`{}` is no entry of this {}", text, container.node.kind()),
                   "write KEY and VALUE as this container takes them");
  }
  const auto entry = descendant_with(fragment->tree(), fragment->nodes()[0], Role::kEntry);
  if (!entry) {
    return failure("bad-entry",
                   fmt::format("`{}` is no entry of this {}", text, container.node.kind()),
                   "use #ensure-element! for containers without keys");
  }
  const auto parts = entry_parts(fragment->tree(), entry);
  return Probe{std::move(*fragment), entry, parts.key, parts.value};
}

struct Found {
  Container container;
  std::string key;                   ///< as written here
  std::optional<std::size_t> index;  ///< of the entry that has it
  std::string key_form, value_form;
};

std::vector<Node> keys_of(const Container& container) {
  std::vector<Node> keys;
  for (const auto& item : container.items) {
    if (item.is_entry) keys.push_back(item.key);
  }
  return keys;
}

/// The container, the key as it is spelled in it, and the entry that has the key.
std::expected<Found, Step> find_entry(const EditContext& context, CodeEvaluator& evaluator) {
  const auto site = context.node.range();
  auto container = find_container(context.tree, context.node, Role::kMap, context.is_stable);
  if (!container) return std::unexpected(Step::blocked(container.error(), site));
  const auto keys = keys_of(*container);
  auto spelled = spell_as_siblings(context, *container, context.directive.texts[0], keys);
  if (!spelled) return std::unexpected(Step::blocked(spelled.error(), container->node.range()));
  if (const auto other = other_suffix(context, context.directive.texts[0], keys)) {
    return std::unexpected(Step::conflict("the same cc stands there with another suffix", *spelled,
                                          std::string(other.text(context.text())), other.range()));
  }
  Found found{.container = std::move(*container),
              .key = key_for(context, *container, std::move(*spelled)),
              .index = std::nullopt,
              .key_form = {},
              .value_form = {}};
  const auto value = Fragment::parse(context.language(), "expression", context.directive.texts[1]);
  const auto code = value ? split_comments(*value).code : context.directive.texts[1];
  const auto probe = make_probe(context, found.container, found.key, code);
  if (!probe) return std::unexpected(Step::blocked(probe.error(), found.container.node.range()));
  found.key_form = evaluator.canonical(probe->fragment.tree(), probe->key);
  found.value_form = evaluator.canonical(probe->fragment.tree(), probe->value);
  for (std::size_t i = 0; i < found.container.items.size(); ++i) {
    const auto& item = found.container.items[i];
    if (!item.is_entry || evaluator.canonical(context.tree, item.key) != found.key_form) continue;
    // Twice with one value says no more than once; with two, which one counts is for a person to
    // say.
    const auto value_of = [&](std::size_t k) {
      return evaluator.canonical(context.tree, found.container.items[k].value);
    };
    if (found.index && value_of(*found.index) != value_of(i)) {
      return std::unexpected(Step::blocked(
          "key-twice",
          fmt::format("the key {} stands there twice with different values", found.key),
          "remove one of the two entries", item.range()));
    }
    found.index = i;
  }
  return found;
}

/// The entry's text behind a model: what stands around the model's key and value, kept.
std::string entry_text(const EditContext& context, const Found& found, const Item* model,
                       const Fragment& value, const std::string& indent) {
  const auto text = context.text();
  std::string before, between, behind;
  const auto filled = fill_template(template_of(context, found.container),
                                    found.container.row_table, "\1", "\2");
  const auto key_at = filled.find('\1'), value_at = filled.find('\2');
  before = filled.substr(0, key_at);
  between = filled.substr(key_at + 1, value_at - key_at - 1);
  behind = filled.substr(value_at + 1);
  if (model != nullptr) {
    const ByteRange head{model->range().begin, model->key.range().begin};
    const ByteRange middle{model->key.range().end, model->value.range().begin};
    const ByteRange end{model->value.range().end, model->range().end};
    const bool plain = !head.of(text).contains('\n') && !middle.of(text).contains('\n') &&
                       !end.of(text).contains('\n') && !middle.of(text).contains('#') &&
                       !middle.of(text).contains("/*");
    const auto children = model->node.children();
    const bool commented = std::ranges::any_of(children,
                                               [](const Node& child) { return child.is_extra(); });
    if (plain && !commented) {
      before = head.of(text);
      // Columns that are padded to line up belong to their own key, not to the new one.
      if (!middle.of(text).contains("  ")) between = middle.of(text);
      behind = end.of(text);
      if (behind.ends_with('\r')) behind.pop_back();  // of the line's end, in TOML
    }
  }
  const auto head = before + found.key + between;
  return head +
         print_value(value, {context.tree, model ? model->value : Node(), indent,
                             display_width(indent) + display_width(head)}) +
         behind;
}

const Item* model_for(const Container& container, std::size_t index) {
  const auto is_model = [&](std::size_t i) {
    return container.items[i].is_entry && container.items[i].is_stable;
  };
  for (std::size_t i = index; i > 0; --i) {
    if (is_model(i - 1)) return &container.items[i - 1];
  }
  for (std::size_t i = index; i < container.items.size(); ++i) {
    if (is_model(i)) return &container.items[i];
  }
  return nullptr;
}

Step add_entry(const EditContext& context, const Found& found, CodeEvaluator& evaluator) {
  const auto& container = found.container;
  const auto site = container.node.range();
  if (auto full = lack_of_room(context, evaluator, container)) return std::move(*full);
  const auto quoted = requote(context.language(), "expression", context.directive.texts[1],
                              house_quote(context.tree, container.node));
  const auto with_comments = Fragment::parse(context.language(), "expression", quoted);
  if (!with_comments) return Step::blocked(with_comments.error(), site);
  const auto payload = split_comments(*with_comments);
  const auto value = Fragment::parse(context.language(), "expression", payload.code);
  if (!value) return Step::blocked(value.error(), site);
  std::vector<Node> keys;
  for (const auto& item : container.items) keys.push_back(item.is_entry ? item.key : Node());
  const auto probe = make_probe(context, container, found.key, payload.code);
  if (!probe) return Step::blocked(probe.error(), site);
  const auto order = order_values(context, evaluator, keys, found.key,
                                  evaluator.evaluate(probe->fragment.tree(), probe->key));
  const auto index = place_of_new(container, order.existing, order.added);
  if (!index)
    return Step::blocked("no-room", "every place in the map depends on a preprocessor conditional",
                         "edit it by hand", site);
  const bool rows = container.form == Container::Form::kRows;
  const auto indent = rows ? std::string() : indent_for(context.tree, container, *index);
  const ItemText item{entry_text(context, found, model_for(container, *index), *value, indent),
                      payload.leading_comments, payload.trailing_comment};
  auto edits = insert_item(context.tree, container, *index, item);
  if (!edits) return Step::blocked(edits.error(), site);
  return Step::edit(std::move(*edits), site);
}

/// A statement `TABLE[key] = value` behind the table's own statement that gives the key a value:
/// an entry in the table would have no effect. A null node when there is none.
Node overriding_row(const EditContext& context, const Found& found, CodeEvaluator& evaluator) {
  const auto& tree = context.tree;
  const auto binding = ancestor_with(tree, found.container.node, Role::kBinding);
  const auto name = binding ? child_with(tree, binding, Role::kName) : Node();
  if (!name ||
      !child_with(tree, binding, Role::kValue).range().contains(found.container.node.range()))
    return {};
  const auto statement = enclosing_statement(tree, binding);
  Node row;
  for (const auto& sibling :
       statement.parent() ? statement.parent().named_children() : std::vector<Node>()) {
    if (sibling.range().begin < statement.range().end || !has_role(tree, sibling, Role::kRow))
      continue;
    if (descendant_with(tree, sibling, Role::kRowTable).text(tree.text()) != name.text(tree.text()))
      continue;
    if (evaluator.canonical(tree, entry_parts(tree, sibling).key) == found.key_form) row = sibling;
  }
  return row;
}

/// Names in the directive's value that have no known value in the file: why two values that may be
/// the same are not seen to be.
std::string unknown_names(const EditContext& context, CodeEvaluator& evaluator) {
  const auto value = Fragment::parse(context.language(), "expression", context.directive.texts[1]);
  std::string names;
  if (!value) return names;
  walk(value->nodes()[0], [&](const Node& node) {
    const auto text = node.text(value->tree().text());
    const bool unknown = has_role(value->tree(), node, Role::kReference) &&
                         !has_role(value->tree(), node, Role::kMember) &&
                         !evaluator.evaluate(value->tree(), node);
    if (unknown && !names.contains(text))
      names += fmt::format("{}`{}`", names.empty() ? "" : ", ", text);
    return true;
  });
  return names;
}

Step value_conflict(const EditContext& context, const Found& found, CodeEvaluator& evaluator,
                    const Node& theirs, ByteRange place) {
  auto reason = fmt::format("the key {} stands there with another value", found.key);
  if (const auto names = unknown_names(context, evaluator); !names.empty())
    reason += fmt::format(" (the value of {} is not known in this file)", names);
  return Step::conflict(std::move(reason), context.directive.texts[1],
                        std::string(theirs.text(context.text())), place);
}

}  // namespace

Step plan_ensure_entry(const EditContext& context) {
  CodeEvaluator evaluator(context.tree);
  const auto found = find_entry(context, evaluator);
  if (!found) return found.error();
  if (const auto row = overriding_row(context, *found, evaluator)) {
    const auto value = entry_parts(context.tree, row).value;
    if (evaluator.canonical(context.tree, value) == found->value_form)
      return Step::holds(row.range());
    return value_conflict(context, *found, evaluator, value, row.range());
  }
  if (!found->index) return add_entry(context, *found, evaluator);
  const auto& item = found->container.items[*found->index];
  if (evaluator.canonical(context.tree, item.value) == found->value_form)
    return Step::holds(item.range());
  if (context.rule.settings.on_conflict != OnConflict::kOverride) {
    return value_conflict(context, *found, evaluator, item.value, item.range());
  }
  const auto value = Fragment::parse(context.language(), "expression", context.directive.texts[1]);
  if (!value) return Step::blocked(value.error(), item.range());
  const auto indent = std::string(indent_at(context.text(), item.range().begin));
  return Step::edit(
      {{item.value.range(), print_value(*value, {context.tree, item.value, indent, 0})}},
      item.range());
}

Step revert_ensure_entry(const EditContext& context) {
  CodeEvaluator evaluator(context.tree);
  const auto found = find_entry(context, evaluator);
  if (!found) return found.error();
  if (!found->index) return Step::holds(found->container.node.range());
  const auto& item = found->container.items[*found->index];
  if (evaluator.canonical(context.tree, item.value) != found->value_form) {
    return Step::conflict(
        fmt::format("the key {} stands there with another value than the rule's", found->key),
        context.directive.texts[1], std::string(item.value.text(context.text())), item.range());
  }
  const auto quoted = Fragment::parse(context.language(), "expression", context.directive.texts[1]);
  if (quoted) {
    if (auto step = without_own_comments(context.tree, found->container.node, item.range(),
                                         comments_of(*quoted)))
      return std::move(*step);
  }
  auto edits = remove_item(context.tree, found->container, *found->index);
  if (!edits) return Step::blocked(edits.error(), item.range());
  return Step::edit(std::move(*edits), found->container.node.range());
}

}  // namespace portpatch
