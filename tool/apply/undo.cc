// undo_run() alone, apart from transaction.cc: a run that writes what another one's backup holds.
#include <algorithm>

#include <fmt/format.h>

#include "apply/journal.h"
#include "apply/recovery.h"
#include "apply/run_writer.h"
#include "apply/session.h"
#include "apply/state_run.h"
#include "apply/target.h"
#include "apply/transaction.h"
#include "apply/write_failure.h"
#include "base/digest.h"
#include "base/files.h"

namespace portpatch {
namespace {

/// The bytes that the file of `entry` has now.
Result<std::optional<std::string>> current_bytes(Session& session, const ManifestEntry& entry) {
  const auto target = resolve_target(session.tree, session.files, entry.path);
  if (!target) return std::unexpected(target.error());
  auto bytes = read_if_there(session.files, target->path);
  if (!bytes) return write_failure(bytes.error(), "read", target->path);
  return std::move(*bytes);
}

bool reads(const std::optional<std::string>& bytes, const std::optional<std::string>& hash) {
  return bytes ? hash && sha256(*bytes) == *hash : !hash;
}

Result<FileWrite> plan_restore(Session& session, std::string_view id, const ManifestEntry& entry,
                               std::optional<std::string> current) {
  FileWrite write{.change = {.path = entry.path, .before = std::move(current), .after = {}},
                  .permissions = std::nullopt};
  if (!entry.before) return write;
  auto bytes = session.backups->read(id, entry.stored);
  if (!bytes) return std::unexpected(bytes.error());
  if (!reads(*bytes, entry.before)) {
    return failure("damaged-backup", fmt::format("the backup of {} is damaged", entry.path));
  }
  write.change.after = std::move(*bytes);
  write.permissions = entry.mode;
  return write;
}

std::unexpected<Diagnostic> later_work(const Manifest& manifest, std::vector<std::string> paths) {
  Diagnostic diagnostic{
      .code = "later-work",
      .message = fmt::format("files have been changed since run {} ({})", manifest.id,
                             manifest.command),
      .remedy =
          "`portpatch undo --force` puts back the files as they were before that run, and can "
          "itself be undone"};
  for (auto& path : paths) diagnostic.notes.push_back("changed since: " + std::move(path));
  return std::unexpected(std::move(diagnostic));
}

Result<std::vector<FileWrite>> plan_restores(Session& session, const Manifest& manifest,
                                             bool force) {
  std::vector<FileWrite> writes;
  std::vector<std::string> changed;
  for (const auto& entry : manifest.entries) {
    auto current = current_bytes(session, entry);
    if (!current) return std::unexpected(current.error());
    if (!reads(*current, entry.after)) changed.push_back(entry.path);
    auto write = plan_restore(session, manifest.id, entry, std::move(*current));
    if (!write) return std::unexpected(write.error());
    writes.push_back(std::move(*write));
  }
  if (!force && !changed.empty()) return later_work(manifest, std::move(changed));
  return writes;
}

Result<Run> restore(Session& session, std::string_view id, bool force, std::string superseded) {
  const auto manifest = session.backups->manifest(id);
  if (!manifest) return std::unexpected(manifest.error());
  if (manifest->state) return undo_state_run(session, *manifest, force);
  const auto writes = plan_restores(session, *manifest, force);
  if (!writes) return std::unexpected(writes.error());
  auto run = write_run(session, *writes, fmt::format("undo {}", id), std::move(superseded));
  if (!run) return run;
  if (run->id.empty()) {
    return failure("nothing-to-undo", fmt::format("the files already read as before run {}", id));
  }
  for (auto it = manifest->folders.rbegin(); it != manifest->folders.rend(); ++it) {
    // The run made them; those that hold something else by now stay.
    (void)session.files.remove_folder(*it);
  }
  return run;
}

/// The run that `id` names, or the newest.
Result<std::string> find_run(const Session& session, std::string_view id) {
  const auto ids = session.backups->ids();
  if (!ids) return std::unexpected(ids.error());
  if (id.empty()) {
    if (ids->empty()) return failure("nothing-to-undo", "portpatch has not written to this tree");
    return ids->back();
  }
  if (std::ranges::find(*ids, id) == ids->end()) {
    return failure("unknown-run", fmt::format("there is no run {}", id),
                   "`portpatch undo --list` shows the runs");
  }
  return std::string(id);
}

/// Puts back the files of a run that could not be ended otherwise, in place of ending it.
Result<Run> settle(Session& session, const Journal& journal) {
  // They are named by the old journal, which the new run replaces.
  for (const auto& temporary : journal.temporaries) {
    (void)remove_if_there(session.files, temporary);
  }
  return restore(session, journal.manifest.id, true, print_journal(journal));
}

}  // namespace

Result<Run> undo_run(const WorkTree& tree, FileSystem& files, std::string_view id, bool force) {
  // Looking for something to undo makes no state folder, which would mark a plain folder as a tree.
  const auto kind = kind_of_path(tree.state_dir);
  if (!kind) return std::unexpected(kind.error());
  if (*kind == PathKind::kNothing) {
    return failure("nothing-to-undo", "portpatch has not written to this tree",
                   "with -C DIR another tree is meant");
  }
  auto session = open_session(tree, files);
  if (!session) return std::unexpected(session.error());
  auto recovered = recover(*session);
  if (!recovered && force && recovered.error().code == "interrupted-run-conflict") {
    if (auto state = recover_state_run(*session, true); !state || *state)
      recovered = std::move(state);
  }
  if (!recovered) {
    const auto journal = read_journal(tree, files);
    const bool is_meant = journal && *journal && (*journal)->stage == Stage::kRenaming &&
                          (id.empty() || id == (*journal)->manifest.id);
    if (!force || !is_meant) return std::unexpected(recovered.error());
    return settle(*session, **journal);
  }
  if (*recovered && (*recovered)->end == RunEnd::kRolledBack && id.empty()) {
    return failure("interrupted-run", describe(**recovered),
                   "run `portpatch undo` again to undo the run before it");
  }
  const auto wanted = find_run(*session, id);
  if (!wanted) return std::unexpected(wanted.error());
  auto run = restore(*session, *wanted, force, "");
  if (run && *recovered) run->notes.push_back(describe(**recovered));
  return run;
}

}  // namespace portpatch
