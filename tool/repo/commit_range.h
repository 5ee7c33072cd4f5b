// A range of commits as a person types it, `A..B`, along first parents: the line of commits that a
// branch really was at, one after the other.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "repo/history.h"

namespace portpatch {

struct CommitRange {
  std::string name;                  ///< as typed
  std::string from, to;              ///< full ids
  std::vector<std::string> commits;  ///< after `from` up to `to`, oldest first
};

/// `A..B`; an end that is left out is HEAD. Fails with "bad-range" when the text is no range,
/// "unknown-revision", and "not-first-parent" when A is not on B's line: it says how the two stand
/// to each other and what to write instead.
[[nodiscard]] Result<CommitRange> resolve_range(const History& history, std::string_view text);

}  // namespace portpatch
