// Where most of a query matches, and which part of it does not: what a person wants to know when
// nothing matches.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "locate/query_search.h"

namespace portpatch {

/// A part of a pattern that does not hold at a place, and what is there.
struct FailedPart {
  std::string part;  ///< as the pattern has it, on one line
  std::string here;  ///< "@name reads `TORCH_X`", "a call stands there"
  Place place;
};

struct NearMiss {
  std::string scope;
  std::size_t pattern = 0;
  std::vector<FailedPart> failed;
};

struct NearMisses {
  std::vector<NearMiss> found;    ///< the nearest first; the others are as good but for their names
  std::size_t files = 0, of = 0;  ///< looked at, and how many there are; fewer when it was cut
};

/// Where most of the query's patterns matches: one part after the other is made wider, and what
/// keeps most of a pattern counts. Bounded: the files that share most words with the query are
/// looked at.
[[nodiscard]] Result<NearMisses> find_near_misses(const WorkTree& tree, const CompiledQuery& query,
                                                  std::string_view text, const QueryScope& scope);

}  // namespace portpatch
