// Lock files that a killed git has left in the git dir, which would stop every git after it.
#pragma once

#include <string>

#include "apply/file_system.h"
#include "base/diagnostic.h"
#include "repo/work_tree.h"

namespace portpatch {

/// Waits for a git that holds the lock of the index, of HEAD or of `branch`; removes a lock that
/// stays while no git runs in this tree. Fails with "git-running" while one does.
[[nodiscard]] Result<void> clear_git_locks(const WorkTree& tree, FileSystem& files,
                                           const std::string& branch);

}  // namespace portpatch
