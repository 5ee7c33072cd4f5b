// What a pull finds before it changes anything, and every reason to refuse it there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pull.h"
#include "pull_changes.h"
#include "pull_commits.h"
#include "repo/pull_arguments.h"

namespace portpatch {

/// Everything that is known before anything is changed.
struct Outlook {
  WorkTree tree;
  PullArguments arguments;
  LocalState start;
  std::vector<std::string> targets;  ///< the commits that were fetched
  std::vector<PathChange> incoming;  ///< what they change since their history and HEAD's parted
  LocalChanges changes;
  std::optional<std::vector<LocalCommit>> commits;  ///< local ones that are made again
  bool is_up_to_date = false;
};

/// A tree that git can pull into, without anything under way. Fails with "no-repository",
/// "operation-in-progress", or as open_work_tree() does.
[[nodiscard]] Result<WorkTree> open_pullable(const Request& request);

/// Looks at everything; the only things that it changes are the remote's branches, by the fetch.
/// Fails with every reason to refuse the pull. Takes into `request` which files are not checked
/// out.
[[nodiscard]] std::expected<Outlook, Errors> look(PullRequest& request, WorkTree tree);

}  // namespace portpatch
