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

TraceMemory::Known& TraceMemory::known(const Language& language, const Footprint& place) {
  constexpr std::size_t kMostPlaces = 64;
  const auto found = std::ranges::find_if(
      places_, [&](const Known& one) { return one.language == &language && one.place == place; });
  if (found != places_.end()) {
    places_.splice(places_.begin(), places_, found);
  } else {
    if (places_.size() == kMostPlaces) places_.pop_back();
    places_.push_front({.language = &language, .place = place});
  }
  return places_.front();
}

Result<bool> TraceMemory::has_place(const Language& language, const std::string& commit,
                                    const Footprint& place) {
  const auto blob = files_->history().blob(commit, place.path);
  if (!blob) return std::unexpected(blob.error());
  if (!*blob) return false;
  auto& blobs = known(language, place).blobs;
  if (const auto told = blobs.find(**blob); told != blobs.end()) return told->second;
  const auto file = files_->places(language, **blob, place.path);
  if (!file) return std::unexpected(file.error());
  return blobs[**blob] = (*file)->has_same_place(place);
}

Result<Matching> TraceMemory::match(const Language& language, const std::string& before,
                                    const std::string& after, const Footprint& place) {
  auto& told = known(language, place);
  if (told.before == before && told.after == after) return told.matching;
  const auto origin = files_->history().blob(before, place.path);
  if (!origin) return std::unexpected(origin.error());
  told.before = before;
  told.after = after;
  return told.matching = match_between(*files_, language, before, after, place,
                                       told.origins[origin->value_or("")]);
}

}  // namespace portpatch
