// Names of runs: UTC time and a counter, so that they sort by age and never repeat.
#pragma once

#include <ctime>
#include <string>
#include <vector>

namespace portpatch {

/// An id after all of `ids` (sorted, oldest first), even when the clock went back.
[[nodiscard]] std::string next_run_id(const std::vector<std::string>& ids, std::time_t now);

/// Those of `ids` (sorted, oldest first) that are neither among the last 30 nor of the last 30
/// days.
[[nodiscard]] std::vector<std::string> runs_to_prune(const std::vector<std::string>& ids,
                                                     std::time_t now);

}  // namespace portpatch
