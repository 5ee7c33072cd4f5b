#include "syntax/definitions.h"

#include "syntax/code_value.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

/// The first node with `role` below `node` that is no part of another definition's body.
Node own(const SourceTree& tree, const Node& node, Role role) {
  Node found;
  walk(node, [&](const Node& current) {
    if (!found && has_role(tree, current, role)) found = current;
    return !found && !(current != node && has_role(tree, current, Role::kBlock));
  });
  return found;
}

}  // namespace

std::optional<Definition> read_definition(const SourceTree& tree, const Node& node) {
  if (!has_role(tree, node, Role::kDefine)) return std::nullopt;
  const auto name = own(tree, node, Role::kDefineName);
  if (!name) return std::nullopt;
  Definition definition{
      .statement = node, .name = std::string(name.text(tree.text())), .parameters = {}};
  definition.is_constant = has_role(tree, node, Role::kDefineConstant);
  if (const auto parameters = own(tree, node, Role::kDefineParameters)) {
    definition.parameters = CodeEvaluator(tree).canonical(tree, parameters);
  }
  return definition;
}

std::optional<Definition> definition_of_text(const Fragment& fragment) {
  std::optional<Definition> found;
  for (const auto& node : fragment.nodes()) {
    if (!node.is_named()) continue;  // the semicolon behind a class
    if (found) return std::nullopt;
    found = read_definition(fragment.tree(), node);
    if (!found) return std::nullopt;
  }
  return found;
}

}  // namespace portpatch
