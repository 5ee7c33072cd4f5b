#include "apply/recovery.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "apply/state_run.h"
#include "apply/write_failure.h"
#include "base/digest.h"

namespace portpatch {
namespace {

/// What a file of an unfinished run reads.
enum class FileState { kBefore, kAfter, kForeign };

struct Progress {
  FileState state = FileState::kForeign;
  bool is_ready = false;  ///< its new bytes wait in the temporary (or it is only to be removed)
};

std::string folder_of(const std::string& path) {
  return std::filesystem::path(path).parent_path().string();
}

/// SHA-256 of the file; nullopt where there is none.
SystemResult<std::optional<std::string>> hash_of(FileSystem& files, const std::string& path) {
  const auto bytes = read_if_there(files, path);
  if (bytes) return *bytes ? std::optional(sha256(**bytes)) : std::nullopt;
  if (bytes.error() == std::errc::not_a_directory) return std::nullopt;
  // A folder in the file's place reads like no file that a run writes.
  if (bytes.error() == std::errc::is_a_directory) return "";
  return std::unexpected(bytes.error());
}

Result<Progress> progress_of(FileSystem& files, const Journal& journal, std::size_t i) {
  const auto& entry = journal.manifest.entries[i];
  const auto hash = hash_of(files, journal.targets[i]);
  if (!hash) return write_failure(hash.error(), "read", journal.targets[i]);
  Progress progress{.state = *hash == entry.after    ? FileState::kAfter
                             : *hash == entry.before ? FileState::kBefore
                                                     : FileState::kForeign,
                    .is_ready = !entry.after};
  if (entry.after && progress.state != FileState::kAfter) {
    const auto waiting = hash_of(files, journal.temporaries[i]);
    if (!waiting) return write_failure(waiting.error(), "read", journal.temporaries[i]);
    progress.is_ready = *waiting == entry.after;
  }
  return progress;
}

Result<std::vector<Progress>> progress_of_all(FileSystem& files, const Journal& journal) {
  std::vector<Progress> all;
  for (std::size_t i = 0; i < journal.targets.size(); ++i) {
    const auto progress = progress_of(files, journal, i);
    if (!progress) return std::unexpected(progress.error());
    all.push_back(*progress);
  }
  return all;
}

Result<void> sync_folders(Session& session, const Journal& journal) {
  std::set<std::string> folders;
  for (const auto& target : journal.targets) folders.insert(folder_of(target));
  for (const auto& folder : folders) {
    if (auto synced = session.files.sync_folder(folder); !synced) {
      return write_failure(synced.error(), "sync the folder", folder);
    }
  }
  return {};
}

Result<void> remove_temporaries(Session& session, const Journal& journal) {
  for (const auto& temporary : journal.temporaries) {
    auto removed = remove_if_there(session.files, temporary);
    const bool no_folder = !removed && removed.error() == std::errc::not_a_directory;
    if (!removed && !no_folder) return write_failure(removed.error(), "remove", temporary);
  }
  return {};
}

/// Puts the new bytes, or the absence, of entry `i` in place.
SystemResult<void> advance(Session& session, const Journal& journal, std::size_t i) {
  const auto& target = journal.targets[i];
  if (!journal.manifest.entries[i].after) return session.files.remove(target);
  return session.files.rename(journal.temporaries[i], target);
}

/// Puts the bytes that entry `i` had before the run back in place, from the backup.
Result<void> restore(Session& session, const Journal& journal, std::size_t i) {
  const auto& entry = journal.manifest.entries[i];
  const auto& target = journal.targets[i];
  auto& files = session.files;
  if (!entry.before) {
    const auto removed = remove_if_there(files, target);
    if (!removed) return write_failure(removed.error(), "remove", target);
    return {};
  }
  const auto bytes = session.backups->read(journal.manifest.id, entry.stored);
  if (!bytes) return std::unexpected(bytes.error());
  if (sha256(*bytes) != entry.before) {
    return failure("damaged-backup", fmt::format("the backup of {} is damaged", entry.path));
  }
  auto like = files.status(target).value_or(FileStatus{});
  like.permissions = entry.mode;
  const auto& temporary = journal.temporaries[i];
  auto result = remove_if_there(files, temporary);
  if (result) result = write_new_file(files, temporary, *bytes, like, entry.mode);
  if (result) result = files.rename(temporary, target);
  if (!result) return write_failure(result.error(), "put back", target);
  return {};
}

Result<void> roll_back(Session& session, const Journal& journal,
                       const std::vector<Progress>& progress) {
  for (std::size_t i = 0; i < progress.size(); ++i) {
    if (progress[i].state != FileState::kAfter) continue;
    if (auto restored = restore(session, journal, i); !restored) return restored;
  }
  if (auto synced = sync_folders(session, journal); !synced) return synced;
  return abandon_run(session, journal);
}

std::unexpected<Diagnostic> conflict(const Session& session, const Journal& journal,
                                     const std::vector<Progress>& progress) {
  const auto& manifest = journal.manifest;
  Diagnostic diagnostic{
      .code = "interrupted-run-conflict",
      .message = fmt::format("run {} ({}) was interrupted while it wrote, and since then files of "
                             "it have been changed",
                             manifest.id, manifest.command),
      .remedy =
          "`portpatch undo --force` puts all files of that run back as they were before it, "
          "and can itself be undone"};
  for (std::size_t i = 0; i < progress.size(); ++i) {
    if (progress[i].state != FileState::kForeign) continue;
    diagnostic.notes.push_back("changed since: " + manifest.entries[i].path);
  }
  diagnostic.notes.push_back("the files before that run: " +
                             session.backups->location(manifest.id));
  return std::unexpected(std::move(diagnostic));
}

/// Rolls back, as completing is not possible for `reason`.
Result<Ending> end_rolled_back(Session& session, Journal journal,
                               std::optional<Diagnostic> reason) {
  const auto progress = progress_of_all(session.files, journal);
  if (!progress) return std::unexpected(progress.error());
  if (auto rolled = roll_back(session, journal, *progress); !rolled) {
    auto diagnostic = reason.value_or(rolled.error());
    diagnostic.notes.push_back(
        fmt::format("putting the files back failed too ({}); the next command tries again",
                    rolled.error().message));
    return std::unexpected(std::move(diagnostic));
  }
  return Ending{.end = RunEnd::kRolledBack,
                .manifest = std::move(journal.manifest),
                .reason = std::move(reason)};
}

Result<void> advance_all(Session& session, const Journal& journal,
                         const std::vector<Progress>& progress) {
  for (std::size_t i = 0; i < progress.size(); ++i) {
    if (progress[i].state == FileState::kAfter) continue;
    if (auto moved = advance(session, journal, i); !moved) {
      return write_failure(moved.error(), "replace", journal.targets[i]);
    }
  }
  return sync_folders(session, journal);
}

/// True when no file of the run has been renamed: what is foreign still has its temporary.
bool is_untouched(const Journal& journal, const std::vector<Progress>& progress) {
  for (std::size_t i = 0; i < progress.size(); ++i) {
    const bool waits = progress[i].is_ready && journal.manifest.entries[i].after.has_value();
    if (progress[i].state != FileState::kBefore && !waits) return false;
  }
  return true;
}

Result<void> end_journal(Session& session, const Journal& journal) {
  if (journal.superseded.empty()) return remove_journal(session.tree, session.files);
  return write_journal(session.tree, session.files, journal.superseded);
}

/// Takes back the commit point, so that a run that is to be abandoned is not completed when this
/// process is killed after it has dropped the backup.
Result<void> withdraw(Session& session, Journal journal) {
  journal.stage = Stage::kWriting;
  if (write_journal(session.tree, session.files, print_journal(journal))) return {};
  return end_journal(session, journal);  // needs no room on a full disk
}

}  // namespace

Result<void> abandon_run(Session& session, const Journal& journal) {
  if (auto removed = remove_temporaries(session, journal); !removed) return removed;
  for (auto it = journal.manifest.folders.rbegin(); it != journal.manifest.folders.rend(); ++it) {
    // Someone may have put a file there meanwhile; then the folder stays.
    (void)session.files.remove_folder(*it);
  }
  if (journal.stage == Stage::kRenaming) {
    if (auto withdrawn = withdraw(session, journal); !withdrawn) return withdrawn;
  }
  if (auto dropped = session.backups->drop(journal.manifest.id); !dropped) return dropped;
  return end_journal(session, journal);
}

Result<Ending> complete_run(Session& session, Journal journal) {
  auto progress = progress_of_all(session.files, journal);
  if (!progress) {
    return end_rolled_back(session, std::move(journal), std::move(progress.error()));
  }
  const auto is_foreign = [](const Progress& file) { return file.state == FileState::kForeign; };
  if (std::ranges::any_of(*progress, is_foreign)) {
    auto diagnostic = conflict(session, journal, *progress);
    if (!is_untouched(journal, *progress)) return diagnostic;
    diagnostic.error().code = "changed-meanwhile";
    diagnostic.error().message = "files were changed while portpatch was at work";
    diagnostic.error().remedy = "run the command again";
    return end_rolled_back(session, std::move(journal), std::move(diagnostic.error()));
  }
  const auto is_stuck = [](const Progress& file) {
    return file.state == FileState::kBefore && !file.is_ready;
  };
  if (std::ranges::any_of(*progress, is_stuck)) {
    return end_rolled_back(session, std::move(journal), std::nullopt);
  }
  if (auto advanced = advance_all(session, journal, *progress); !advanced) {
    return end_rolled_back(session, std::move(journal), std::move(advanced.error()));
  }
  if (auto removed = remove_journal(session.tree, session.files); !removed) {
    removed.error().notes.push_back("the files were written; the next command clears up");
    return std::unexpected(removed.error());
  }
  return Ending{.end = RunEnd::kCompleted, .manifest = std::move(journal.manifest)};
}

namespace {

Result<std::optional<Ending>> recover_files(Session& session) {
  std::optional<Ending> ending;
  // A run that settled an interrupted one, and was itself interrupted, leaves that one's journal.
  for (;;) {
    auto journal = read_journal(session.tree, session.files);
    if (!journal) return std::unexpected(journal.error());
    if (!*journal) return ending;
    if ((*journal)->stage == Stage::kRenaming) {
      auto completed = complete_run(session, std::move(**journal));
      if (!completed) return std::unexpected(completed.error());
      ending = std::move(*completed);
      continue;
    }
    if (auto abandoned = abandon_run(session, **journal); !abandoned) {
      return std::unexpected(abandoned.error());
    }
    ending = Ending{.end = RunEnd::kRolledBack, .manifest = std::move((*journal)->manifest)};
  }
}

}  // namespace

Result<std::optional<Ending>> recover(Session& session) {
  auto files = recover_files(session);
  if (!files) return files;
  auto state = recover_state_run(session);
  if (!state || *state) return state;
  return files;
}

std::string describe(const Ending& ending) {
  if (ending.manifest.state && ending.end == RunEnd::kRolledBack) {
    auto text = fmt::format(
        "the interrupted run {} ({}) was rolled back: HEAD, index and files are as before it",
        ending.manifest.id, ending.manifest.command);
    for (const auto& note : ending.notes) text += "; " + note;
    return text;
  }
  return fmt::format(
      "the interrupted run {} ({}) was {}", ending.manifest.id, ending.manifest.command,
      ending.end == RunEnd::kCompleted ? "completed" : "rolled back: its files are as before it");
}

}  // namespace portpatch
