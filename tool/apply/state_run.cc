#include "apply/state_run.h"

#include <algorithm>
#include <ctime>

#include <fmt/format.h>

#include "apply/git_locks.h"
#include "apply/run_id.h"
#include "apply/state_conflict.h"
#include "apply/state_restore.h"
#include "base/digest.h"

namespace portpatch {
namespace {

std::optional<std::string> hash_of(const std::optional<std::string>& bytes) {
  return bytes ? std::optional(sha256(*bytes)) : std::nullopt;
}

Manifest manifest_of(const LocalState& start, std::string id, std::string_view command) {
  Manifest manifest{
      .id = std::move(id),
      .command = printable(command),
      .entries = {},
      .folders = {},
      .state = GitState{
          .before = start.position, .stored_index = "index", .parents = {start.position.head}}};
  for (const auto& file : start.files) {
    manifest.entries.push_back({.path = file.path,
                                .before = hash_of(file.bytes),
                                .after = std::nullopt,
                                .mode = file.permissions,
                                .stored = file.bytes ? "tree/" + file.path : ""});
  }
  return manifest;
}

Result<void> save(Session& session, const StateRun& run) {
  std::vector<std::string_view> contents;
  for (const auto& file : run.start.files)
    contents.push_back(file.bytes ? std::string_view(*file.bytes) : std::string_view());
  contents.push_back(run.start.index_bytes);
  auto saved = session.backups->save(run.manifest, contents);
  if (!saved) saved.error().code = "backup-failed";
  return saved;
}

/// A commit of what is staged, so that git keeps those blobs as long as the backup.
Result<void> keep_index(const WorkTree& tree, Manifest& manifest) {
  const auto written = git_output(tree, {"write-tree", "--missing-ok"});
  if (!written) return std::unexpected(written.error());
  const auto who = std::string("portpatch"), where = std::string("portpatch@localhost");
  const auto commit = git_output(tree,
                                 {"commit-tree", "-m", "portpatch: the index", "-p",
                                  manifest.state->before.head, std::string(trim(*written))},
                                 {.set = {{"GIT_AUTHOR_NAME", who},
                                          {"GIT_AUTHOR_EMAIL", where},
                                          {"GIT_COMMITTER_NAME", who},
                                          {"GIT_COMMITTER_EMAIL", where}}});
  if (!commit) return std::unexpected(commit.error());
  manifest.state->parents.emplace_back(trim(*commit));
  return {};
}

bool same_files(const LocalState& one, const LocalState& other) {
  return std::ranges::equal(one.files, other.files, [](const LocalFile& a, const LocalFile& b) {
    return a.path == b.path && a.bytes == b.bytes && a.index == b.index;
  });
}

/// The runs within a run, such as the apply of a pull, are part of it.
Result<void> drop_runs_within(Session& session, const std::string& id) {
  const auto ids = session.backups->ids();
  if (!ids) return std::unexpected(ids.error());
  for (const auto& other : *ids) {
    if (other <= id) continue;
    if (auto dropped = session.backups->drop(other); !dropped) return dropped;
  }
  return {};
}

Result<void> forget(Session& session, const std::string& id) {
  if (auto dropped = drop_runs_within(session, id); !dropped) return dropped;
  // Said first, so that a run whose backup is gone is never rolled back.
  auto journal = read_state_journal(session.tree, session.files);
  if (journal && *journal) {
    (*journal)->is_changing = false;
    if (auto written = write_state_journal(session.tree, session.files, **journal); !written)
      return written;
  }
  if (auto dropped = session.backups->drop(id); !dropped) return dropped;
  return remove_state_journal(session.tree, session.files);
}

std::unexpected<Diagnostic> later_work(const Manifest& manifest, std::string what) {
  Diagnostic diagnostic{.code = "later-work",
                        .message = fmt::format("the tree has been changed since run {} ({})",
                                               manifest.id, manifest.command),
                        .remedy =
                            "`portpatch undo --force` puts it back as it was before that run, and "
                            "can itself be undone"};
  diagnostic.notes.push_back(std::move(what));
  return std::unexpected(std::move(diagnostic));
}

/// Fails where the tree is not what the run of `manifest` left.
Result<void> check_left(const Manifest& manifest, const LocalState& now, bool force) {
  const auto& state = *manifest.state;
  if (now.position.branch != state.after.branch) {
    auto error = later_work(
        manifest, fmt::format("HEAD is at {} now",
                              now.position.branch.empty() ? "no branch" : now.position.branch));
    error.error().remedy = state.after.branch.empty()
                               ? fmt::format("git checkout {}", state.after.head)
                               : fmt::format("check out {} first: git switch {}",
                                             state.after.branch,
                                             state.after.branch.substr(
                                                 state.after.branch.rfind("heads/") + 6));
    return error;
  }
  if (force) return {};
  if (now.position.head != state.after.head)
    return later_work(manifest,
                      fmt::format("HEAD is {} now, and was {}", now.position.head.substr(0, 12),
                                  state.after.head.substr(0, 12)));
  std::vector<std::pair<std::string, std::optional<std::string>>> files;
  for (const auto& file : now.files) files.emplace_back(file.path, hash_of(file.bytes));
  for (const auto& file : files) {
    if (std::ranges::find(state.files_after, file) == state.files_after.end())
      return later_work(manifest, "changed since: " + file.first);
  }
  for (const auto& file : state.files_after) {
    if (std::ranges::find(files, file) == files.end())
      return later_work(manifest, "changed since: " + file.first);
  }
  if (now.position.index != state.after.index)
    return later_work(manifest, "the index has been changed since");
  return {};
}

}  // namespace

Result<StateRun> begin_state_run(Session& session, LocalState start, std::string_view command) {
  const auto ids = session.backups->ids();
  if (!ids) return std::unexpected(ids.error());
  StateRun run{.start = std::move(start)};
  run.manifest = manifest_of(run.start, next_run_id(*ids, std::time(nullptr)), command);
  run.journal = {.id = run.manifest.id, .command = run.manifest.command};
  auto result = write_state_journal(session.tree, session.files, run.journal);
  if (result) result = keep_index(session.tree, run.manifest);
  if (result) result = save(session, run);
  if (result) {
    run.journal.is_changing = true;
    result = write_state_journal(session.tree, session.files, run.journal);
  }
  if (result) return run;
  (void)clear_git_locks(session.tree, session.files,
                        run.start.position.branch);  // of a git that was killed
  if (auto forgotten = forget(session, run.manifest.id); !forgotten)
    result.error().notes.push_back("clearing up failed too: " + forgotten.error().message);
  return std::unexpected(result.error());
}

Result<void> expect_commits(const WorkTree& tree, FileSystem& files, StateRun& run,
                            const std::vector<std::string>& commits) {
  run.journal.commits.insert(run.journal.commits.end(), commits.begin(), commits.end());
  return write_state_journal(tree, files, run.journal);
}

GitOptions watched_git(const WorkTree& tree, FileSystem& files, StateRun& run) {
  return {.before_start = [&](int pid) {
    run.journal.git_process = process_mark(pid);
    return write_state_journal(tree, files, run.journal);
  }};
}

Result<void> clean_tree(const WorkTree& tree, StateRun& run) {
  const auto now = read_local_state(tree);
  if (!now) return std::unexpected(now.error());
  if (now->position != run.start.position || !same_files(*now, run.start)) {
    return failure("changed-meanwhile", "the tree was changed while portpatch was at work",
                   "run the command again");
  }
  const auto reset = git_output(tree,
                                {"-c", "submodule.recurse=false", "reset", "-q", "--hard", "HEAD"});
  if (!reset) return std::unexpected(reset.error());
  return {};
}

Result<void> finish_state_run(Session& session, StateRun& run) {
  const auto now = read_local_state(session.tree);
  if (!now) return std::unexpected(now.error());
  auto& state = *run.manifest.state;
  state.is_complete = true;
  state.after = now->position;
  for (const auto& file : now->files)
    state.files_after.emplace_back(file.path, hash_of(file.bytes));
  auto result = save(session, run);
  if (result) result = drop_runs_within(session, run.manifest.id);
  if (result) result = remove_state_journal(session.tree, session.files);
  return result;
}

Result<std::vector<std::string>> roll_back_state_run(Session& session, const StateRun& run) {
  auto notes = restore_state(session, run.manifest, run.journal.commits);
  if (!notes) {
    notes.error().notes.push_back(
        fmt::format("what was there before is in {}; `portpatch undo` tries again to put it back",
                    session.backups->location(run.manifest.id)));
    return notes;
  }
  if (auto forgotten = forget(session, run.manifest.id); !forgotten)
    return std::unexpected(forgotten.error());
  return notes;
}

Result<std::optional<Ending>> recover_state_run(Session& session, bool force) {
  const auto lock = state_lock(session.tree);
  if (!lock) return std::unexpected(lock.error());
  if (*lock != StateLock::kFree) return std::nullopt;
  const auto journal = read_state_journal(session.tree, session.files);
  if (!journal) return std::unexpected(journal.error());
  if (!*journal) return std::nullopt;
  const auto& [id, command, is_changing, git_process, commits] = **journal;
  Ending ending{.end = RunEnd::kRolledBack,
                .manifest = {.id = id, .command = command, .state = GitState{}}};
  if (is_changing) {
    if (is_running(git_process)) {
      return failure("git-running",
                     fmt::format("run {} ({}) was interrupted, but the git that it started "
                                 "(process {}) is still at work",
                                 id, command, git_process.substr(0, git_process.find(' '))),
                     "wait until it has ended, then run the command again");
    }
    auto manifest = session.backups->manifest(id);
    if (!manifest) return std::unexpected(manifest.error());
    ending.manifest = std::move(*manifest);
    if (ending.manifest.state->is_complete) {
      ending.end = RunEnd::kCompleted;
      auto result = drop_runs_within(session, id);
      if (result) result = remove_state_journal(session.tree, session.files);
      if (!result) return std::unexpected(result.error());
      return ending;
    }
    if (auto free = check_nobody_moved_on(session.tree, ending.manifest, commits); !free) {
      if (!force) return std::unexpected(free.error());
      auto kept = keep_head(session.tree, ending.manifest);
      if (!kept) return std::unexpected(kept.error());
      ending.notes.push_back(std::move(*kept));
    }
    auto notes = restore_state(session, ending.manifest, commits);
    if (!notes) return std::unexpected(notes.error());
    ending.notes.insert(ending.notes.end(), notes->begin(), notes->end());
  } else if (auto cleared = clear_git_locks(session.tree, session.files, ""); !cleared) {
    return std::unexpected(cleared.error());
  }
  if (auto forgotten = forget(session, id); !forgotten) return std::unexpected(forgotten.error());
  return ending;
}

Result<Run> undo_state_run(Session& session, const Manifest& manifest, bool force) {
  const auto under_way = operation_in_progress(session.tree);
  if (!under_way) return std::unexpected(under_way.error());
  if (const auto& operation = *under_way) {
    return failure(
        "operation-in-progress",
        fmt::format("a {} is under way in {}", *operation, session.tree.root),
        fmt::format("finish it or give it up (`git {} --abort`), then undo", *operation));
  }
  auto now = read_local_state(session.tree);
  if (!now) return std::unexpected(now.error());
  if (auto left = check_left(manifest, *now, force); !left) return std::unexpected(left.error());
  auto run = begin_state_run(session, std::move(*now), fmt::format("undo {}", manifest.id));
  if (!run) return std::unexpected(run.error());
  auto result = expect_commits(session.tree, session.files, *run, {manifest.state->before.head});
  Run undone;
  if (result) {
    auto notes = restore_state(session, manifest, {run->start.position.head});
    if (notes)
      undone.notes = std::move(*notes);
    else
      result = std::unexpected(notes.error());
  }
  if (result) result = finish_state_run(session, *run);
  if (!result) {
    if (auto back = roll_back_state_run(session, *run); !back)
      result.error().notes.push_back("putting the tree back failed too: " + back.error().message);
    return std::unexpected(result.error());
  }
  auto told = run_of(run->manifest, *session.backups);
  for (const auto& entry : manifest.entries) {
    if (std::ranges::find(told.paths, entry.path) == told.paths.end())
      told.paths.push_back(entry.path);
  }
  std::ranges::sort(told.paths);
  const auto& before = manifest.state->before;
  undone.notes.push_back(fmt::format("{} is {} again, with the index as it was",
                                     before.branch.empty() ? "HEAD" : before.branch,
                                     before.head.substr(0, 12)));
  told.notes = std::move(undone.notes);
  return told;
}

}  // namespace portpatch
