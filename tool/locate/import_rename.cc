#include "locate/import_rename.h"

#include <algorithm>
#include <set>
#include <vector>

#include "base/literal_finder.h"
#include "syntax/imports.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

/// One import by what it makes known.
struct Import {
  std::string module;
  std::set<std::string> names;
};

std::vector<Import> imports_of(const ParsedFile& file) {
  std::vector<Import> found;
  const auto& tree = file.tree();
  walk(tree.root(), [&](const Node& node) {
    if (node.is_extra()) return false;
    if (!has_role(tree, node, Role::kImport)) return true;
    const auto statement = read_import(tree, node);
    if (statement.is_from) {
      Import import{statement.module, {}};
      for (const auto& name : statement.names) import.names.insert(name.bound);
      found.push_back(std::move(import));
    } else {
      for (const auto& name : statement.names) {
        if (name.has_alias) found.push_back({name.name, {name.bound}});
      }
    }
    return false;
  });
  return found;
}

bool is_within(std::string_view module, std::string_view prefix) {
  return module == prefix || (module.starts_with(prefix) && module.size() > prefix.size() &&
                              module[prefix.size()] == '.');
}

/// Both without the components that they end with in common.
std::pair<std::string, std::string> without_common_end(const std::string& one,
                                                       const std::string& two) {
  auto a = one, b = two;
  for (;;) {
    const auto i = a.rfind('.'), k = b.rfind('.');
    if (i == std::string::npos || k == std::string::npos || a.substr(i) != b.substr(k))
      return {a, b};
    a.resize(i);
    b.resize(k);
  }
}

}  // namespace

ModuleRenames renamed_modules(const ParsedFile& before, const ParsedFile& after) {
  const auto old_imports = imports_of(before), new_imports = imports_of(after);
  ModuleRenames renames;
  std::set<std::string> doubtful;
  for (const auto& old : old_imports) {
    for (const auto& now : new_imports) {
      if (old.module == now.module || old.names.empty() || old.names != now.names) continue;
      const auto [from, to] = without_common_end(old.module, now.module);
      const auto is_used = [&](const Import& import) { return is_within(import.module, from); };
      if (std::ranges::any_of(new_imports, is_used)) continue;
      const auto [known, is_new] = renames.emplace(from, to);
      if (!is_new && known->second != to) doubtful.insert(from);
    }
  }
  for (const auto& from : doubtful) renames.erase(from);
  return renames;
}

std::string renamed(const std::string& module, const ModuleRenames& renames) {
  const std::pair<const std::string, std::string>* best = nullptr;
  for (const auto& one : renames) {
    if (is_within(module, one.first) && (best == nullptr || one.first.size() > best->first.size()))
      best = &one;
  }
  return best == nullptr ? module : best->second + module.substr(best->first.size());
}

ModuleRenames renames_of(CommitFiles& files, const Language& language, const std::string& base,
                         const std::string& target, const std::string& module) {
  constexpr std::size_t kMostFiles = 40;
  const LiteralFinder finder(module);
  const auto now = files.history().files(target);
  if (!now) return {};
  // A file that cannot be read may name it, too.
  const bool is_gone = std::ranges::none_of(*now, [&](const TreeFile& file) {
    if (!language.owns(file.path)) return false;
    const auto text = files.text(file.blob);
    return !text || finder.occurs_in(*text);
  });
  if (!is_gone) return {};
  const auto then = files.history().files(base);
  if (!then) return {};
  std::vector<std::string> paths;
  for (const auto& file : *then) {
    if (paths.size() == kMostFiles) break;
    if (!language.owns(file.path)) continue;
    const auto text = files.text(file.blob);
    if (text && finder.occurs_in(*text)) paths.push_back(file.path);
  }
  ModuleRenames renames;
  for (const auto& path : paths) {
    const auto before = files.file_at(language, base, path),
               after = files.file_at(language, target, path);
    if (!before || !*before || !after || !*after) continue;
    for (const auto& [from, to] : renamed_modules(**before, **after)) {
      const auto [known, is_new] = renames.emplace(from, to);
      if (!is_new && known->second != to)
        known->second = from;  // two say different things: none is proved
    }
  }
  return renames;
}

}  // namespace portpatch
