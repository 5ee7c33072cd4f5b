#include "repo/repository.h"

#include <cassert>

#include <fmt/format.h>

#include "base/system_error.h"
#include "repo/git_config.h"

namespace portpatch {
namespace {

using CommitHandle = GitHandle<git_commit, &GitLibrary::git_commit_free>;
using TreeHandle = GitHandle<git_tree, &GitLibrary::git_tree_free>;
using EntryHandle = GitHandle<git_tree_entry, &GitLibrary::git_tree_entry_free>;
using BlobHandle = GitHandle<git_blob, &GitLibrary::git_blob_free>;

/// libgit2 1.5 loses GIT_EOWNER where safe.directory is not set at all: it reports that instead.
bool is_foreign_owner(const GitLibrary& git, int status) {
  if (status == GIT_EOWNER) return true;
  const auto* error = git.git_error_last();
  return status == GIT_ENOTFOUND && error != nullptr && error->klass == GIT_ERROR_CONFIG &&
         std::string_view(error->message).contains("safe.directory");
}

}  // namespace

bool is_regular(git_filemode_t mode) {
  return mode == GIT_FILEMODE_BLOB || mode == GIT_FILEMODE_BLOB_EXECUTABLE;
}

Result<Repository> open_repository(const WorkTree& tree) {
  if (auto format = check_repository_format(tree.common_dir); !format) {
    return std::unexpected(format.error());
  }
  const auto library = git_library();
  if (!library) return std::unexpected(library.error());
  const auto& git = **library;
  git_repository* raw = nullptr;
  const int status = git.git_repository_open_ext(&raw, tree.root.c_str(),
                                                 GIT_REPOSITORY_OPEN_NO_SEARCH, nullptr);
  if (is_foreign_owner(git, status)) {
    return failure(
        "foreign-owner", fmt::format("the repository {} belongs to another user", tree.root),
        fmt::format("if you trust it: git config --global --add safe.directory {}", tree.root));
  }
  if (status < 0) {
    return git_failure(git, "unreadable-repository", "cannot open the repository " + tree.root);
  }
  Repository repository{.git = &git};
  repository.handle.reset(raw);
  return repository;
}

std::unexpected<Diagnostic> git_failure(const GitLibrary& git, std::string code,
                                        std::string_view message) {
  const auto* error = git.git_error_last();
  const std::string reason = error == nullptr ? "no reason given" : error->message;
  return failure(
      std::move(code), fmt::format("{}: {}", message, reason),
      remedy_in(reason, "`git fsck` says whether the repository is damaged; then run it again"));
}

git_oid object_id(const GitLibrary& git, std::string_view hex) {
  git_oid id{};
  [[maybe_unused]] const int status = git.git_oid_fromstr(&id, std::string(hex).c_str());
  assert(status == 0);
  return id;
}

std::string hex_of(const GitLibrary& git, const git_oid& id) {
  std::string hex(GIT_OID_HEXSZ, '0');
  git.git_oid_fmt(hex.data(), &id);
  return hex;
}

std::unexpected<Diagnostic> absent(const GitLibrary& git, int status, std::string code,
                                   std::string_view what, std::string_view id) {
  if (status != GIT_ENOTFOUND)
    return git_failure(git, "unreadable-object", fmt::format("cannot read {} {}", what, id));
  return failure(std::move(code), fmt::format("{} {} is not in this repository", what, id),
                 "a shallow or partial clone lacks it: `git fetch --unshallow`, or `git fetch "
                 "--refetch --no-filter`");
}

Result<std::optional<git_oid>> find_blob(const Repository& repository, const git_oid& commit,
                                         std::string_view path) {
  const auto& git = *repository.git;
  git_commit* raw_commit = nullptr;
  if (const int status = git.git_commit_lookup(&raw_commit, repository.handle.get(), &commit);
      status < 0)
    return absent(git, status, "absent-commit", "the commit", hex_of(git, commit));
  const CommitHandle handle(raw_commit);
  git_tree* raw_tree = nullptr;
  if (const int status = git.git_commit_tree(&raw_tree, handle.get()); status < 0)
    return absent(git, status, "absent-blob", "the tree of", hex_of(git, commit));
  const TreeHandle tree(raw_tree);
  git_tree_entry* raw_entry = nullptr;
  const int found = git.git_tree_entry_bypath(&raw_entry, tree.get(), std::string(path).c_str());
  if (found == GIT_ENOTFOUND) return std::nullopt;
  if (found < 0)
    return absent(git, found, "absent-blob", "a folder of",
                  fmt::format("{}:{}", hex_of(git, commit), path));
  const EntryHandle entry(raw_entry);
  if (!is_regular(git.git_tree_entry_filemode(entry.get()))) return std::nullopt;
  return *git.git_tree_entry_id(entry.get());
}

Result<std::size_t> blob_size(const Repository& repository, const git_oid& blob) {
  const auto& git = *repository.git;
  git_odb* raw = nullptr;
  if (const int status = git.git_repository_odb(&raw, repository.handle.get()); status < 0)
    return absent(git, status, "absent-blob", "the content", hex_of(git, blob));
  const GitHandle<git_odb, &GitLibrary::git_odb_free> objects(raw);
  std::size_t size = 0;
  git_object_t type = GIT_OBJECT_INVALID;
  if (const int status = git.git_odb_read_header(&size, &type, objects.get(), &blob); status < 0)
    return absent(git, status, "absent-blob", "the content", hex_of(git, blob));
  return size;
}

Result<std::string> read_blob(const Repository& repository, const git_oid& blob) {
  const auto& git = *repository.git;
  git_blob* raw = nullptr;
  if (const int status = git.git_blob_lookup(&raw, repository.handle.get(), &blob); status < 0)
    return absent(git, status, "absent-blob", "the content", hex_of(git, blob));
  const BlobHandle handle(raw);
  return std::string(static_cast<const char*>(git.git_blob_rawcontent(handle.get())),
                     static_cast<std::size_t>(git.git_blob_rawsize(handle.get())));
}

}  // namespace portpatch
