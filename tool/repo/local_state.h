// What a work tree holds that no commit does: the files that differ from HEAD, and the index.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "repo/manifest.h"
#include "repo/work_tree.h"

namespace portpatch {

/// What a commit or the index says of a path; both empty where it has none.
struct StoredFile {
  std::string mode;  ///< "100644", "100755"
  std::string blob;  ///< full id; of an intent-to-add entry nothing but zeros

  bool operator==(const StoredFile&) const = default;
};

/// A tracked file that differs from HEAD on disk or in the index.
struct LocalFile {
  std::string path;
  std::optional<std::string> bytes;  ///< on disk, unfiltered; nullopt: it is not there
  unsigned permissions = 0;          ///< on disk
  StoredFile head, index;
  bool is_executable_changed = false;  ///< git sees another executable bit than HEAD's
  bool is_intent_to_add = false;
  bool is_hidden = false;  ///< assume-unchanged or skip-worktree: git does not look, so it may
                           ///< differ

  /// The index says something else than HEAD.
  [[nodiscard]] bool is_staged() const { return !is_hidden && (head != index || is_intent_to_add); }
};

struct LocalState {
  GitPosition position;
  std::string index_bytes;                   ///< of git's index file; empty when there is none
  std::vector<LocalFile> files;              ///< by path
  std::vector<std::string> submodules;       ///< that differ from what HEAD records, by path
  std::vector<std::string> not_checked_out;  ///< by a sparse checkout, by path
};

/// A path, and why its change cannot be saved.
using LeftOut = std::pair<std::string, std::string>;

/// Reads the state; changes nothing. Fails with "unmerged-index", "no-commit" (nothing is committed
/// yet), "unsaveable" (a symbolic link, or something that is no file, stands where HEAD has a file;
/// with `left_out` that is added to it instead), "unreadable-file" or "git-failed".
[[nodiscard]] Result<LocalState> read_local_state(const WorkTree& tree,
                                                  std::vector<LeftOut>* left_out = nullptr);

/// The branch, HEAD and index. Fails with "no-commit" or "git-failed".
[[nodiscard]] Result<GitPosition> read_git_position(const WorkTree& tree);

/// The ids of the blobs that git would store for the files on disk, one for each of `paths`; for
/// their bytes as they are, without `filtered`. Precondition: they are regular files.
[[nodiscard]] Result<std::vector<std::string>> disk_blob_ids(const WorkTree& tree,
                                                             const std::vector<std::string>& paths,
                                                             bool filtered);

/// What no commit holds and a checkout of a new file `path` would overwrite: a file there, a file
/// (or link) where a folder is to come, or files in a folder where a file is to come. `tracked`:
/// the paths of the index, sorted.
[[nodiscard]] Result<std::vector<std::string>> untracked_at(const WorkTree& tree,
                                                            const std::vector<std::string>& tracked,
                                                            const std::string& path);
/// Every file that git neither tracks nor ignores, sorted.
[[nodiscard]] Result<std::vector<std::string>> untracked_paths(const WorkTree& tree);
/// Every path of the index, sorted.
[[nodiscard]] Result<std::vector<std::string>> tracked_paths(const WorkTree& tree);

/// One line of `git status` about a tracked file.
struct StatusLine {
  std::string path;
  StoredFile head, index;
  std::string disk_mode;
  bool is_submodule = false, is_unmerged = false, is_intent_to_add = false;
};
[[nodiscard]] Result<std::vector<StatusLine>> read_git_status(const WorkTree& tree);

}  // namespace portpatch
