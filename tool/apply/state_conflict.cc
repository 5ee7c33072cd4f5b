#include "apply/state_conflict.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "repo/git_program.h"
#include "repo/ref_files.h"

namespace portpatch {
namespace {

/// Author, date and subject of the commits after `base`: what a rebase keeps of them.
Result<std::set<std::string>> marks_of(const WorkTree& tree, const std::string& base,
                                       const std::string& head) {
  const auto printed = git_output(
      tree, {"log", "-z", "--no-show-signature", "--format=%an %ae %at %s", base + ".." + head});
  if (!printed) return std::unexpected(printed.error());
  const auto marks = split_nul(*printed);
  return std::set<std::string>(marks.begin(), marks.end());
}

/// Can a pull from `old` to `targets` have brought HEAD to `head`? To one of them, to a merge of
/// both, or to some of its own commits rebased onto a target.
Result<bool> is_made_by_pull(const WorkTree& tree, const std::string& head, const std::string& old,
                             const std::vector<std::string>& targets) {
  if (head == old || std::ranges::find(targets, head) != targets.end()) return true;
  const auto parents = git_output(tree, {"rev-list", "--parents", "-1", head});
  if (!parents) return std::unexpected(parents.error());
  const auto ids = split(trim(*parents), ' ');
  const auto is_one_of_us = [&](std::string_view id) {
    return id == old || std::ranges::find(targets, id) != targets.end();
  };
  if (ids.size() > 2 && std::all_of(ids.begin() + 1, ids.end(), is_one_of_us)) return true;
  for (const auto& target : targets) {
    const auto made = marks_of(tree, target, head), mine = marks_of(tree, target, old);
    if (!made) return std::unexpected(made.error());
    if (!mine) return std::unexpected(mine.error());
    if (std::ranges::includes(*mine, *made)) return true;
  }
  return false;
}

}  // namespace

Result<void> check_nobody_moved_on(const WorkTree& tree, const Manifest& manifest,
                                   const std::vector<std::string>& commits) {
  const auto& before = manifest.state->before;
  const auto read = read_ref(tree, "HEAD");
  if (!read) return std::unexpected(read.error());
  const auto& head = *read;
  if (!head || head->id.empty()) return {};
  const bool is_elsewhere = head->name.starts_with("refs/") && head->name != before.branch;
  const auto ours = is_made_by_pull(tree, head->id, before.head, commits);
  if (!ours) return std::unexpected(ours.error());
  if (*ours && !is_elsewhere) return {};
  return failure(
      "interrupted-run-conflict",
      fmt::format("run {} ({}) was interrupted, and since then {}", manifest.id, manifest.command,
                  is_elsewhere ? fmt::format("HEAD was switched to {}", head->name)
                               : fmt::format("the commit {} was made", head->id.substr(0, 12))),
      "`portpatch undo --force` puts HEAD, index and files back as they were before that run, and "
      "keeps the commit under a ref");
}

Result<std::string> keep_head(const WorkTree& tree, const Manifest& manifest) {
  const auto read = read_ref(tree, "HEAD");
  if (!read) return std::unexpected(read.error());
  const auto& head = *read;
  const auto name = fmt::format("refs/portpatch/rescued/{}", manifest.id);
  const auto kept = git_output(tree, {"update-ref", name, head ? head->id : ""});
  if (!kept) return std::unexpected(kept.error());
  return fmt::format("HEAD was {}, which is kept as {}", head->id.substr(0, 12), name);
}

}  // namespace portpatch
