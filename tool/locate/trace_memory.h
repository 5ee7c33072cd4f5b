// What traces read of a repository's history: kept from one trace to the next, and from one tree of
// the repository to another, which asks for much of the same again.
#pragma once

#include <list>
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
  /// match_between(), which reads of files what other steps and trees have not. files() comes
  /// first.
  [[nodiscard]] Result<Matching> match(const Language& language, const std::string& before,
                                       const std::string& after, const Footprint& place);
  /// Has the file that the commit has at the place's path the same place? Files are looked at once
  /// for each place. files() comes first.
  [[nodiscard]] Result<bool> has_place(const Language& language, const std::string& commit,
                                       const Footprint& place);

 private:
  /// What is known of one place.
  struct Known {
    const Language* language;
    Footprint place;
    std::map<std::string, bool> blobs = {};           ///< has the blob the place?
    std::map<std::string, MatchMemory> origins = {};  ///< by the blob that it is matched from
    std::string before = {}, after = {};              ///< the commits matched last
    Result<Matching> matching = Matching();
  };
  [[nodiscard]] Known& known(const Language& language, const Footprint& place);

  std::optional<CommitFiles> files_;
  std::list<Known> places_;  // asked for last first
};

}  // namespace portpatch
