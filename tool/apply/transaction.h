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
};

/// Writes `changes`, all or none. Takes the lock, completes or rolls back an interrupted run
/// before, checks that every file still reads `before`, backs up, writes and syncs temporaries
/// beside their targets, then renames. Modes are kept; a symbolic link inside the tree is followed
/// and its target written; one that leads out of the tree is refused.
/// Errors (nothing was changed): "locked", "changed-meanwhile", "outside-tree", "read-only",
/// "disk-full", "write-failed", "backup-failed".
[[nodiscard]] Result<Run> commit_changes(const WorkTree& tree, FileSystem& files,
                                         const std::vector<FileChange>& changes,
                                         std::string_view command);

/// Newest first. Reads only.
[[nodiscard]] Result<std::vector<Run>> list_runs(const WorkTree& tree);

/// Restores the files of run `id` (empty: the newest run) to what they were before it, as a new run of its
/// own, which can be undone in turn. Refuses ("later-work") when a file no longer reads what the
/// run wrote, unless `force`. Completes or rolls back an interrupted run first; when that run was the
/// newest and had not got as far as its renames, says so instead of undoing an older one.
[[nodiscard]] Result<Run> undo_run(const WorkTree& tree, FileSystem& files, std::string_view id,
                                   bool force);

/// What is left of a run that was killed: nullopt when there is nothing. Reads only.
[[nodiscard]] Result<std::optional<std::string>> interrupted_run(const WorkTree& tree);

}  // namespace portpatch
