#include "apply/run_writer.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "apply/journal.h"
#include "apply/recovery.h"
#include "apply/run_id.h"
#include "apply/target.h"
#include "apply/write_failure.h"
#include "base/digest.h"

namespace portpatch {
namespace {

constexpr unsigned kNewFile = 0666, kNewFolder = 0777;

/// A write whose target has been looked up.
struct Planned {
  const FileWrite* write = nullptr;
  Target target;
};

std::optional<std::string> hash_of(const std::optional<std::string>& bytes) {
  return bytes ? std::optional(sha256(*bytes)) : std::nullopt;
}

/// Fails unless the file reads what it was planned against.
Result<void> check_unchanged(FileSystem& files, const Planned& planned) {
  const auto& change = planned.write->change;
  const auto bytes = read_if_there(files, planned.target.path);
  if (!bytes) return write_failure(bytes.error(), "read", planned.target.path);
  if (*bytes == change.before) return {};
  const auto* what = !*bytes ? "is gone" : !change.before ? "has come into being" : "was changed";
  return failure("changed-meanwhile",
                 fmt::format("{} {} while portpatch was at work", change.path, what),
                 "run the command again");
}

/// Removing through a link would leave a link that leads nowhere.
Result<void> check_removable(Session& session, const FileChange& change) {
  if (change.after || change.path.starts_with('/')) return {};
  const auto status = status_if_there(session.files, session.tree.root + "/" + change.path);
  if (!status) return write_failure(status.error(), "look at", change.path);
  if (!*status || (*status)->kind != FileKind::kLink) return {};
  return failure("write-failed",
                 change.path + " is a symbolic link, which portpatch does not remove");
}

Result<Planned> plan_write(Session& session, const FileWrite& write) {
  if (auto removable = check_removable(session, write.change); !removable) {
    return std::unexpected(removable.error());
  }
  auto target = resolve_target(session.tree, session.files, write.change.path);
  if (!target) return std::unexpected(target.error());
  Planned planned{.write = &write, .target = std::move(*target)};
  if (auto unchanged = check_unchanged(session.files, planned); !unchanged) {
    return std::unexpected(unchanged.error());
  }
  return planned;
}

/// Checks every write and keeps those that change something.
Result<std::vector<Planned>> plan_writes(Session& session, const std::vector<FileWrite>& writes) {
  std::vector<Planned> all;
  std::set<std::string> targets;
  for (const auto& write : writes) {
    auto planned = plan_write(session, write);
    if (!planned) return std::unexpected(planned.error());
    if (!targets.insert(planned->target.path).second) {
      return failure("write-failed",
                     fmt::format("{} is to be written twice in one run", planned->target.path));
    }
    if (write.change.before != write.change.after) all.push_back(std::move(*planned));
  }
  return all;
}

std::string temporary_of(const Planned& planned, std::string_view id) {
  constexpr std::size_t kLongestName = 200;  // leaves room for the rest of at most 255 bytes
  const auto name = std::filesystem::path(planned.target.path).filename().string();
  return fmt::format("{}/.{}.portpatch-{}.tmp", planned.target.folder(),
                     name.substr(0, kLongestName), id);
}

ManifestEntry entry_of(const Planned& planned, std::size_t number) {
  const auto& change = planned.write->change;
  const auto stored = change.path.starts_with('/') ? fmt::format("pack/{}", number)
                                                   : "tree/" + change.path;
  return {.path = change.path,
          .before = hash_of(change.before),
          .after = hash_of(change.after),
          .mode = planned.target.status ? planned.target.status->permissions : 0,
          .stored = change.before ? stored : ""};
}

Journal journal_of(const std::vector<Planned>& all, std::string id, std::string_view command) {
  Journal journal;
  for (std::size_t i = 0; i < all.size(); ++i) {
    journal.manifest.entries.push_back(entry_of(all[i], i));
    journal.targets.push_back(all[i].target.path);
    journal.temporaries.push_back(temporary_of(all[i], id));
    for (const auto& folder : all[i].target.missing_folders) {
      auto& folders = journal.manifest.folders;
      if (std::ranges::find(folders, folder) == folders.end()) folders.push_back(folder);
    }
  }
  journal.manifest.id = std::move(id);
  journal.manifest.command = command;
  return journal;
}

Result<void> save_backup(Session& session, const Manifest& manifest,
                         const std::vector<Planned>& all) {
  std::vector<std::string_view> contents;
  for (const auto& planned : all) {
    const auto& before = planned.write->change.before;
    contents.push_back(before ? std::string_view(*before) : std::string_view());
  }
  auto saved = session.backups->save(manifest, contents);
  if (!saved) saved.error().code = "backup-failed";
  return saved;
}

SystemResult<void> make_folder(FileSystem& files, const std::string& path) {
  auto made = files.make_folder(path, kNewFolder);
  if (!made && made.error() != std::errc::file_exists) return made;
  return files.sync_folder(std::filesystem::path(path).parent_path().string());
}

SystemResult<void> write_temporary(FileSystem& files, const Planned& planned,
                                   const std::string& path) {
  auto like = planned.target.status;
  if (planned.write->permissions) {
    if (!like) like.emplace();
    like->permissions = *planned.write->permissions;
  }
  auto written = write_new_file(files, path, *planned.write->change.after, like, kNewFile);
  if (!written) return written;
  return files.sync_folder(planned.target.folder());
}

/// Everything before the commit point but the journal's last step.
Result<void> prepare(Session& session, const Journal& journal, const std::vector<Planned>& all) {
  if (auto saved = save_backup(session, journal.manifest, all); !saved) return saved;
  for (const auto& folder : journal.manifest.folders) {
    if (auto made = make_folder(session.files, folder); !made) {
      return write_failure(made.error(), "make the folder", folder);
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].write->change.after) continue;
    const auto& path = journal.temporaries[i];
    if (auto written = write_temporary(session.files, all[i], path); !written) {
      return write_failure(written.error(), "write", path);
    }
  }
  // All of that took its time: what someone saved meanwhile must not be lost.
  for (const auto& planned : all) {
    if (auto unchanged = check_unchanged(session.files, planned); !unchanged) return unchanged;
  }
  return {};
}

/// Moves the journal to `stage` and runs `prepare` before its last one; a failure leaves nothing.
Result<void> reach_commit_point(Session& session, Journal& journal,
                                const std::vector<Planned>& all) {
  auto result = write_journal(session.tree, session.files, print_journal(journal));
  if (result) result = prepare(session, journal, all);
  if (result) {
    journal.stage = Stage::kRenaming;
    result = write_journal(session.tree, session.files, print_journal(journal));
  }
  if (result) return {};
  if (auto abandoned = abandon_run(session, journal); !abandoned) {
    result.error().notes.push_back("clearing up failed too: " + abandoned.error().message);
  }
  return result;
}

/// A backup that cannot be pruned is tried again by the next run.
void prune(Session& session) {
  const auto ids = session.backups->ids();
  if (!ids) return;
  for (const auto& id : runs_to_prune(*ids, std::time(nullptr))) (void)session.backups->drop(id);
}

}  // namespace

Result<Run> write_run(Session& session, const std::vector<FileWrite>& writes,
                      std::string_view command, std::string superseded) {
  const auto all = plan_writes(session, writes);
  if (!all) return std::unexpected(all.error());
  if (all->empty())
    return Run{.id = "", .command = std::string(command), .paths = {}, .backup = ""};
  const auto ids = session.backups->ids();
  if (!ids) return std::unexpected(ids.error());

  auto journal = journal_of(*all, next_run_id(*ids, std::time(nullptr)), command);
  journal.superseded = std::move(superseded);
  if (auto reached = reach_commit_point(session, journal, *all); !reached) {
    return std::unexpected(reached.error());
  }
  auto ending = complete_run(session, std::move(journal));
  if (!ending) return std::unexpected(ending.error());
  if (ending->reason) return std::unexpected(std::move(*ending->reason));
  prune(session);
  return run_of(ending->manifest, *session.backups);
}

Run run_of(const Manifest& manifest, const BackupStore& backups) {
  Run run{.id = manifest.id,
          .command = manifest.command,
          .paths = {},
          .backup = backups.location(manifest.id)};
  for (const auto& entry : manifest.entries) run.paths.push_back(entry.path);
  return run;
}

}  // namespace portpatch
