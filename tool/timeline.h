// The outcomes of rules along the history: what `status --rev COMMIT` says at each commit of a
// line, computed from what the commits change.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "locate/scan.h"
#include "report/timeline.h"

namespace portpatch {

struct TimelineRequest {
  std::string command;                ///< as it is reported: "timeline rules/sm120 A..B"
  std::string folder = ".";           ///< a folder of the repository (-C)
  std::vector<std::string> packs;     ///< as typed: PACK or PACK/RULE
  std::string range;                  ///< "A..B"
  std::size_t piece = 1, pieces = 0;  ///< --shard PIECE/PIECES; 0 pieces: the whole range
  Progress progress;                  ///< told how many commits are done
};

/// The timeline of the commits after A up to B along first parents. Each commit is judged as if it
/// were upstream's newest: a rule that it satisfies is `upstreamed`. Writes nothing.
[[nodiscard]] std::expected<Timeline, std::vector<Diagnostic>> make_timeline(
    const TimelineRequest& request);

}  // namespace portpatch
