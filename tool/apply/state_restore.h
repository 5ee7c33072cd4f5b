// Back to a saved state of HEAD, branch, index and files. Every step can be repeated, so that a
// restoration that is killed is done again from its beginning.
#pragma once

#include <string>
#include <vector>

#include "apply/session.h"
#include "repo/manifest.h"

namespace portpatch {

/// Restores what `manifest.state->before` and the entries say. Content that is neither saved nor in
/// git is copied to STATE_DIR/rescued/ first; the returned notes say so. `commits`: whose files may
/// have been left behind. Precondition: no git of ours is running.
[[nodiscard]] Result<std::vector<std::string>> restore_state(
    Session& session, const Manifest& manifest, const std::vector<std::string>& commits);

}  // namespace portpatch
