// What a run that moves HEAD is about to do, on the disk before it does it: while this journal is
// there, the next command that writes puts everything back as the run's backup has it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apply/session.h"

namespace portpatch {

struct StateJournal {
  std::string id, command;   ///< of the run
  bool is_changing = false;  ///< its backup is complete, and from now on git changes the tree
  std::string git_process;   ///< the git that was started last, as process_mark() names it
  std::vector<std::string> commits;  ///< whose files may have come into the tree
};

/// nullopt when there is none. Fails with "damaged-journal".
[[nodiscard]] Result<std::optional<StateJournal>> read_state_journal(const WorkTree& tree,
                                                                     FileSystem& files);
/// Replaces the journal as a whole and syncs it.
[[nodiscard]] Result<void> write_state_journal(const WorkTree& tree, FileSystem& files,
                                               const StateJournal& journal);
[[nodiscard]] Result<void> remove_state_journal(const WorkTree& tree, FileSystem& files);

/// Names a process so that another one which gets its id later is told from it; empty when it is
/// not there.
[[nodiscard]] std::string process_mark(int pid);
[[nodiscard]] bool is_running(const std::string& mark);

/// Who has taken take_state_lock().
enum class StateLock { kFree, kThisProcess, kOtherProcess };
[[nodiscard]] Result<StateLock> state_lock(const WorkTree& tree);
/// Takes the lock that a run which moves HEAD holds from its first look to its end, over several
/// sessions. Makes the state folder. Fails with "locked".
[[nodiscard]] Result<RunLock> take_state_lock(const WorkTree& tree, FileSystem& files);

}  // namespace portpatch
