// The only place that writes to the tree. All files of a run or none; a backup first; a run that
// was killed at any instruction is completed or rolled back by the next one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apply/file_system.h"
#include "base/diagnostic.h"
#include "repo/work_tree.h"

namespace portpatch {

/// One file that a run wants to change.
struct FileChange {
  std::string path;                   ///< relative to the root; absolute for a file of a pack
  std::optional<std::string> before;  ///< the bytes it was planned against; nullopt: it is new
  std::optional<std::string> after;   ///< the bytes it shall have; nullopt: it shall be gone
};

/// A run that wrote, as `undo --list` shows it.
struct Run {
  std::string id;                  ///< "20260818T112721-0001": UTC time and a counter, sortable
  std::string command;             ///< "apply rules/sm120"
  std::vector<std::string> paths;  ///< as in FileChange
  std::string backup;              ///< ref name, or path of the folder
  std::vector<std::string> notes = {};  ///< what else was done: an interrupted run completed before
};

/// Writes `changes`, all or none. Takes the lock, completes or rolls back an interrupted run
/// before, checks that every file still reads `before`, backs up, writes and syncs temporaries
/// beside their targets, then renames. Modes are kept; a symbolic link inside the tree is followed
/// and its target written; one that leads out of the tree is refused. A change whose before equals
/// its after is checked but not written; when there is no other, the run has no id and no backup.
/// A file with several hard links becomes a file of its own.
/// Errors (nothing was changed): "locked", "changed-meanwhile", "outside-tree", "read-only",
/// "disk-full", "write-failed", "backup-failed", "interrupted-run-conflict", "damaged-journal", and
/// those of the repository ("foreign-owner", "sha256-repository", ...).
[[nodiscard]] Result<Run> commit_changes(const WorkTree& tree, FileSystem& files,
                                         const std::vector<FileChange>& changes,
                                         std::string_view command);

/// Newest first. Reads only.
[[nodiscard]] Result<std::vector<Run>> list_runs(const WorkTree& tree);

/// Restores the files of run `id` (empty: the newest run) to what they were before it, as a new run
/// of its own, which can be undone in turn. Refuses ("later-work") when a file no longer reads what
/// the run wrote, unless `force`. Completes or rolls back an interrupted run first; when that run
/// was the newest and did not get as far as its renames, fails with "interrupted-run" instead of
/// undoing an older one. `force` also settles "interrupted-run-conflict". Fails with
/// "nothing-to-undo" or "unknown-run" too, and as commit_changes() does.
[[nodiscard]] Result<Run> undo_run(const WorkTree& tree, FileSystem& files, std::string_view id,
                                   bool force);

/// What is left of a run that was killed, as a sentence: nullopt when there is nothing, or the run
/// is still going on. Reads only; does not load libgit2.
[[nodiscard]] Result<std::optional<std::string>> interrupted_run(const WorkTree& tree);

/// Completes or rolls back a run that was killed, so that what is planned next is planned against
/// whole files; says in a sentence what it did, nullopt when there was nothing (then nothing is
/// locked or loaded). Fails as commit_changes() does.
[[nodiscard]] Result<std::optional<std::string>> recover_interrupted_run(const WorkTree& tree,
                                                                         FileSystem& files);

}  // namespace portpatch
