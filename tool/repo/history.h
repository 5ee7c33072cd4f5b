// The commits of a repository and what they hold, for revisions that are read without a checkout
// and for following a place through the history.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "repo/work_tree.h"

namespace portpatch {

struct CommitInfo {
  std::string id;  ///< full
  std::string subject;
  std::string date;  ///< of the commit, "2026-08-18", UTC
};
/// "3c2fe9baf10a (2026-08-18) Split the communicators".
[[nodiscard]] std::string describe(const CommitInfo& commit);

/// A regular file of a tree and its blob's full id (empty for a file on disk).
struct TreeFile {
  std::string path;
  std::string blob;
};

/// A regular file that differs between two commits; an empty id where there is none.
struct ChangedFile {
  std::string path;
  std::string before, after;
};

inline constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

/// Owns a repository handle; for one thread. Commits and blobs are named by their full ids. An
/// object that is not in the repository is an error "absent-commit" or "absent-blob": nothing is
/// fetched.
class History {
 public:
  /// Opens the repository of `tree`; fails like open_repository, and for a plain folder with
  /// "no-repository".
  [[nodiscard]] static Result<History> open(const WorkTree& tree);
  History(History&&) noexcept;
  History& operator=(History&&) noexcept;
  ~History();

  /// The commit that `revision` names as git reads it. Fails with "unknown-revision".
  [[nodiscard]] Result<std::string> resolve(std::string_view revision) const;
  /// Is the history cut off (`git clone --depth`)?
  [[nodiscard]] bool is_shallow() const;
  [[nodiscard]] bool has_commit(const std::string& commit) const;
  [[nodiscard]] Result<CommitInfo> info(const std::string& commit) const;
  /// The commits after `from` up to `to` along first parents, oldest first; nullopt when `from` is
  /// not on that line (or the line leaves a shallow repository first).
  [[nodiscard]] Result<std::optional<std::vector<std::string>>> first_parents(
      const std::string& from, const std::string& to) const;
  /// nullopt at a root, or at the edge of a shallow repository.
  [[nodiscard]] Result<std::optional<std::string>> first_parent(const std::string& commit) const;
  [[nodiscard]] Result<std::optional<std::string>> merge_base(const std::string& one,
                                                              const std::string& two) const;

  /// Every regular file, sorted by path. Fails as changes() does: beyond kTreeFiles and kPathBytes
  /// (base/limits.h), and with "damaged-folder".
  [[nodiscard]] Result<std::vector<TreeFile>> files(const std::string& commit) const;
  /// The regular files that differ, sorted by path. Equal folders are not entered.
  [[nodiscard]] Result<std::vector<ChangedFile>> changes(const std::string& before,
                                                         const std::string& after) const;
  /// The blob of `path`; nullopt when the commit has no such regular file.
  [[nodiscard]] Result<std::optional<std::string>> blob(const std::string& commit,
                                                        std::string_view path) const;
  /// The bytes of a blob. Beyond `most` bytes it fails with the limit kFileSize, and is not
  /// unpacked.
  [[nodiscard]] Result<std::string> read(const std::string& blob,
                                         std::size_t most = kNoLimit) const;
  /// The bytes of `path` in `commit`; nullopt when it has no such regular file.
  [[nodiscard]] Result<std::optional<std::string>> read(const std::string& commit,
                                                        std::string_view path,
                                                        std::size_t most = kNoLimit) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
  History();
};

}  // namespace portpatch
