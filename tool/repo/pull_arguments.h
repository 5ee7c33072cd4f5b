// What a user hands through to `git pull`: which of it is for fetching, which says how to join the
// histories, and what portpatch cannot take back and therefore refuses.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "repo/work_tree.h"

namespace portpatch {

/// How the local branch and what was fetched become one.
enum class Joining {
  kUnsaid,  ///< neither arguments nor settings say; git refuses where the two have parted
  kRebase,
  kMerge,
  kFastForwardOnly,
};

struct PullArguments {
  std::vector<std::string> fetch;   ///< options that only concern the fetch
  std::vector<std::string> join;    ///< the other options, as they were given
  std::vector<std::string> places;  ///< remote and branches, as they were given
  Joining joining = Joining::kUnsaid;
};

/// Sorts the arguments and asks git for the settings of `branch` (empty: HEAD is detached). Fails
/// with "pull-argument" for what is refused, with the remedy, or "git-failed".
[[nodiscard]] Result<PullArguments> parse_pull_arguments(const WorkTree& tree,
                                                         const std::vector<std::string>& arguments,
                                                         const std::string& branch);

}  // namespace portpatch
