// `portpatch pull`: save what is local, let git pull, make the rules hold again, put the rest back;
// or, when any of it fails, everything as it was before.
#pragma once

#include <string>
#include <vector>

#include "apply/file_system.h"
#include "pipeline.h"

namespace portpatch {

struct PullRequest {
  Request request;                     ///< command, folder and packs of the apply within
  std::vector<std::string> arguments;  ///< for `git pull`, as typed behind `--`
  bool keep = false;           ///< local changes that the rules do not explain are carried over
  bool show_progress = false;  ///< git's own progress goes to standard error
  FileSystem* files = &real_file_system();
};

/// Pulls. Fails with what was in the way; then HEAD, index and files are as they were, and a note
/// says so. Rules that need a person do not fail it: the report says which local edits they leave
/// in the backup alone.
[[nodiscard]] std::expected<Report, std::vector<Diagnostic>> pull(PullRequest request);

}  // namespace portpatch
