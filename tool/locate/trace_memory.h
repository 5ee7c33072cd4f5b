// What traces read of a repository's history: kept from one trace to the next, and from one tree of
// the repository to another.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "locate/match.h"

namespace portpatch {

/// For one thread, and for trees of one repository.
class TraceMemory {
 public:
  /// The commits' files; fails like History::open(), which is called the first time.
  [[nodiscard]] Result<CommitFiles*> files(const WorkTree& tree);
  /// match_between(), which several trees ask for the same step. files() comes first.
  [[nodiscard]] Result<Matching> match(const Language& language, const std::string& before,
                                       const std::string& after, const Footprint& place);

 private:
  struct Known {
    const Language* language;
    Footprint place;
    Matching matching;
  };

  std::optional<CommitFiles> files_;
  std::map<std::pair<std::string, std::string>, std::vector<Known>> matchings_;  // by commits
};

}  // namespace portpatch
