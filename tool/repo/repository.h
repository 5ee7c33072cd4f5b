// A git repository opened by libgit2, for the sources of this folder.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "repo/git_library.h"
#include "repo/work_tree.h"

namespace portpatch {

struct Repository {
  const GitLibrary* git = nullptr;
  GitHandle<git_repository, &GitLibrary::git_repository_free> handle = {};
};

/// Opens the repository of `tree`; the environment is not looked at. Fails with "foreign-owner",
/// "sha256-repository", "reftable-repository" or "unreadable-repository", each with its remedy.
[[nodiscard]] Result<Repository> open_repository(const WorkTree& tree);

/// `message` and what libgit2 says of its last error in this thread.
[[nodiscard]] std::unexpected<Diagnostic> git_failure(const GitLibrary& git, std::string code,
                                                      std::string_view message);

/// `hex` as an id. Precondition: 40 hexadecimal digits.
[[nodiscard]] git_oid object_id(const GitLibrary& git, std::string_view hex);
[[nodiscard]] std::string hex_of(const GitLibrary& git, const git_oid& id);

[[nodiscard]] bool is_regular(git_filemode_t mode);
/// The id of the regular file `path` in `commit`; nullopt when there is none. An object that is not
/// in the repository is an error "absent-commit" or "absent-blob"; nothing is fetched.
[[nodiscard]] Result<std::optional<git_oid>> find_blob(const Repository& repository,
                                                       const git_oid& commit,
                                                       std::string_view path);
/// How many bytes a blob has; it is not unpacked for that.
[[nodiscard]] Result<std::size_t> blob_size(const Repository& repository, const git_oid& blob);
/// The bytes of a blob as stored.
[[nodiscard]] Result<std::string> read_blob(const Repository& repository, const git_oid& blob);
/// What libgit2's `status` means for `what` of this id: it is not in the repository (code `code`:
/// which clones lack it, and what brings it), or it cannot be read ("unreadable-object").
[[nodiscard]] std::unexpected<Diagnostic> absent(const GitLibrary& git, int status,
                                                 std::string code, std::string_view what,
                                                 std::string_view id);

}  // namespace portpatch
