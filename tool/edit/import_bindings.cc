#include "edit/import_bindings.h"

#include <algorithm>
#include <optional>

#include "edit/blocks.h"
#include "locate/sites.h"
#include "syntax/code_value.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

/// Nothing for what stands in a function or class.
std::optional<PresentImport> reach_of(const ParsedFile& file, const Node& statement) {
  const auto& tree = file.tree();
  PresentImport found{.statement = {}, .reach = ImportReach::kAlways, .attempt = {}};
  for (auto up = statement.parent(); up; up = up.parent()) {
    if (up == tree.root() || up.is_error() || has_role(tree, up, Role::kImportGuard)) continue;
    const bool is_scope = has_role(tree, up, Role::kScope);
    if (is_scope && !has_role(tree, up, Role::kModuleScope)) return std::nullopt;
    const bool is_types = has_role(tree, up, Role::kImportTypes);
    if (is_types || has_role(tree, up, Role::kImportFallback)) {
      if (found.reach == ImportReach::kAlways)
        found.reach = is_types ? ImportReach::kTypes : ImportReach::kFallback;
      if (!is_types) found.attempt = up;
      up = up.parent();
    } else {
      found.reach = ImportReach::kConditional;
    }
  }
  if (!is_always_shown(file, statement.range())) found.reach = ImportReach::kConditional;
  return found;
}

bool is_module_level(const SourceTree& tree, const Node& definition) {
  const auto scope = scope_of_definition(tree, definition);
  return !scope || has_role(tree, scope, Role::kModuleScope);
}

std::string_view bare_path(std::string_view path) {
  return path.size() < 2 ? path : path.substr(1, path.size() - 2);
}

/// The same header, found by another search: `"x"` and `<x>`.
bool is_rival_path(const ImportedName& one, const ImportedName& other) {
  return one.bound.empty() && other.bound.empty() && one.name != other.name &&
         bare_path(one.name) == bare_path(other.name) &&
         (one.name.starts_with('<') || one.name.starts_with('"'));
}

/// Both only give the file the same top-level package: `import a.b`, `import a.c`.
bool is_same_package(const ImportStatement& one, const ImportedName& a,
                     const ImportStatement& other, const ImportedName& b) {
  return !one.is_from && !other.is_from && !a.has_alias && !b.has_alias && a.bound == b.bound;
}

/// What else than the wanted import gives the name a meaning; `attempt` may have a second way.
Node rival(const ParsedFile& file, const std::vector<PresentImport>& present,
           const ImportStatement& wanted, const ImportedName& name, const Node& attempt) {
  const auto& tree = file.tree();
  for (const auto& one : present) {
    for (const auto& has : one.statement.names) {
      if (is_rival_path(has, name)) return one.statement.node;
    }
  }
  if (name.bound.empty()) return {};
  for (const auto& definition : definitions_of(tree, name.bound)) {
    if (!is_module_level(tree, definition)) continue;
    if (attempt && attempt.parent().range().contains(definition.range())) continue;
    const auto import = ancestor_with(tree, definition, Role::kImport);
    if (!import) return enclosing_statement(tree, definition);
    const auto statement = read_import(tree, import);
    const auto has = std::ranges::find_if(statement.names, [&](const ImportedName& one) {
      return one.node.range().contains(definition.range());
    });
    if (has == statement.names.end()) continue;
    if (!same_import(file.path(), statement, *has, wanted, name) &&
        !is_same_package(statement, *has, wanted, name))
      return import;
  }
  return {};
}

}  // namespace

std::vector<PresentImport> present_imports(const ParsedFile& file) {
  std::vector<PresentImport> found;
  const auto& tree = file.tree();
  walk(tree.root(), [&](const Node& node) {
    if (!has_role(tree, node, Role::kImport))
      return !has_role(tree, node, Role::kScope) || has_role(tree, node, Role::kModuleScope);
    if (auto one = reach_of(file, node)) {
      one->statement = read_import(tree, node);
      if (!one->statement.names.empty() || one->statement.is_open) found.push_back(std::move(*one));
    }
    return false;
  });
  return found;
}

bool same_import(std::string_view path, const ImportStatement& present,
                 const ImportedName& present_name, const ImportStatement& wanted,
                 const ImportedName& wanted_name) {
  if (present.is_from != wanted.is_from || present_name.bound != wanted_name.bound) return false;
  if (wanted.is_from)
    return present_name.name == wanted_name.name &&
           same_module(path, present.module, wanted.module);
  if (present_name.has_alias != wanted_name.has_alias) return false;
  return present_name.name == wanted_name.name ||
         (!wanted_name.bound.empty() && !wanted_name.has_alias &&
          present_name.name.starts_with(wanted_name.name + "."));
}

ImportState state_of(const ParsedFile& file, const std::vector<PresentImport>& present,
                     const ImportStatement& wanted, const ImportedName& name) {
  ImportState state;
  Node attempt;
  for (const auto& one : present) {
    for (const auto& has : one.statement.names) {
      if (!same_import(file.path(), one.statement, has, wanted, name)) continue;
      const bool counts = one.reach == ImportReach::kAlways ||
                          one.reach == ImportReach::kFallback ||
                          (one.reach == ImportReach::kTypes && wanted.for_types);
      if (counts && state.kind != ImportState::Kind::kHeld) {
        state = {ImportState::Kind::kHeld, has.node};
        attempt = one.attempt;
      } else if (one.reach == ImportReach::kConditional &&
                 state.kind == ImportState::Kind::kMissing) {
        state = {ImportState::Kind::kConditional, one.statement.node};
      }
    }
  }
  if (const auto other = rival(file, present, wanted, name, attempt))
    return {ImportState::Kind::kTaken, other};
  return state;
}

}  // namespace portpatch
