#include "locate/trace_memory.h"

#include <algorithm>

namespace portpatch {

Result<CommitFiles*> TraceMemory::files(const WorkTree& tree) {
  if (!files_) {
    auto history = History::open(tree);
    if (!history) return std::unexpected(history.error());
    files_.emplace(std::move(*history));
  }
  return &*files_;
}

Result<Matching> TraceMemory::match(const Language& language, const std::string& before,
                                    const std::string& after, const Footprint& place) {
  auto& known = matchings_[{before, after}];
  const auto same = std::ranges::find_if(
      known, [&](const Known& one) { return one.language == &language && one.place == place; });
  if (same != known.end()) return same->matching;
  auto matching = match_between(*files_, language, before, after, place);
  if (matching) known.push_back({&language, place, *matching});
  return matching;
}

}  // namespace portpatch
