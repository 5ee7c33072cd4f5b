#include "syntax/imports.h"

#include <algorithm>

#include "syntax/roles.h"

namespace portpatch {

namespace {

std::string compact(std::string_view text) {
  std::string out;
  std::ranges::copy_if(text, std::back_inserter(out),
                       [](char c) { return !std::string_view(" \t\r\n\\").contains(c); });
  return out;
}

ImportedName read_name(const SourceTree& tree, const Node& node) {
  ImportedName found{.name = {}, .bound = {}, .has_alias = false, .node = node};
  const auto alias = node.field("alias");
  found.has_alias = static_cast<bool>(alias);
  found.name = compact((alias ? node.field("name") : node).text(tree.text()));
  const auto bound = alias ? alias : descendant_with(tree, node, Role::kDefinition);
  if (bound) found.bound = bound.text(tree.text());
  return found;
}

/// `a.b.c` (a relative module as the file `path` sees it) without its dots in front.
std::string absolute(std::string_view path, std::string_view module) {
  const auto dots = std::min(module.find_first_not_of('.'), module.size());
  if (dots == 0) return std::string(module);
  auto folders = split(path, '/');
  if (folders.size() < dots) return std::string(module);
  folders.resize(folders.size() -
                 dots);  // the file itself, and a folder for each dot but the first
  std::string out;
  for (const auto folder : folders) out += (out.empty() ? "" : ".") + std::string(folder);
  const auto rest = module.substr(dots);
  return rest.empty() ? out : out + (out.empty() ? "" : ".") + std::string(rest);
}

}  // namespace

ImportStatement read_import(const SourceTree& tree, const Node& node) {
  ImportStatement statement{.node = node};
  statement.is_first = has_role(tree, node, Role::kImportFirst);
  walk(node, [&](const Node& part) {
    if (has_role(tree, part, Role::kImportFrom)) {
      statement.is_from = true;
      statement.module = compact(part.text(tree.text()));
      return false;
    }
    if (has_role(tree, part, Role::kOpenImport)) statement.is_open = true;
    if (!has_role(tree, part, Role::kImportName)) return true;
    statement.names.push_back(read_name(tree, part));
    return false;
  });
  return statement;
}

std::optional<std::vector<ImportStatement>> imports_of_text(const Fragment& fragment) {
  const auto& tree = fragment.tree();
  std::vector<ImportStatement> statements;
  const auto take = [&](const Node& node, bool for_types) {
    if (!has_role(tree, node, Role::kImport)) return false;
    statements.push_back(read_import(tree, node));
    statements.back().for_types = for_types;
    return !statements.back().names.empty();
  };
  std::vector<Node> comments = fragment.comments();
  for (const auto& node : fragment.nodes()) {
    const auto block = descendant_with(tree, node, Role::kImportTypes);
    if (!block) {
      if (!take(node, false)) return std::nullopt;
      continue;
    }
    if (block.parent() != node || node.named_children().back() != block) return std::nullopt;
    for (const auto& child : block.named_children()) {
      if (child.is_extra())
        comments.push_back(child);
      else if (!take(child, true))
        return std::nullopt;
    }
  }
  for (const auto& comment : comments) {
    const auto line = line_begin(tree.text(), comment.range().begin);
    const auto owner = std::ranges::find_if(statements, [&](const ImportStatement& one) {
      return line_begin(tree.text(), one.node.range().begin) == line;
    });
    if (owner == statements.end() || !owner->comment.empty()) return std::nullopt;
    owner->comment = comment.text(tree.text());
  }
  return statements;
}

bool same_module(std::string_view path, std::string_view one, std::string_view other) {
  if (one == other) return true;
  if (one.starts_with('.') == other.starts_with('.')) return false;
  const auto& relative = one.starts_with('.') ? one : other;
  const auto& whole = one.starts_with('.') ? other : one;
  // The folder that packages are looked for in is not known: two names in a row are proof enough.
  const auto full = absolute(path, relative);
  return whole.contains('.') && (full == whole || full.ends_with("." + std::string(whole)));
}

}  // namespace portpatch
