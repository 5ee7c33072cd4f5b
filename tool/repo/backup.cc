#include "repo/backup.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include <fmt/format.h>

#include "base/files.h"
#include "base/system_error.h"
#include "base/text.h"
#include "repo/repository.h"

namespace portpatch {
namespace {

using IndexHandle = GitHandle<git_index, &GitLibrary::git_index_free>;
using SignatureHandle = GitHandle<git_signature, &GitLibrary::git_signature_free>;
using CommitHandle = GitHandle<git_commit, &GitLibrary::git_commit_free>;
using TreeHandle = GitHandle<git_object, &GitLibrary::git_object_free>;
using ReferenceHandle = GitHandle<git_reference, &GitLibrary::git_reference_free>;
using IteratorHandle = GitHandle<git_reference_iterator, &GitLibrary::git_reference_iterator_free>;

constexpr std::string_view kManifest = "manifest.json";
constexpr unsigned kAnyExecute = 0111;

/// "main", or "worktrees/NAME": the name that git gave a linked work tree may itself be "main".
std::string id_of(const WorkTree& tree) {
  if (tree.git_dir == tree.common_dir) return "main";
  return "worktrees/" + std::filesystem::path(tree.git_dir).filename().string();
}

std::string message_of(const Manifest& manifest) {
  return fmt::format(
      "portpatch: files before `{}`\n\n"
      "The files as they were before portpatch wrote to them, under tree/ and pack/;\n"
      "manifest.json says which. `portpatch undo {}` puts them back.\n",
      printable(manifest.command), manifest.id);
}

class GitBackups : public BackupStore {
 public:
  GitBackups(Repository repository, std::string prefix, std::string common_dir)
      : repository_(std::move(repository)),
        git_(*repository_.git),
        prefix_(std::move(prefix)),
        common_dir_(std::move(common_dir)) {}

  std::string location(std::string_view id) const override { return prefix_ + std::string(id); }
  Result<std::vector<std::string>> ids() const override;
  Result<void> save(const Manifest& manifest,
                    const std::vector<std::string_view>& contents) override;
  Result<Manifest> manifest(std::string_view id) const override;
  Result<std::string> read(std::string_view id, std::string_view stored) const override;
  Result<void> drop(std::string_view id) override;

 private:
  [[nodiscard]] Result<void> check_whole(const std::vector<std::string>& ids) const;
  [[nodiscard]] git_repository* handle() const { return repository_.handle.get(); }
  [[nodiscard]] std::unexpected<Diagnostic> failed(std::string_view message) const {
    return git_failure(git_, "backup-failed", message);
  }
  Result<void> add(git_index* index, const std::string& path, std::string_view bytes,
                   bool executable);
  /// Only the holder of the work tree's lock writes these refs: a lock of one was left by a run
  /// that was killed.
  void remove_stale_lock(std::string_view id) const {
    std::error_code ignored;
    std::filesystem::remove(common_dir_ + "/" + location(id) + ".lock", ignored);
  }
  Result<git_oid> write_tree(const Manifest& manifest,
                             const std::vector<std::string_view>& contents);
  Result<git_oid> write_commit(const git_oid& tree, const Manifest& manifest);

  Repository repository_;
  const GitLibrary& git_;
  std::string prefix_;  ///< of the refs, with a slash at its end
  std::string common_dir_;
};

Result<std::vector<std::string>> GitBackups::ids() const {
  git_reference_iterator* raw = nullptr;
  if (git_.git_reference_iterator_glob_new(&raw, handle(), (prefix_ + "*").c_str()) < 0) {
    return failed("cannot list the backups");
  }
  const IteratorHandle iterator(raw);
  std::vector<std::string> ids;
  const char* name = nullptr;
  int status = 0;
  while ((status = git_.git_reference_next_name(&name, iterator.get())) == 0) {
    ids.push_back(std::string(name).substr(prefix_.size()));
  }
  if (status != GIT_ITEROVER) return failed("cannot list the backups");
  std::ranges::sort(ids);
  if (auto whole = check_whole(ids); !whole) return std::unexpected(whole.error());
  return ids;
}

/// libgit2 passes over refs that it cannot read: a backup that is not listed could be lost.
Result<void> GitBackups::check_whole(const std::vector<std::string>& ids) const {
  namespace fs = std::filesystem;
  if (auto packed = read_file_if_there(common_dir_ + "/packed-refs"); !packed)
    return std::unexpected(packed.error());
  const auto folder = common_dir_ + "/" + prefix_;
  std::error_code error;
  std::string unread;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const auto name = it->path().filename().string();
    if (!name.ends_with(".lock") && !std::ranges::binary_search(ids, name)) unread = name;
  }
  if (error == std::errc::no_such_file_or_directory) return {};
  if (!error && unread.empty()) return {};
  const auto path = folder + unread;
  if (!error) {
    if (auto text = read_file(path); !text) return std::unexpected(text.error());
  }
  return failure("damaged-backup",
                 fmt::format("cannot read the backups' refs in {}: {}", path,
                             error ? error.message() : "libgit2 passes over it"),
                 remedy_of(error ? error.value() : EIO));
}

Result<void> GitBackups::add(git_index* index, const std::string& path, std::string_view bytes,
                             bool executable) {
  git_index_entry entry{};
  entry.mode = executable ? GIT_FILEMODE_BLOB_EXECUTABLE : GIT_FILEMODE_BLOB;
  entry.path = path.c_str();
  if (git_.git_blob_create_from_buffer(&entry.id, handle(), bytes.data(), bytes.size()) < 0 ||
      git_.git_index_add(index, &entry) < 0) {
    return failed("cannot save " + path);
  }
  return {};
}

Result<git_oid> GitBackups::write_tree(const Manifest& manifest,
                                       const std::vector<std::string_view>& contents) {
  git_index* raw = nullptr;
  if (git_.git_index_new(&raw) < 0) return failed("cannot make a tree");
  const IndexHandle index(raw);
  for (std::size_t i = 0; i < manifest.entries.size(); ++i) {
    const auto& entry = manifest.entries[i];
    if (entry.stored.empty()) continue;
    const bool executable = (entry.mode & kAnyExecute) != 0;
    if (auto added = add(index.get(), entry.stored, contents[i], executable); !added) {
      return std::unexpected(added.error());
    }
  }
  if (manifest.state) {
    if (auto added = add(index.get(), manifest.state->stored_index,
                         contents[manifest.entries.size()], false);
        !added) {
      return std::unexpected(added.error());
    }
  }
  const auto text = print_manifest(manifest);
  if (auto added = add(index.get(), std::string(kManifest), text, false); !added) {
    return std::unexpected(added.error());
  }
  git_oid tree{};
  if (git_.git_index_write_tree_to(&tree, index.get(), handle()) < 0) {
    return failed("cannot write the backup's tree");
  }
  return tree;
}

Result<git_oid> GitBackups::write_commit(const git_oid& tree_id, const Manifest& manifest) {
  git_signature* raw_signature = nullptr;
  git_object* raw_tree = nullptr;
  if (git_.git_signature_now(&raw_signature, "portpatch", "portpatch@localhost") < 0) {
    return failed("cannot sign the backup");
  }
  const SignatureHandle signature(raw_signature);
  if (git_.git_object_lookup(&raw_tree, handle(), &tree_id, GIT_OBJECT_TREE) < 0) {
    return failed("cannot read the backup's tree");
  }
  const TreeHandle tree(raw_tree);
  std::vector<CommitHandle> owned;
  std::vector<const git_commit*> parents;
  for (const auto& id : manifest.state ? manifest.state->parents : std::vector<std::string>()) {
    const auto parent = object_id(git_, id);
    git_commit* raw = nullptr;
    if (git_.git_commit_lookup(&raw, handle(), &parent) < 0)
      return failed("cannot read the commit " + id);
    owned.emplace_back(raw);
    parents.push_back(raw);
  }
  git_oid commit{};
  if (git_.git_commit_create(&commit, handle(), nullptr, signature.get(), signature.get(), "UTF-8",
                             message_of(manifest).c_str(),
                             reinterpret_cast<const git_tree*>(tree.get()), parents.size(),
                             parents.data()) < 0) {
    return failed("cannot write the backup's commit");
  }
  // libgit2 1.5 may forget that it could not write it; why stands in its last error.
  auto unwritten = failed("cannot write the backup's commit");
  git_commit* raw = nullptr;
  if (git_.git_commit_lookup(&raw, handle(), &commit) < 0) return unwritten;
  const CommitHandle written(raw);
  return commit;
}

Result<void> GitBackups::save(const Manifest& manifest,
                              const std::vector<std::string_view>& contents) {
  const auto tree = write_tree(manifest, contents);
  if (!tree) return std::unexpected(tree.error());
  const auto commit = write_commit(*tree, manifest);
  if (!commit) return std::unexpected(commit.error());
  remove_stale_lock(manifest.id);
  git_reference* raw = nullptr;
  if (git_.git_reference_create(&raw, handle(), location(manifest.id).c_str(), &*commit, 1,
                                nullptr) < 0) {
    return failed("cannot write the ref " + location(manifest.id));
  }
  const ReferenceHandle reference(raw);
  remove_stale_lock(manifest.id);
  return {};
}

Result<Manifest> GitBackups::manifest(std::string_view id) const {
  const auto text = read(id, kManifest);
  if (!text) return std::unexpected(text.error());
  return parse_manifest(*text);
}

Result<std::string> GitBackups::read(std::string_view id, std::string_view stored) const {
  git_oid commit{};
  if (git_.git_reference_name_to_id(&commit, handle(), location(id).c_str()) < 0) {
    return git_failure(git_, "damaged-backup", "cannot read the backup " + location(id));
  }
  const auto blob = find_blob(repository_, commit, stored);
  if (!blob) return std::unexpected(blob.error());
  if (*blob) return read_blob(repository_, **blob);
  return failure("damaged-backup", fmt::format("the backup {} lacks {}", location(id), stored));
}

Result<void> GitBackups::drop(std::string_view id) {
  git_oid commit{};
  const auto name = location(id);
  remove_stale_lock(id);
  // Asked first, because libgit2 takes locks even to find that there is nothing to remove.
  if (git_.git_reference_name_to_id(&commit, handle(), name.c_str()) == GIT_ENOTFOUND) return {};
  if (git_.git_reference_remove(handle(), name.c_str()) == 0) return {};
  auto error = failed("cannot remove the ref " + name);
  // A full disk has no room for the lock that this takes. A run that is given up must not stay in
  // the list, and nobody else writes these refs.
  std::error_code ignored;
  std::filesystem::remove(common_dir_ + "/" + name, ignored);
  if (git_.git_reference_name_to_id(&commit, handle(), name.c_str()) == GIT_ENOTFOUND) return {};
  return error;
}

}  // namespace

Result<std::unique_ptr<BackupStore>> open_git_backups(const WorkTree& tree) {
  auto repository = open_repository(tree);
  if (!repository) return std::unexpected(repository.error());
  return std::make_unique<GitBackups>(std::move(*repository),
                                      fmt::format("refs/portpatch/backup/{}/", id_of(tree)),
                                      tree.common_dir);
}

}  // namespace portpatch
