// A pattern made wider, one part at a time: what near misses are looked for with.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "syntax/query_text.h"

namespace portpatch {

/// The capture that a relaxed pattern gives to the node that stands where the part should.
inline constexpr std::string_view kThere = "portpatch.there";

/// Costs, in tenths of a part: a part that goes is lost, as is each predicate that no longer can be
/// asked.
inline constexpr int kPartCost = 10, kDropCost = 5;

struct Relaxation {
  std::string query;  ///< the pattern without predicates and directives, and with this part wider
  ByteRange part;     ///< of the pattern's file; empty when only the predicates are gone
  bool is_dropped = false;  ///< the part is left out; else any node may stand there
  int cost = 0;
};

/// The relaxations of a pattern in `text`, the cheapest first. The first only has no predicates.
[[nodiscard]] std::vector<Relaxation> relaxations_of(const PatternText& pattern,
                                                     std::string_view text);

/// `text` in which every pattern without a capture captures its whole match as @match.
[[nodiscard]] std::string with_captures(const QueryText& query, std::string_view text);

}  // namespace portpatch
