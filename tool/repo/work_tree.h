// The tree that portpatch works on: a git work tree, any folder, or a revision of a repository.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace portpatch {

struct WorkTree {
  std::string root;        ///< real path (no links) of the tree's top folder, no trailing slash
  std::string git_dir;     ///< this work tree's own git dir; empty for a plain folder
  std::string common_dir;  ///< the git dir that linked work trees share; empty for a plain folder
  std::string state_dir;   ///< where portpatch keeps journal, lock and hints: GIT_DIR/portpatch, or
                           ///< ROOT/.portpatch for a plain folder; may not exist yet
  std::string revision = {};  ///< full id of the commit that is read instead of the files on disk
  std::vector<std::string> left_out = {};  ///< paths of that commit that are not listed, sorted

  [[nodiscard]] bool is_git() const { return !git_dir.empty(); }
};

/// The work tree around `folder`: the nearest parent with a `.git` folder or file (followed as git
/// does, for submodules and linked work trees too), else `folder` itself as a plain folder (or its
/// nearest parent that has a `.portpatch` folder). Reads a few small files; does not load libgit2.
/// GIT_DIR and the like in the environment and core.worktree are not looked at. Fails with
/// "bare-repository" (also inside a git dir), "missing-folder" or "broken-git-file".
[[nodiscard]] Result<WorkTree> open_work_tree(std::string_view folder);

/// The repository around `folder` for reading one of its revisions (the caller sets it): as above,
/// and a bare one as well, whose `root` is its git dir.
[[nodiscard]] Result<WorkTree> open_repository_tree(std::string_view folder);

/// Paths of the tracked regular files (git: the index, stage 0, no symbolic links, submodules or
/// skip-worktree entries; plain folder: every regular file, without `.portpatch`, `.git`,
/// `node_modules`, `__pycache__`), relative to the root, sorted bytewise. A tracked file that is
/// missing in the work tree is listed: its reader reports it. Does not load libgit2. Fails with
/// "sha256-repository", "damaged-index", "unsupported-index" or "unreadable-folder".
[[nodiscard]] Result<std::vector<std::string>> list_files(const WorkTree& tree);

/// What git has under way in this work tree ("rebase", "merge", "cherry-pick", "revert", "bisect"),
/// or nothing. From the files in the git dir, without libgit2.
[[nodiscard]] Result<std::optional<std::string>> operation_in_progress(const WorkTree& tree);

}  // namespace portpatch
