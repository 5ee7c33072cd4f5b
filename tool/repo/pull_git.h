// The questions that a pull asks git before and after it: what was fetched, what it changes, which
// commits are local.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "repo/local_state.h"
#include "repo/pull_arguments.h"

namespace portpatch {

/// Runs `git fetch` and returns the commits that are to be joined with HEAD. Fails with
/// "fetch-failed", or "nothing-to-pull" where no branch of the remote is meant.
[[nodiscard]] Result<std::vector<std::string>> fetch(const WorkTree& tree,
                                                     const PullArguments& arguments,
                                                     bool show_progress);

/// The commits that the last fetch brought to be joined with HEAD. Fails with "nothing-to-pull".
[[nodiscard]] Result<std::vector<std::string>> fetched_commits(const WorkTree& tree);

/// A path that differs between two commits.
struct PathChange {
  std::string path;
  StoredFile before, after;
};
[[nodiscard]] Result<std::vector<PathChange>> changed_paths(const WorkTree& tree,
                                                            const std::string& before,
                                                            const std::string& after);

/// nullopt when the histories do not meet in this repository.
[[nodiscard]] Result<std::optional<std::string>> common_ancestor(const WorkTree& tree,
                                                                 const std::string& one,
                                                                 const std::string& other);
[[nodiscard]] Result<bool> is_ancestor(const WorkTree& tree, const std::string& old,
                                       const std::string& commit);
[[nodiscard]] Result<std::size_t> count_commits(const WorkTree& tree, const std::string& before,
                                                const std::string& after);

/// What `commit` has at `path`.
[[nodiscard]] Result<StoredFile> stored_file(const WorkTree& tree, const std::string& commit,
                                             const std::string& path);
/// The bytes of `path` in `commit` as a checkout would write them.
[[nodiscard]] Result<std::string> checked_out_bytes(const WorkTree& tree, const std::string& commit,
                                                    const std::string& path);
/// The id of the blob that git would store for `bytes` at `path`; as they are, without `filtered`.
[[nodiscard]] Result<std::string> blob_id(const WorkTree& tree, std::string_view bytes,
                                          const std::string& path, bool filtered);

}  // namespace portpatch
