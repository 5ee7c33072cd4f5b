// Backups of runs: what was in the files before a run wrote, so that `portpatch undo` can bring it
// back. In a git work tree a backup is a commit under a ref of its own, which git keeps and copies
// like every other; apply/folder_backup.h keeps them in a folder where there is no git.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "repo/manifest.h"
#include "repo/work_tree.h"

namespace portpatch {

/// The backups of one work tree. Ids are those of the runs.
class BackupStore {
 public:
  BackupStore() = default;
  BackupStore(const BackupStore&) = delete;
  BackupStore& operator=(const BackupStore&) = delete;
  virtual ~BackupStore() = default;

  /// What a person can name the backup by: a ref or a folder.
  [[nodiscard]] virtual std::string location(std::string_view id) const = 0;
  /// Oldest first.
  [[nodiscard]] virtual Result<std::vector<std::string>> ids() const = 0;
  /// Saves `contents[i]` as `manifest.entries[i].stored` (nothing where that is empty), the content
  /// behind those as the state's stored index, and the manifest. Replaces the backup of that id as
  /// a whole. Everything has reached the disk on return; after an error drop() clears up.
  [[nodiscard]] virtual Result<void> save(const Manifest& manifest,
                                          const std::vector<std::string_view>& contents) = 0;
  /// Fails with "damaged-backup" where it is missing or cannot be read.
  [[nodiscard]] virtual Result<Manifest> manifest(std::string_view id) const = 0;
  /// The bytes that were saved as `stored`. Fails with "damaged-backup".
  [[nodiscard]] virtual Result<std::string> read(std::string_view id,
                                                 std::string_view stored) const = 0;
  /// Forgets the backup, or what is left of it; no error when there is none.
  [[nodiscard]] virtual Result<void> drop(std::string_view id) = 0;
};

/// The refs `refs/portpatch/backup/main/*` of the main work tree, or `.../worktrees/NAME/*` of a
/// linked one (linked work trees share refs). Each names a commit whose tree holds the saved bytes,
/// unfiltered, and `manifest.json`; its parents are those of the manifest's state, if it has one.
/// Loads libgit2. Precondition: `tree` is a git work tree. Fails as open_repository() does.
[[nodiscard]] Result<std::unique_ptr<BackupStore>> open_git_backups(const WorkTree& tree);

}  // namespace portpatch
