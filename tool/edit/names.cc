#include "edit/names.h"

#include <algorithm>
#include <set>

#include "syntax/code_value.h"
#include "syntax/language.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

/// Scopes whose names are seen from `use`, innermost first; a class only from directly inside.
std::vector<Node> visible_scopes(const SourceTree& tree, const Node& use) {
  std::vector<Node> scopes;
  bool innermost = true;
  for (auto scope = ancestor_with(tree, use.parent(), Role::kScope); scope;
       scope = ancestor_with(tree, scope.parent(), Role::kScope)) {
    if (innermost || !has_role(tree, scope, Role::kClassScope)) scopes.push_back(scope);
    innermost = false;
  }
  scopes.push_back({});  // the module
  return scopes;
}

/// Code at module or class level runs from top to bottom as the file is read.
bool runs_on_reading(const SourceTree& tree, const Node& use) {
  for (auto scope = ancestor_with(tree, use.parent(), Role::kScope); scope;
       scope = ancestor_with(tree, scope.parent(), Role::kScope)) {
    if (!has_role(tree, scope, Role::kClassScope)) return false;
  }
  return true;
}

bool has_open_import(const SourceTree& tree) {
  bool found = false;
  walk(tree.root(), [&](const Node& node) {
    found |= has_role(tree, node, Role::kOpenImport);
    // Imports stand in statements, never in expressions: two levels of blocks are enough to look
    // at.
    return !found && (node == tree.root() || node.text(tree.text()).contains('*'));
  });
  return found;
}

/// The nodes that are `name` where it is used or defined, attributes and keywords left out.
std::vector<Node> words_of(const SourceTree& tree, std::string_view name) {
  std::vector<Node> found;
  const auto text = tree.text();
  for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const ByteRange range{at, at + name.size()};
    const auto node = tree.root().smallest_around(range);
    const bool is_name = node && (has_role(tree, node, Role::kReference) ||
                                  has_role(tree, node, Role::kScopeName));
    if (is_name && node.range() == range && !has_role(tree, node, Role::kMember))
      found.push_back(node);
  }
  return found;
}

bool is_used_elsewhere(const SourceTree& tree, std::string_view name,
                       const std::vector<ByteRange>& inserted) {
  const auto words = words_of(tree, name);
  return std::ranges::any_of(words, [&](const Node& node) {
    return has_role(tree, node, Role::kReference) &&
           std::ranges::none_of(inserted,
                                [&](ByteRange one) { return one.overlaps(node.range()); });
  });
}

/// Why `use` sees no definition of its name; empty when it does.
std::string why_unseen(const SourceTree& tree, const Node& use) {
  const auto scopes = visible_scopes(tree, use);
  bool below = false;
  for (const auto& definition : definitions_of(tree, use.text(tree.text()))) {
    const auto scope = scope_of_definition(tree, definition);
    if (std::ranges::find(scopes, scope) == scopes.end()) continue;
    const bool in_order = !runs_on_reading(tree, use) ||
                          definition.range().begin <= use.range().begin ||
                          (scope && !has_role(tree, scope, Role::kClassScope));
    if (in_order) return {};
    below = true;
  }
  return below ? "is defined only further down" : "is not defined in the file";
}

}  // namespace

std::vector<UnseenName> unseen_names(const SourceTree& tree, const std::vector<ByteRange>& inserted,
                                     const std::vector<std::string>& known) {
  std::vector<UnseenName> unseen;
  if (!tree.language().checks_names()) return unseen;
  std::set<std::string, std::less<>> done(known.begin(), known.end());
  for (const auto range : inserted) {
    walk(tree.root().smallest_around(range), [&](const Node& node) {
      if (!node.range().overlaps(range)) return false;
      const bool is_use = has_role(tree, node, Role::kReference) &&
                          !has_role(tree, node, Role::kMember) &&
                          !has_role(tree, node, Role::kDefinition);
      if (!range.contains(node.range()) || !is_use) return true;
      const auto name = node.text(tree.text());
      if (tree.language().is_builtin(name) || !done.insert(std::string(name)).second) return true;
      auto why = why_unseen(tree, node);
      if (why.empty() || (has_open_import(tree) && is_used_elsewhere(tree, name, inserted)))
        return true;
      unseen.push_back({std::string(name), std::move(why)});
      return true;
    });
  }
  return unseen;
}

std::vector<std::string> orphaned_names(const SourceTree& before,
                                        const std::vector<ByteRange>& removed,
                                        const SourceTree& after) {
  std::set<std::string, std::less<>> names;
  for (const auto range : removed) {
    walk(before.root().smallest_around(range), [&](const Node& node) {
      if (!node.range().overlaps(range)) return false;
      const bool is_name = has_role(before, node, Role::kDefinition) ||
                           has_role(before, node, Role::kScopeName);
      if (range.contains(node.range()) && is_name) names.emplace(node.text(before.text()));
      return true;
    });
  }
  std::vector<std::string> orphaned;
  for (const auto& name : names) {
    bool is_defined = false, is_used = false;
    for (const auto& node : words_of(after, name)) {
      const bool defines = has_role(after, node, Role::kDefinition) ||
                           has_role(after, node, Role::kScopeName);
      (defines ? is_defined : is_used) = true;
    }
    if (is_used && !is_defined) orphaned.push_back(name);
  }
  return orphaned;
}

}  // namespace portpatch
