#include "apply/state_restore.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "apply/git_locks.h"
#include "apply/write_failure.h"
#include "base/digest.h"
#include "base/files.h"
#include "repo/git_program.h"
#include "repo/history.h"
#include "repo/local_state.h"
#include "repo/ref_files.h"

namespace portpatch {
namespace {

constexpr unsigned kNewFolder = 0777, kPrivate = 0600, kPrivateFolder = 0700;

std::string folder_of(const std::string& path) {
  return std::filesystem::path(path).parent_path().string();
}

SystemResult<void> make_folders(FileSystem& files, const std::string& path, unsigned permissions) {
  const auto status = status_if_there(files, path);
  if (!status) return std::unexpected(status.error());
  if (*status) return {};
  if (auto parent = make_folders(files, folder_of(path), permissions); !parent) return parent;
  auto made = files.make_folder(path, permissions);
  if (!made && made.error() == std::errc::file_exists) return {};
  return made;
}

/// Replaces the file at `path` as a whole.
Result<void> put_file(FileSystem& files, const std::string& path, std::string_view bytes,
                      unsigned permissions) {
  const auto temporary = path + ".portpatch-restore.tmp";
  FileStatus like = files.status(path).value_or(FileStatus{});
  like.permissions = permissions;
  auto result = make_folders(files, folder_of(path), kNewFolder);
  if (result) result = remove_if_there(files, temporary);
  if (result) result = write_new_file(files, temporary, bytes, like, permissions);
  if (result) result = files.rename(temporary, path);
  if (!result) (void)remove_if_there(files, temporary);
  if (result) result = files.sync_folder(folder_of(path));
  if (!result) return write_failure(result.error(), "put back", path);
  return {};
}

/// The hashes of all bytes that a backup holds, or that a run within this one wrote.
Result<std::set<std::string>> known_hashes(const Session& session, const Manifest& manifest) {
  std::set<std::string> known;
  const auto ids = session.backups->ids();
  if (!ids) return std::unexpected(ids.error());
  for (const auto& id : *ids) {
    if (id < manifest.id) continue;
    const auto other = session.backups->manifest(id);
    if (!other) return std::unexpected(other.error());
    for (const auto& entry : other->entries) {
      for (const auto& hash : {entry.before, entry.after}) {
        if (hash) known.insert(*hash);
      }
    }
    for (const auto& [path, hash] :
         other->state ? other->state->files_after : decltype(GitState::files_after)()) {
      if (hash) known.insert(*hash);
    }
  }
  return known;
}

/// Those of `paths`, regular files, of whose content git has no blob, neither as it would store it
/// nor byte for byte.
Result<std::vector<std::string>> not_in_git(const WorkTree& tree, std::vector<std::string> paths) {
  const auto history = History::open(tree);
  if (!history) return std::unexpected(history.error());
  for (const bool filtered : {true, false}) {
    if (paths.empty()) break;
    const auto ids = disk_blob_ids(tree, paths, filtered);
    if (!ids) return std::unexpected(ids.error());
    std::size_t next = 0;
    std::erase_if(paths,
                  [&](const std::string&) { return history->read((*ids)[next++]).has_value(); });
  }
  return paths;
}

/// What a reset to the state before would overwrite.
Result<std::vector<std::string>> endangered_paths(const WorkTree& tree, const Manifest& manifest) {
  std::vector<std::string> paths;
  const auto lines = read_git_status(tree);
  if (!lines) return std::unexpected(lines.error());
  for (const auto& line : *lines) {
    if (!line.is_submodule) paths.push_back(line.path);
  }
  const auto missing = git_output(tree, {"diff-index", "--cached", "--name-only", "--no-renames",
                                         "--diff-filter=D", "-z", manifest.state->before.head});
  if (!missing) return std::unexpected(missing.error());
  if (missing->empty()) return paths;
  const auto tracked = tracked_paths(tree);
  if (!tracked) return std::unexpected(tracked.error());
  for (const auto& path : split_nul(*missing)) {
    const auto found = untracked_at(tree, *tracked, path);
    if (!found) return std::unexpected(found.error());
    paths.insert(paths.end(), found->begin(), found->end());
  }
  std::ranges::sort(paths);
  paths.erase(std::ranges::unique(paths).begin(), paths.end());
  return paths;
}

/// Copies the file to STATE_DIR/rescued/ and says so.
Result<std::string> copy_away(Session& session, const Manifest& manifest, const std::string& path) {
  const auto bytes = session.files.read(session.tree.root + "/" + path);
  if (!bytes) return write_failure(bytes.error(), "read", path);
  const auto copy = fmt::format("{}/rescued/{}/{}", session.tree.state_dir, manifest.id, path);
  const auto made = make_folders(session.files, folder_of(copy), kPrivateFolder);
  if (!made) return write_failure(made.error(), "make the folder of", copy);
  if (auto put = put_file(session.files, copy, *bytes, kPrivate); !put)
    return std::unexpected(put.error());
  return fmt::format("{} had been changed meanwhile; that version is now {}", path, copy);
}

/// Copies what would be lost by a reset.
Result<std::vector<std::string>> rescue(Session& session, const Manifest& manifest) {
  const auto& tree = session.tree;
  const auto paths = endangered_paths(tree, manifest);
  if (!paths) return std::unexpected(paths.error());
  std::vector<std::string> notes, unknown;
  if (paths->empty()) return notes;
  const auto known = known_hashes(session, manifest);
  if (!known) return std::unexpected(known.error());
  for (const auto& path : *paths) {
    const auto full = tree.root + "/" + path;
    const auto found = status_if_there(session.files, full);
    if (!found) return write_failure(found.error(), "look at", full);
    const auto& status = *found;
    if (status && status->kind == FileKind::kLink) {
      std::error_code error;
      notes.push_back(fmt::format("the symbolic link {} led to {}", path,
                                  std::filesystem::read_symlink(full, error).string()));
    }
    if (!status || status->kind != FileKind::kRegular) continue;
    const auto bytes = session.files.read(full);
    if (!bytes) return write_failure(bytes.error(), "read", path);
    if (!known->contains(sha256(*bytes))) unknown.push_back(path);
  }
  const auto lost = not_in_git(tree, std::move(unknown));
  if (!lost) return std::unexpected(lost.error());
  for (const auto& path : *lost) {
    auto note = copy_away(session, manifest, path);
    if (!note) return std::unexpected(note.error());
    notes.push_back(std::move(*note));
  }
  return notes;
}

/// Forgets a merge or rebase that the run began; the tree had none under way before it.
Result<void> end_operation(Session& session) {
  const auto& dir = session.tree.git_dir;
  for (const auto* name : {"rebase-merge", "rebase-apply", "sequencer"}) {
    if (auto removed = session.files.remove_all(dir + "/" + name); !removed)
      return write_failure(removed.error(), "remove", dir + "/" + name);
  }
  for (const auto* name :
       {"MERGE_HEAD", "MERGE_MODE", "MERGE_MSG", "MERGE_RR", "MERGE_AUTOSTASH", "CHERRY_PICK_HEAD",
        "REVERT_HEAD", "REBASE_HEAD", "AUTO_MERGE", "SQUASH_MSG"}) {
    if (auto removed = remove_if_there(session.files, dir + "/" + name); !removed)
      return write_failure(removed.error(), "remove", dir + "/" + name);
  }
  return {};
}

Result<void> move_head(Session& session, const Manifest& manifest) {
  const auto& before = manifest.state->before;
  const auto head = before.branch.empty()
                        ? git_output(session.tree, {"update-ref", "--no-deref", "-m",
                                                    "portpatch: put back", "HEAD", before.head})
                        : git_output(session.tree, {"symbolic-ref", "-m", "portpatch: put back",
                                                    "HEAD", before.branch});
  if (!head) return std::unexpected(head.error());
  const auto reset = git_output(
      session.tree, {"-c", "submodule.recurse=false", "reset", "-q", "--hard", before.head});
  if (!reset) return std::unexpected(reset.error());
  return {};
}

/// Removes the file that git, killed on its way to `commit`, has left at `path`: it begins like the
/// commit's version, and git does not track it.
Result<void> remove_leftover(Session& session, const History& history, const std::string& commit,
                             const std::string& path, const std::string& blob) {
  const auto full = session.tree.root + "/" + path;
  const auto found = status_if_there(session.files, full);
  if (!found) return write_failure(found.error(), "look at", full);
  const auto& status = *found;
  if (!status || (status->kind != FileKind::kRegular && status->kind != FileKind::kLink)) return {};
  std::string bytes;
  if (status->kind == FileKind::kLink) {
    std::error_code error;
    bytes = std::filesystem::read_symlink(full, error).string();
  } else if (auto read = session.files.read(full)) {
    bytes = std::move(*read);
  } else {
    return write_failure(read.error(), "read", full);
  }
  const auto stored = history.read(blob);
  bool is_gits = stored && stored->starts_with(bytes);
  if (!is_gits && status->kind == FileKind::kRegular) {
    const auto filtered = run_git(session.tree, {"cat-file", "--filters", commit + ":" + path});
    if (!filtered) return std::unexpected(filtered.error());
    is_gits = filtered->status == 0 && filtered->out.starts_with(bytes);
  }
  if (!is_gits) return {};
  if (auto removed = session.files.remove(full); !removed)
    return write_failure(removed.error(), "remove", full);
  for (auto folder = folder_of(full); folder.size() > session.tree.root.size();
       folder = folder_of(folder)) {
    if (!session.files.remove_folder(folder)) break;
  }
  return {};
}

Result<void> remove_leftovers(Session& session, const Manifest& manifest,
                              const std::vector<std::string>& commits) {
  const auto history = History::open(session.tree);
  if (!history) return std::unexpected(history.error());
  std::set<std::string> mine;
  for (const auto& entry : manifest.entries) mine.insert(entry.path);
  for (const auto& commit : commits) {
    if (!history->has_commit(commit)) continue;
    const auto added = git_output(session.tree,
                                  {"diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev",
                                   "--diff-filter=A", manifest.state->before.head, commit});
    if (!added) return std::unexpected(added.error());
    const auto parts = split_nul(*added);
    for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
      const auto words = split(parts[i], ' ');
      if (words.size() < 5 || words[1] == "160000" || mine.contains(parts[i + 1])) continue;
      if (auto removed = remove_leftover(session, *history, commit, parts[i + 1],
                                         std::string(words[3]));
          !removed)
        return removed;
    }
  }
  return {};
}

Result<void> put_entry(Session& session, const Manifest& manifest, const ManifestEntry& entry) {
  const auto full = session.tree.root + "/" + entry.path;
  if (!entry.before) {
    auto removed = remove_if_there(session.files, full);
    if (!removed && removed.error() != std::errc::not_a_directory)
      return write_failure(removed.error(), "remove", full);
    return {};
  }
  const auto bytes = session.backups->read(manifest.id, entry.stored);
  if (!bytes) return std::unexpected(bytes.error());
  if (sha256(*bytes) != entry.before)
    return failure("damaged-backup", fmt::format("the backup of {} is damaged", entry.path));
  return put_file(session.files, full, *bytes, entry.mode);
}

/// As git replaces its index: through index.lock.
Result<void> put_index(Session& session, const Manifest& manifest) {
  const auto bytes = session.backups->read(manifest.id, manifest.state->stored_index);
  if (!bytes) return std::unexpected(bytes.error());
  const auto path = session.tree.git_dir + "/index", lock = path + ".lock";
  FileStatus like = session.files.status(path).value_or(FileStatus{.permissions = 0644});
  auto result = write_new_file(session.files, lock, *bytes, like, like.permissions);
  const bool is_ours = result || result.error() != std::errc::file_exists;
  if (result) result = session.files.rename(lock, path);
  if (!result && is_ours) (void)remove_if_there(session.files, lock);
  if (!result) return write_failure(result.error(), "write git's index", path);
  return {};
}

Result<void> check_restored(Session& session, const Manifest& manifest) {
  const auto now = read_git_position(session.tree);
  if (!now) return std::unexpected(now.error());
  if (*now == manifest.state->before) return {};
  return failure("restore-failed", "HEAD or the index are not what they were before the run",
                 "run `portpatch undo` to try again");
}

}  // namespace

Result<std::vector<std::string>> restore_state(Session& session, const Manifest& manifest,
                                               const std::vector<std::string>& commits) {
  if (auto cleared = clear_git_locks(session.tree, session.files, manifest.state->before.branch);
      !cleared)
    return std::unexpected(cleared.error());
  auto all = commits;
  const auto head = read_ref(session.tree, "HEAD");
  if (!head) return std::unexpected(head.error());
  if (*head && !(*head)->id.empty()) all.push_back((*head)->id);
  for (const auto* name : {"MERGE_HEAD", "rebase-merge/onto", "ORIG_HEAD"}) {
    const auto text = read_file_if_there(session.tree.git_dir + "/" + name);
    if (!text) return std::unexpected(text.error());
    if (*text && is_full_id(trim(**text))) all.emplace_back(trim(**text));
  }
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());

  auto notes = rescue(session, manifest);
  if (!notes) return notes;
  auto done = end_operation(session);
  if (done) done = move_head(session, manifest);
  if (done) done = remove_leftovers(session, manifest, all);
  for (const auto& entry : manifest.entries) {
    if (done) done = put_entry(session, manifest, entry);
  }
  if (done) done = put_index(session, manifest);
  if (done) done = check_restored(session, manifest);
  if (!done) return std::unexpected(done.error());
  return notes;
}

}  // namespace portpatch
