// Whose is an edit that holds: ours, or upstream's?
#pragma once

#include <map>
#include <string>

#include "edit/step.h"
#include "locate/commit_files.h"
#include "locate/sites.h"
#include "repo/upstream.h"

namespace portpatch {

enum class Owner { kOurs, kUpstream, kUnknown };

/// Upstream's version of the tree as the rules of one pack see it.
class Ownership {
 public:
  Ownership(const WorkTree& tree, std::string configured_ref)
      : tree_(tree), configured_(std::move(configured_ref)) {}

  /// Upstream's says it when every site that `rule` has in upstream's version of `path` holds
  /// there. Opens the repository when first asked.
  [[nodiscard]] Result<Owner> owner_of(const Rule& rule, const std::string& path);
  /// Upstream's version of a file; nullopt when it has none or upstream is not known.
  [[nodiscard]] Result<std::optional<std::string>> upstream_text(const std::string& path);

  /// The same, parsed; nullptr for none.
  [[nodiscard]] Result<FilePointer> upstream_file(const Language& language,
                                                  const std::string& path);

  /// HEAD's version of a file (with --rev: the revision's); nullopt when it has none.
  [[nodiscard]] Result<std::optional<std::string>> head_text(const std::string& path);

  /// A file of another commit; nullptr when it has none or cannot be read.
  [[nodiscard]] FilePointer file_at(const Language& language, const std::string& commit,
                                    const std::string& path);

  /// Since which upstream commit, counted from the rule's base, its sites at `path` hold (kHolds)
  /// or conflict (kConflict); nullopt when that was so at the base already, or cannot be known.
  /// With `until` only the commits before that one count.
  [[nodiscard]] std::optional<CommitInfo> brought_by(const Rule& rule, const std::string& path,
                                                     Step::Kind kind,
                                                     const std::string& until = "");

  /// Is upstream's version older than the rule's base? Then it says nothing of what upstream did
  /// since.
  [[nodiscard]] bool is_older_than_base(const Rule& rule);

  /// The upstream commit, counted from the rule's base, that made its sites at `path` hold although
  /// they no longer do; nullopt when there was none, or it cannot be known. Versions of the file
  /// that lack one of `words` are not looked at.
  [[nodiscard]] std::optional<CommitInfo> held_once(const Rule& rule, const std::string& path,
                                                    const std::vector<std::string>& words);

  /// Read once: the whole run judges by the same refs.
  [[nodiscard]] Result<UpstreamRefs> refs();
  /// Has someone asked whose an edit is?
  [[nodiscard]] bool was_asked() const { return was_asked_ || !tree_.is_git(); }
  [[nodiscard]] Result<std::string> commit();           ///< empty when not known
  [[nodiscard]] Result<std::string> unknown_because();  ///< empty when known

 private:
  [[nodiscard]] Result<const Upstream*> open();
  [[nodiscard]] CommitFiles* files();  ///< nullptr when there is no repository
  /// The commits from the rule's base to upstream's; empty when they are not known.
  [[nodiscard]] std::vector<std::string> line_from_base(const Rule& rule);
  /// The blobs that a file was along that line, each with the commit that brought it.
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& versions_of(
      const Rule& rule, const std::string& path);

  const WorkTree& tree_;
  std::string configured_;
  std::optional<UpstreamRefs> refs_;
  std::optional<Upstream> upstream_;
  std::map<std::string, std::optional<std::string>> texts_;
  std::map<std::pair<const Language*, std::string>, FilePointer> parsed_;
  std::optional<CommitFiles> files_;  ///< of other commits
  /// By base and path.
  std::map<std::pair<std::string, std::string>, std::vector<std::pair<std::string, std::string>>>
      versions_;
  std::map<std::string, bool> older_;  ///< by base
  bool was_asked_ = false;
};

}  // namespace portpatch
