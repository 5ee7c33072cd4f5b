// A run that moves HEAD, the index and the files together: pull, and the undo of one. All that no
// commit holds is in its backup before git is asked to change anything; a run that is killed is
// rolled back by the next command that writes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apply/recovery.h"
#include "apply/run_writer.h"
#include "apply/session.h"
#include "apply/state_journal.h"
#include "repo/git_program.h"
#include "repo/local_state.h"

namespace portpatch {

struct StateRun {
  StateJournal journal;
  Manifest manifest;
  LocalState start;  ///< as it was before the run
};

/// Saves `start`, which was read under the state lock, as a backup. From here on the run is rolled
/// back unless it is finished. Ends an interrupted run first; then `start` may no longer be true,
/// so the caller does that before it reads.
[[nodiscard]] Result<StateRun> begin_state_run(Session& session, LocalState start,
                                               std::string_view command);

/// Says, before git is told to check them out, whose files may come into the tree.
[[nodiscard]] Result<void> expect_commits(const WorkTree& tree, FileSystem& files, StateRun& run,
                                          const std::vector<std::string>& commits);
/// What run_git() needs so that a git that outlives this process is noticed.
[[nodiscard]] GitOptions watched_git(const WorkTree& tree, FileSystem& files, StateRun& run);

/// Puts every file and the index back to HEAD. Fails with "changed-meanwhile", changing nothing,
/// where the tree is no longer as it was at the start.
[[nodiscard]] Result<void> clean_tree(const WorkTree& tree, StateRun& run);

/// Records how the run ended; from here `undo` takes it back. Drops the backups of the runs within.
[[nodiscard]] Result<void> finish_state_run(Session& session, StateRun& run);

/// Puts HEAD, branch, index and files back as they were at the start and forgets the run. Returns
/// what a person should know: where content was put that only stood in the tree since then.
[[nodiscard]] Result<std::vector<std::string>> roll_back_state_run(Session& session,
                                                                   const StateRun& run);

/// Ends a run of another process that was killed; nullopt when there is none. Fails with
/// "git-running" while the git that it started has not ended, and, changing nothing, with
/// "interrupted-run-conflict" where someone has committed or switched branches since. With `force`
/// that is put back too, and a ref keeps the commit.
[[nodiscard]] Result<std::optional<Ending>> recover_state_run(Session& session, bool force = false);

/// Makes HEAD, branch, index and files what they were before the run of `manifest`, as a run of its
/// own. Fails with "later-work" where they are no longer what that run left, unless `force`.
[[nodiscard]] Result<Run> undo_state_run(Session& session, const Manifest& manifest, bool force);

}  // namespace portpatch
