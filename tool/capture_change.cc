#include "capture_change.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/files.h"
#include "repo/history.h"
#include "repo/local_state.h"

namespace portpatch {

namespace {

Result<Change> local_change(const WorkTree& tree) {
  Change change{.described = "the work tree's changes", .reason = "", .base = {}, .files = {}};
  const auto state = read_local_state(tree, &change.left_out);
  if (!state) return std::unexpected(state.error());
  const auto history = History::open(tree);
  if (!history) return std::unexpected(history.error());
  change.base = state->position.head;
  for (const auto& path : state->submodules)
    change.left_out.emplace_back(path, "a submodule: rules change files");
  auto untracked = untracked_paths(tree);
  if (!untracked) return std::unexpected(untracked.error());
  change.untracked = std::move(*untracked);
  for (const auto& file : state->files) {
    ChangedText text{file.path, std::nullopt, file.bytes};
    if (!file.head.blob.empty()) {
      auto bytes = history->read(file.head.blob);
      if (!bytes) return std::unexpected(bytes.error());
      text.before = std::move(*bytes);
    }
    change.files.push_back(std::move(text));
  }
  return change;
}

Result<Change> committed_change(const WorkTree& tree, const std::string& what) {
  const auto history = History::open(tree);
  if (!history) return std::unexpected(history.error());
  const auto dots = what.find("..");
  if (what.contains("..."))
    return failure("bad-range", fmt::format("`{}` is no range of commits", what),
                   "write A..B with two dots: what leads from A to B");
  const auto resolve = [&](std::string_view name) {
    return history->resolve(name.empty() ? "HEAD" : name);
  };
  const auto to = resolve(dots == std::string::npos ? std::string_view(what)
                                                    : std::string_view(what).substr(dots + 2));
  if (!to) return std::unexpected(to.error());
  const auto info = history->info(*to);
  if (!info) return std::unexpected(info.error());
  Change change{.described = describe(*info), .reason = info->subject, .base = {}, .files = {}};
  if (dots == std::string::npos) {
    auto parent = history->resolve(*to + "^");
    if (!parent) {
      return failure(
          "no-parent",
          fmt::format("{} has no parent in this repository: there is nothing to compare it with",
                      what),
          history->is_shallow() ? "`git fetch --unshallow` brings the history"
                                : "name a later commit, or a range A..B");
    }
    change.base = std::move(*parent);
  } else {
    auto from = resolve(std::string_view(what).substr(0, dots));
    if (!from) return std::unexpected(from.error());
    change.base = std::move(*from);
    change.described = fmt::format("{}, up to {}", what, describe(*info));
  }
  const auto files = history->changes(change.base, *to);
  if (!files) return std::unexpected(files.error());
  for (const auto& file : *files) {
    ChangedText text{file.path, std::nullopt, std::nullopt};
    for (auto [blob, slot] :
         {std::pair(&file.before, &text.before), std::pair(&file.after, &text.after)}) {
      if (blob->empty()) continue;
      auto bytes = history->read(*blob);
      if (!bytes) return std::unexpected(bytes.error());
      *slot = std::move(*bytes);
    }
    change.files.push_back(std::move(text));
  }
  return change;
}

/// Keeps what the paths name; an error names a path without a change.
std::optional<Diagnostic> keep_paths(const WorkTree& tree, const std::vector<std::string>& paths,
                                     Change& change) {
  if (paths.empty()) return std::nullopt;
  std::vector<std::string> wanted;
  for (const auto& path : paths) {
    const auto full = absolute_path(path);
    auto inside = full.starts_with(tree.root + "/") ? full.substr(tree.root.size() + 1) : path;
    while (inside.ends_with('/')) inside.pop_back();
    const auto is_there = [&](const std::string& file) {
      return full == tree.root || file == inside || file.starts_with(inside + "/");
    };
    const bool is_changed = std::ranges::any_of(
                                change.files,
                                [&](const ChangedText& file) { return is_there(file.path); }) ||
                            std::ranges::any_of(change.left_out, [&](const auto& one) {
                              return is_there(one.first);
                            });
    if (!is_changed && std::ranges::any_of(change.untracked, is_there)) {
      return failure("not-tracked", fmt::format("git does not track {}", path),
                     "rules change files that upstream has; keep a new file beside them")
          .error();
    }
    if (!is_changed && full != tree.root) {
      return failure("not-changed", fmt::format("nothing differs in {}", path),
                     fmt::format("captured is {}; `git status` lists the files that differ",
                                 change.described))
          .error();
    }
    wanted.push_back(full == tree.root ? "" : inside);
  }
  const auto is_unwanted = [&](const std::string& file) {
    return std::ranges::none_of(wanted, [&](const std::string& path) {
      return path.empty() || file == path || file.starts_with(path + "/");
    });
  };
  std::erase_if(change.files, [&](const ChangedText& file) { return is_unwanted(file.path); });
  std::erase_if(change.left_out, [&](const auto& one) { return is_unwanted(one.first); });
  std::erase_if(change.untracked, is_unwanted);
  return std::nullopt;
}

}  // namespace

Result<Change> read_change(const WorkTree& tree, const std::string& what,
                           const std::vector<std::string>& paths) {
  auto change = what.empty() ? local_change(tree) : committed_change(tree, what);
  if (!change) return change;
  if (auto error = keep_paths(tree, paths, *change)) return std::unexpected(*error);
  return change;
}

}  // namespace portpatch
