#include "pack/pack_files.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/files.h"
#include "syntax/language.h"

namespace portpatch {

namespace {

namespace fs = std::filesystem;

/// Everything that load_pack reads: pack.toml, pack.lock and the files of the language folders;
/// also a rule that stands too high or too deep, which is a mistake.
bool belongs_to_pack(const fs::path& relative) {
  const auto depth = std::distance(relative.begin(), relative.end());
  if (*relative.begin() == "tests" || relative.filename().string().starts_with('.')) return false;
  if (depth != 2 && relative.extension() == ".scm") return true;
  return depth == 1 ? relative == "pack.toml" || relative == "pack.lock" : depth == 2;
}

/// Is it worth looking inside of this folder of a pack?
bool may_hold_rules(const fs::path& relative) {
  const auto first = relative.begin()->string();
  const auto depth = std::distance(relative.begin(), relative.end());
  return first != "tests" && !first.starts_with('.') &&
         (depth == 1 || (depth == 2 && find_language(first) != nullptr));
}

}  // namespace

Result<PackPath> find_pack(std::string_view path) {
  fs::path typed = std::string(path);
  std::string rule;
  for (fs::path at = typed; !at.empty(); at = at.parent_path()) {
    const auto kind = kind_of_path((at / "pack.toml").string());
    if (!kind) return std::unexpected(kind.error());
    if (*kind == PathKind::kFile) {
      if (rule.ends_with(".scm")) rule.resize(rule.size() - 4);
      auto shown = at.string();
      while (shown.size() > 1 && shown.ends_with('/')) shown.pop_back();
      return PackPath{shown, absolute_path(at.string()), rule};
    }
    if (!at.has_filename() && at != at.parent_path()) continue;  // a trailing slash
    if (!at.has_filename() || at.filename() == ".." || at.filename() == ".") break;
    rule = at.filename().string() + (rule.empty() ? "" : "/" + rule);
  }
  return failure(
      "no-pack",
      fmt::format("{} is no rule pack: neither it nor a folder above it has a pack.toml", path),
      "name a folder such as rules/sm120, or one rule of it as rules/sm120/python/RULE");
}

Result<PackFiles> read_pack_files(const PackPath& where) {
  PackFiles result{.folder = where.folder, .rule = where.rule, .hash = {}, .files = {}};
  std::error_code error;
  const fs::recursive_directory_iterator end;
  // A language's folder may be a link.
  for (fs::recursive_directory_iterator it(where.folder,
                                           fs::directory_options::follow_directory_symlink, error);
       it != end; it.increment(error)) {
    if (error) break;
    const auto relative = it->path().lexically_relative(where.folder);
    if (it->is_directory(error)) {
      if (!may_hold_rules(relative)) it.disable_recursion_pending();
      continue;
    }
    if (!belongs_to_pack(relative)) continue;
    auto content = read_file(it->path().string());
    if (!content) return std::unexpected(content.error());
    result.files.emplace_back(relative.string(), std::move(*content));
  }
  if (error) return unreadable(where.typed, error.value());
  std::ranges::sort(result.files);
  std::string all = where.rule;
  for (const auto& [name, content] : result.files) {
    all += fmt::format("\n{} {} {}\n", name.size(), content.size(), name);
    all += content;
  }
  result.hash = sha256(all);
  return result;
}

Result<PackFiles> read_pack_files(std::string_view path) {
  const auto where = find_pack(path);
  if (!where) return std::unexpected(where.error());
  return read_pack_files(*where);
}

Result<std::vector<std::string>> side_files(const std::string& folder, const std::string& rule) {
  const auto parent = fs::path(rule).parent_path();
  const auto prefix = fs::path(rule).filename().string() + ".";
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(fs::path(folder) / parent, error), end; !error && it != end;
       it.increment(error)) {
    const auto file = it->path().filename().string();
    const bool is_named_so = file.starts_with(prefix) && !file.ends_with(".scm") &&
                             std::ranges::count(file.substr(prefix.size()), '.') == 1;
    if (!is_named_so) continue;
    const auto kind = kind_of_path(it->path().string());
    if (!kind) return std::unexpected(kind.error());
    if (*kind == PathKind::kFile) names.push_back((parent / file).string());
  }
  if (error) return unreadable((fs::path(folder) / parent).string(), error.value());
  std::ranges::sort(names);
  return names;
}

}  // namespace portpatch
