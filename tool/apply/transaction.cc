#include "apply/transaction.h"

#include <algorithm>

#include <fmt/format.h>

#include "apply/journal.h"
#include "apply/recovery.h"
#include "apply/run_writer.h"
#include "apply/session.h"
#include "apply/state_journal.h"

namespace portpatch {

Result<Run> commit_changes(const WorkTree& tree, FileSystem& files,
                           const std::vector<FileChange>& changes, std::string_view command) {
  auto session = open_session(tree, files);
  if (!session) return std::unexpected(session.error());
  const auto recovered = recover(*session);
  if (!recovered) return std::unexpected(recovered.error());
  std::vector<FileWrite> writes;
  for (const auto& change : changes) {
    writes.push_back({.change = change, .permissions = std::nullopt});
  }
  auto run = write_run(*session, writes, command, "");
  if (run && *recovered) run->notes.push_back(describe(**recovered));
  return run;
}

Result<std::vector<Run>> list_runs(const WorkTree& tree) {
  auto& files = real_file_system();
  const auto backups = open_backups(tree, files);
  if (!backups) return std::unexpected(backups.error());
  const auto journal = read_journal(tree, files);
  if (!journal) return std::unexpected(journal.error());
  const auto state = read_state_journal(tree, files);
  if (!state) return std::unexpected(state.error());
  const auto ids = (*backups)->ids();
  if (!ids) return std::unexpected(ids.error());
  std::vector<Run> runs;
  for (const auto& id : *ids) {
    // The backup of a run that has changed nothing yet is no run.
    if (*journal && (*journal)->stage == Stage::kWriting && (*journal)->manifest.id == id) continue;
    if (*state && id >= (*state)->id) continue;
    const auto manifest = (*backups)->manifest(id);
    if (!manifest) return std::unexpected(manifest.error());
    runs.push_back(run_of(*manifest, **backups));
  }
  std::ranges::reverse(runs);
  return runs;
}

Result<std::optional<std::string>> interrupted_run(const WorkTree& tree) {
  const auto state = read_state_journal(tree, real_file_system());
  if (!state) return std::unexpected(state.error());
  const auto journal = read_journal(tree, real_file_system());
  if (!journal) return std::unexpected(journal.error());
  if (!*state && !*journal) return std::nullopt;
  const auto lock = state_lock(tree);
  if (!lock) return std::unexpected(lock.error());
  if (*state && *lock != StateLock::kFree) return std::nullopt;
  const auto is_at_work = is_locked(tree);
  if (!is_at_work) return std::unexpected(is_at_work.error());
  if (*state && !*is_at_work) {
    return fmt::format(
        "run {} ({}) was interrupted; the next command that writes puts HEAD, index and files back "
        "as they were before it",
        (*state)->id, (*state)->command);
  }
  if (!*journal || *is_at_work) return std::nullopt;
  const auto& [stage, manifest, targets, temporaries, superseded] = **journal;
  const bool has_written = stage == Stage::kRenaming || !superseded.empty();
  return fmt::format("run {} ({}) was interrupted {}; the next command that writes ends it first",
                     manifest.id, manifest.command,
                     has_written ? fmt::format("while it replaced {} files", targets.size())
                                 : std::string("before it changed a file"));
}

Result<std::optional<std::string>> recover_interrupted_run(const WorkTree& tree,
                                                           FileSystem& files) {
  const auto journal = read_journal(tree, files);
  if (!journal) return std::unexpected(journal.error());
  const auto state = read_state_journal(tree, files);
  if (!state) return std::unexpected(state.error());
  if (!*journal && !*state) return std::nullopt;
  const auto lock = state_lock(tree);
  if (!lock) return std::unexpected(lock.error());
  const bool is_own = *state && *lock == StateLock::kThisProcess;
  if (!*journal && (!*state || is_own)) return std::nullopt;
  auto session = open_session(tree, files);
  if (!session) return std::unexpected(session.error());
  const auto recovered = recover(*session);
  if (!recovered) return std::unexpected(recovered.error());
  if (!*recovered) return std::nullopt;
  return describe(**recovered);
}

}  // namespace portpatch
