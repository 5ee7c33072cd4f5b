// Where a place of one commit is in another one: among the files that differ between the two.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
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

/// What was read to match one place, kept for other pairs of commits: a file that is the same in
/// both pairs is looked at once. For one place of one file.
struct MatchMemory {
  /// A file that differs: its path and its blobs.
  using Change = std::tuple<std::string, std::string, std::string>;
  struct New {
    std::vector<Candidate> candidates;
    bool has_name_once = false;
    std::vector<std::string> unread = {};
  };
  struct Gone {
    std::vector<Footprint> places;
    bool has_all_words = false;  ///< does one of all the file's places have those of ours?
    std::vector<std::string> unread = {};
  };
  std::map<std::pair<std::string, bool>, std::optional<std::vector<bool>>>
      words;  ///< by blob and whether it is at the place's own path
  std::map<Change, New> added;
  std::map<Change, Gone> gone;
  std::map<std::pair<std::string, std::string>, double> alike;  ///< by old and new blob
};

/// Matches `place`, which `before` has and `after` has not. A candidate was not there in `before`
/// (a namesake that was is no place that moved), and no other place that went is more like it.
[[nodiscard]] Result<Matching> match_between(CommitFiles& files, const Language& language,
                                             const std::string& before, const std::string& after,
                                             const Footprint& place, MatchMemory& memory);

}  // namespace portpatch
