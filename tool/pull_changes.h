// The local changes of a tree before a pull: those that the rules make again by themselves, and
// those that must be carried over.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "apply/state_run.h"
#include "pipeline.h"
#include "repo/pull_git.h"

namespace portpatch {

using Errors = std::vector<Diagnostic>;

/// What the rules make of one tree: the texts that they change, and the rules as reported.
struct Ruled {
  std::map<std::string, std::string> texts;
  Report report;

  /// What they make of a file that reads `otherwise`.
  [[nodiscard]] const std::string& text_of(const std::string& path,
                                           const std::string& otherwise) const;
};
/// Plans the rules on a revision, or on the files on disk when it is empty; writes nothing.
[[nodiscard]] std::expected<Ruled, Errors> plan_rules(const Request& request,
                                                      const std::string& revision);

struct LocalChanges {
  Ruled at_head, on_disk;  ///< the rules on HEAD's files, and on those of the tree
  std::vector<const LocalFile*>
      explained;  ///< the rules make HEAD's version and this one the same text
  std::vector<const LocalFile*> others;
};
/// Sorts the files of `state`, which must outlive the result. A file is explained when the rules,
/// applied to it and to HEAD's version, give the same bytes: whatever else stood in it would make a
/// difference. Its executable bit must be HEAD's, and what is staged of it must be the whole of it.
[[nodiscard]] std::expected<LocalChanges, Errors> sort_changes(const WorkTree& tree,
                                                               const Request& request,
                                                               const LocalState& state);

/// Brings the local changes that the rules do not explain into the tree as it is after the pull.
/// Where upstream has changed the file too, and `keep` says so, the two are joined line by line;
/// the rules are applied on all sides first, so that their edits are in nobody's way (the tree is
/// to have them already). Fails with "unexplained-changes" or "merge-conflict"; `merged` is told
/// the paths that were joined.
[[nodiscard]] Result<void> put_back(Session& session, const std::string& old_head,
                                    const LocalChanges& changes, bool keep,
                                    std::set<std::string>& merged);
/// Stages again what was staged before: the same blob where the file is as it was, else the file.
[[nodiscard]] Result<void> stage_again(const WorkTree& tree,
                                       const std::vector<const LocalFile*>& files,
                                       const std::set<std::string>& rewritten);

}  // namespace portpatch
