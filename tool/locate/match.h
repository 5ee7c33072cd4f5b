// Where a place of one commit is in another one: among the files that differ between the two.
#pragma once

#include <optional>
#include <vector>

#include "locate/commit_files.h"
#include "locate/evidence.h"

namespace portpatch {

struct Candidate {
  Footprint place;
  Evidence evidence;
};

struct Matching {
  std::vector<Candidate> candidates;  ///< best first; places that are new in the second commit
  int margin = 0;  ///< lead of the best over the second, and over any other origin of the best
  bool is_anothers = false;         ///< each is more like another place that went
  std::vector<std::string> unread;  ///< files that could not be read, with the reason

  [[nodiscard]] bool is_certain() const;
};

/// Matches `place`, which `before` has and `after` has not. A candidate was not there in `before`
/// (a namesake that was is no place that moved), and no other place that went is more like it.
[[nodiscard]] Result<Matching> match_between(CommitFiles& files, const Language& language,
                                             const std::string& before, const std::string& after,
                                             const Footprint& place);

}  // namespace portpatch
