// git itself, run as a program for what libgit2 does not do as git does: fetching with the user's
// credentials, pulling by the user's settings, resetting through filters and sparse checkouts.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/process.h"
#include "repo/work_tree.h"

namespace portpatch {

struct GitOptions {
  std::string input = {};
  bool with_hooks = false;   ///< the repository's hooks run, told by PORTPATCH_PULL=1
  bool show_errors = false;  ///< git's messages and progress go to standard error
  std::vector<std::pair<std::string, std::string>> set = {};  ///< variables
  std::function<Result<void>(int pid)> before_start = {};
};

/// Runs `git ARGUMENTS` at the top of `tree`, whose words are English; GIT_DIR and the like in the
/// environment, which belong to another repository or to the hook that started this process, are
/// not passed on. A status other than 0 is a result, not a failure. Fails with "no-program".
[[nodiscard]] Result<ProcessResult> run_git(const WorkTree& tree,
                                            std::vector<std::string> arguments,
                                            const GitOptions& options = {});

/// The same for a command that must succeed: what it prints. Fails with "git-failed" and git's
/// words.
[[nodiscard]] Result<std::string> git_output(const WorkTree& tree,
                                             std::vector<std::string> arguments,
                                             const GitOptions& options = {});

/// "git-failed": `git WHAT` ended with that status; git's own words as notes.
[[nodiscard]] std::unexpected<Diagnostic> git_failed(std::string_view what,
                                                     const ProcessResult& result);

/// The parts of `text` between NUL bytes.
[[nodiscard]] std::vector<std::string> split_nul(std::string_view text);

}  // namespace portpatch
