// The hooks that make the rules hold after git has changed the tree. A hook that was there before
// is kept beside portpatch's and called first.
#pragma once

#include <string>
#include <vector>

#include "apply/file_system.h"
#include "base/diagnostic.h"
#include "repo/work_tree.h"

namespace portpatch {

enum class HookState {
  kAbsent,
  kInstalled,  ///< byte for byte as portpatch wrote it
  kChanged,    ///< portpatch's, and edited since
  kForeign,    ///< somebody else's
};
[[nodiscard]] std::string_view name_of(HookState state);

struct Hook {
  std::string name;  ///< "post-merge"
  std::string path;
  HookState state = HookState::kAbsent;
  std::vector<std::string> packs;  ///< that it applies
  std::string kept;                ///< where the hook from before is; empty when there was none
};

/// post-merge, post-rewrite and post-checkout, where git looks for them. Fails with
/// "no-repository", "git-failed" or "unreadable-file".
[[nodiscard]] Result<std::vector<Hook>> read_hooks(const WorkTree& tree, FileSystem& files);

/// Writes all three. `packs` as paths that the hook hands to `program`, an absolute path: relative
/// to the root of the tree, or absolute. Fails, changing nothing, with "shared-hooks" (the hooks'
/// folder is that of other repositories too), "changed-hook" or "two-hooks".
[[nodiscard]] Result<std::vector<Hook>> install_hooks(const WorkTree& tree, FileSystem& files,
                                                      const std::string& program,
                                                      const std::vector<std::string>& packs);
/// Takes out what install_hooks() wrote; hooks from before stand again as they were. Fails with
/// "changed-hook" where one was edited since.
[[nodiscard]] Result<std::vector<Hook>> uninstall_hooks(const WorkTree& tree, FileSystem& files);

/// The path of a pack for a hook: relative to the root where it is within the tree, else absolute.
[[nodiscard]] std::string hook_path_of(const WorkTree& tree, const std::string& pack);

/// What stands against writing to the tree from within the hook `name` with its `arguments`: what
/// git has under way ("rebase", "autostash", ...), or nothing.
[[nodiscard]] Result<std::string> in_the_way_of_hook(const WorkTree& tree, const std::string& name,
                                                     const std::vector<std::string>& arguments);

}  // namespace portpatch
