#include "edit/container.h"

#include <algorithm>

#include <fmt/format.h>

#include "syntax/language.h"

namespace portpatch {

namespace {

/// The innermost node that the wrapper is around; a null node when it is around two.
Node inner_of(const SourceTree& tree, const Node& wrapper) {
  Node inner;
  bool is_one = true;
  walk(wrapper, [&](const Node& node) {
    if (node != wrapper && has_role(tree, node, Role::kInner)) {
      is_one &= !inner || inner.range().contains(node.range());
      inner = node;
      return has_role(tree, node,
                      Role::kArguments);  // dict([...]): the list inside, not its parentheses
    }
    return node == wrapper || has_role(tree, node, Role::kArguments);
  });
  return is_one ? inner : Node();
}

/// One step from a captured node towards the container that it means.
Node step_inside(const SourceTree& tree, const Node& node, Role role) {
  if (role == Role::kArguments) {
    if (const auto arguments = child_with(tree, node, Role::kArguments)) return arguments;
    for (const auto* field : {"declarator", "definition", "value"}) {
      if (const auto child = node.field(field)) return child;
    }
    return {};
  }
  if (has_role(tree, node, Role::kWrapper)) {
    if (const auto inner = inner_of(tree, node)) return inner;
  }
  if (has_role(tree, node, Role::kBinding) || has_role(tree, node, Role::kEntry)) {
    return child_with(tree, node, Role::kValue);
  }
  // A statement around one binding, a document around one mapping.
  Node only;
  for (const auto& child : node.named_children()) {
    if (child.is_extra()) continue;
    if (only) return {};
    only = child;
  }
  return only;
}

/// Of a container, and none of its items: `set(VAR ...`, `... PARENT_SCOPE)`.
bool is_frame(const SourceTree& tree, const Node& child) {
  return has_role(tree, child, Role::kHeader) || has_role(tree, child, Role::kTrailer);
}

void add_items(const SourceTree& tree, Container& container, const IsStable& is_stable) {
  const auto children = container.node.children();
  for (const auto& child : children) {
    if (child.is_extra() || !container.inside.contains(child.range())) continue;
    if (!child.is_named()) {
      const auto token = child.text(tree.text());
      if ((token == "," || token == ";") && !container.items.empty()) {
        container.items.back().comma = child.range().begin;
        container.items.back().is_stable &= is_stable(child.range(), container.node.range());
      }
      continue;
    }
    if (is_frame(tree, child) || child.range().empty()) continue;
    Item item{.node = child, .key = {}, .value = {}, .comma = std::nullopt};
    item.is_entry = has_role(tree, child, Role::kEntry);
    item.is_spread = has_role(tree, child, Role::kSpread);
    item.value = child_with(tree, child, Role::kValue);
    if (item.is_entry) {
      const auto parts = entry_parts(tree, child);
      item.key = parts.key;
      item.value = parts.value;
    }
    item.is_stable = is_stable(child.range(), container.node.range());  // and so must its comma be
    container.items.push_back(item);
  }
}

bool is_bracket(const Node& node, std::string_view text) {
  if (node.is_named() || node.range().empty()) return false;
  const auto token = node.text(text);
  return std::string_view("([{<").contains(token[0]) || std::string_view(")]}>").contains(token[0]);
}

Container make_container(const SourceTree& tree, const Node& node, const IsStable& is_stable) {
  Container container{.node = node,
                      .inside = node.range(),
                      .items = {},
                      .separator = tree.language().item_separator()};
  const auto children = node.children();
  if (has_role(tree, node, Role::kRows)) {
    container.form = Container::Form::kRows;
  } else if (children.size() >= 2 && is_bracket(children.front(), tree.text()) &&
             is_bracket(children.back(), tree.text())) {
    container.has_brackets = true;
    container.inside = {children.front().range().end, children.back().range().begin};
    for (const auto& child : children) {
      if (has_role(tree, child, Role::kHeader)) container.inside.begin = child.range().end;
      if (has_role(tree, child, Role::kTrailer))
        container.inside.end = std::min(container.inside.end, child.range().begin);
    }
  }
  add_items(tree, container, is_stable);
  return container;
}

/// The rows TABLE[key] = value of the block that `row` stands in.
Container make_row_table(const SourceTree& tree, const Node& row, const IsStable& is_stable) {
  const auto name = [&](const Node& node) {
    return descendant_with(tree, node, Role::kRowTable).text(tree.text());
  };
  Container container{.form = Container::Form::kRows,
                      .node = row.parent(),
                      .inside = row.parent().range(),
                      .items = {},
                      .row_table = name(row)};
  add_items(tree, container, is_stable);
  std::erase_if(container.items, [&](const Item& item) {
    return !has_role(tree, item.node, Role::kRow) || name(item.node) != container.row_table;
  });
  return container;
}

}  // namespace

EntryParts entry_parts(const SourceTree& tree, const Node& entry) {
  const auto part = [&](Role direct, Role deeper) {
    const auto child = child_with(tree, entry, direct);
    return child ? child : descendant_with(tree, entry, deeper);
  };
  return {part(Role::kKey, Role::kEntryKey), part(Role::kValue, Role::kEntryValue)};
}

Result<Container> find_container(const SourceTree& tree, const Node& captured, Role role,
                                 const IsStable& is_stable) {
  if (role == Role::kMap) {
    const auto row = ancestor_with(tree, captured, Role::kRow);
    if (row && !descendant_with(tree, row, Role::kEntryValue).range().contains(captured.range())) {
      return make_row_table(tree, row, is_stable);
    }
  }
  for (Node node = captured; node; node = step_inside(tree, node, role)) {
    if (role == Role::kSequence && has_role(tree, node, Role::kText)) {
      return Container{
          .form = Container::Form::kText, .node = node, .inside = node.range(), .items = {}};
    }
    const bool deeper = has_role(tree, node, Role::kWrapper) && inner_of(tree, node);
    const bool argument_pairs = has_role(tree, node, Role::kArguments) &&
                                role != Role::kArguments && deeper;
    if (has_role(tree, node, role) && !argument_pairs) return make_container(tree, node, is_stable);
    if (role == Role::kSequence && has_role(tree, node, Role::kArguments))
      return make_container(tree, node, is_stable);
  }
  const auto wanted = role == Role::kMap        ? "map"
                      : role == Role::kSequence ? "sequence"
                                                : "argument list";
  return failure("no-container",
                 fmt::format("the captured {} holds no {}", captured.kind(), wanted),
                 "capture the container itself, or what is assigned");
}

bool holds_items(const SourceTree& tree, const Node& node) {
  return has_role(tree, node, Role::kMap) || has_role(tree, node, Role::kSequence) ||
         has_role(tree, node, Role::kArguments);
}

Container names_of(const SourceTree& tree, const ImportStatement& statement) {
  const auto& language = tree.language();
  Container container{.node = statement.node, .inside = {}, .items = {}};
  for (const auto& name : statement.names) container.items.push_back({.node = name.node});
  container.inside = {container.items.front().range().begin, container.items.back().range().end};
  for (const auto& child : statement.node.children()) {
    const auto token = child.text(tree.text());
    const auto range = child.range();
    if (token == language.import_template("open")) {
      container.inside.begin = range.end;
      container.has_brackets = true;
    } else if (token == language.import_template("close")) {
      container.inside.end = range.begin;
    } else if (token == ",") {
      const auto next = std::ranges::find_if(
          container.items, [&](const Item& item) { return item.range().begin >= range.end; });
      std::prev(next)->comma = range.begin;
    }
  }
  return container;
}

Result<std::pair<Container, std::size_t>> find_item(const SourceTree& tree, const Node& node,
                                                    const IsStable& is_stable) {
  const auto parent = node.parent();
  const bool is_name = parent && has_role(tree, parent, Role::kImport) &&
                       has_role(tree, node, Role::kImportName);
  const auto statement = is_name ? read_import(tree, parent) : ImportStatement();
  if (statement.names.size() > 1 || (parent && holds_items(tree, parent))) {
    auto container = is_name ? names_of(tree, statement) : make_container(tree, parent, is_stable);
    for (std::size_t i = 0; i < container.items.size(); ++i) {
      if (container.items[i].node == node) return std::pair(std::move(container), i);
    }
  }
  return failure("no-container",
                 fmt::format("the captured {} is no item of a container", node.kind()));
}

}  // namespace portpatch
