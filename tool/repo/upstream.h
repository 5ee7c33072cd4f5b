// Upstream's version of a file tells whose an edit is: it is read at the merge base of HEAD with
// the upstream ref, never at HEAD, since a port may have been committed locally.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "repo/history.h"
#include "repo/work_tree.h"

namespace portpatch {

/// Commit ids that decide which commit is upstream's, read from the ref files alone (loose and
/// packed refs, symbolic refs, branch configuration), so that the hook's way needs no libgit2.
struct UpstreamRefs {
  std::string head;      ///< full id of HEAD's commit; empty in a repository without one
  std::string name;      ///< full name of the upstream ref; empty when there is none
  std::string upstream;  ///< full id it points to; empty when there is none
};

/// `configured` is pack.toml's upstream ref ("origin/main", "refs/...", a full id), or empty: then
/// the branch's @{upstream} (by the default refspec), else the remote's default branch
/// (refs/remotes/origin/HEAD, origin/main, origin/master), else none. `upstream` may be the id of
/// an annotated tag. A plain folder has none of the three. Fails with "no-upstream-ref" where a
/// configured ref does not exist, "sha256-repository" or "reftable-repository".
[[nodiscard]] Result<UpstreamRefs> read_upstream_refs(const WorkTree& tree,
                                                      std::string_view configured);

/// Upstream's version of the tree: the merge base of the two ids. Loads libgit2 when it is opened.
class Upstream {
 public:
  /// Fails when the repository cannot be read (foreign owner, SHA-256, damaged), with the remedy.
  /// With `refs.upstream` or `refs.head` empty, or no merge base (unrelated, shallow), `commit()`
  /// is empty and `unknown_because()` says why.
  [[nodiscard]] static Result<Upstream> open(const WorkTree& tree, const UpstreamRefs& refs);

  Upstream(Upstream&&) noexcept;
  Upstream& operator=(Upstream&&) noexcept;
  ~Upstream();

  [[nodiscard]] const std::string& commit() const;           ///< full id or empty
  [[nodiscard]] const std::string& unknown_because() const;  ///< empty when commit() is not
  /// The bytes of `path` in that commit as stored there (no filters); nullopt when it has no such
  /// regular file. A blob that is absent from a partial clone is an error "absent-blob".
  [[nodiscard]] Result<std::optional<std::string>> read(std::string_view path) const;
  /// The repository's commits; null for a plain folder.
  [[nodiscard]] const History* history() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
  Upstream();
};

}  // namespace portpatch
