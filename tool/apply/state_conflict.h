// Whether someone has gone on working since a run that moves HEAD was killed.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "repo/manifest.h"
#include "repo/work_tree.h"

namespace portpatch {

/// Fails with "interrupted-run-conflict" where HEAD is at a branch or a commit that the run of
/// `manifest`, which was to join `commits`, cannot have brought it to.
[[nodiscard]] Result<void> check_nobody_moved_on(const WorkTree& tree, const Manifest& manifest,
                                                 const std::vector<std::string>& commits);

/// Keeps HEAD's commit under a ref; says under which.
[[nodiscard]] Result<std::string> keep_head(const WorkTree& tree, const Manifest& manifest);

}  // namespace portpatch
