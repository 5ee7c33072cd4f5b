#include "locate/match.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/literal_finder.h"

namespace portpatch {

namespace {

constexpr double kLeastContent = 0.5;  ///< of a candidate that has not the name

class Matcher {
 public:
  Matcher(CommitFiles& files, const Language& language, const Footprint& place) : files_(files), language_(language), place_(place) {}

  Result<Matching> match(const std::string& before, const std::string& after) {
    auto changes = files_.history().changes(before, after);
    if (!changes) return std::unexpected(changes.error());
    std::erase_if(*changes, [&](const ChangedFile& file) { return !language_.owns(file.path); });
    const auto own = std::ranges::find(*changes, place_.path, &ChangedFile::path);
    if (own == changes->end() || own->before.empty()) return Matching();  // the place's file is the same
    own_blob_ = own->before;
    const auto own_file = files_.file(language_, own_blob_, place_.path);
    if (!own_file) return std::unexpected(own_file.error());
    for (const auto& word : search_words(**own_file, place_)) words_.emplace_back(word);
    own_text_ = (*own_file)->text();

    for (const auto& change : *changes) {
      if (!change.after.empty()) add_candidates(change);
    }
    std::ranges::stable_sort(matching_.candidates, std::ranges::greater(), [](const Candidate& c) { return c.evidence.score; });
    const auto& found = matching_.candidates;
    if (found.empty()) return std::move(matching_);
    matching_.margin = found[0].evidence.score - (found.size() > 1 ? found[1].evidence.score : 0);
    const auto at = std::ranges::find(*changes, found[0].place.path, &ChangedFile::path);
    if (const auto text = files_.text(at->after)) best_text_ = *text;
    for (const auto& change : *changes) {
      if (!change.before.empty()) weigh_other_origins(change);
    }
    return std::move(matching_);
  }

 private:
  /// Does the text have the name, or half of the words that the place has?
  bool may_hold(std::string_view text) const {
    if (words_.empty()) return true;
    if (!place_.name.empty() && words_[0].occurs_in(text)) return true;
    const auto least = std::max<std::size_t>(2, (words_.size() + 1) / 2);
    return words_.size() >= 2 && static_cast<std::size_t>(std::ranges::count_if(words_, [&](const auto& word) { return word.occurs_in(text); })) >= least;
  }

  /// The file of a blob when it may hold the place; nullptr when not, or when it cannot be read.
  FilePointer read(const std::string& blob, const std::string& path) {
    const auto text = files_.text(blob);
    if (text && !may_hold(*text)) return nullptr;
    const auto file = text ? files_.file(language_, blob, path) : Result<FilePointer>(std::unexpected(text.error()));
    if (file) return *file;
    matching_.unread.push_back(fmt::format("{}: {}", path, file.error().message));
    return nullptr;
  }

  void add_candidates(const ChangedFile& change) {
    const auto file = read(change.after, change.path);
    if (!file) return;
    auto places = similar_places(*file, place_, kLeastContent);
    if (places.empty()) return;
    if (!change.before.empty()) {
      const auto was = files_.file(language_, change.before, change.path);
      if (was) std::erase_if(places, [&](const Footprint& place) { return same_place(**was, place).has_value(); });
    }
    const auto alike = change.path == place_.path || places.empty() ? 1.0 : line_likeness(own_text_, file->text());
    for (auto& place : places) {
      auto evidence = compare(place_, place, alike);
      matching_.candidates.push_back({std::move(place), std::move(evidence)});
    }
  }

  /// Another place that went away may be more like the best candidate than ours is.
  void weigh_other_origins(const ChangedFile& change) {
    const auto& best = matching_.candidates[0];
    const auto file = read(change.before, change.path);
    if (!file) return;
    auto places = similar_places(*file, best.place, kLeastContent);
    std::erase_if(places, [&](const Footprint& place) { return change.path == place_.path && place.range == place_.range; });
    if (places.empty()) return;
    if (!change.after.empty()) {
      const auto now = files_.file(language_, change.after, change.path);
      if (now) std::erase_if(places, [&](const Footprint& place) { return same_place(**now, place).has_value(); });
    }
    if (places.empty()) return;
    const auto alike = change.path == best.place.path ? 1.0 : line_likeness(file->text(), best_text_);
    for (const auto& place : places) {
      matching_.margin = std::min(matching_.margin, best.evidence.score - compare(place, best.place, alike).score);
    }
  }

  CommitFiles& files_;
  const Language& language_;
  const Footprint& place_;
  std::string own_blob_, own_text_, best_text_;
  std::vector<LiteralFinder> words_;
  Matching matching_;
};

}  // namespace

bool Matching::is_certain() const {
  return !candidates.empty() && candidates[0].evidence.score >= kCertainScore && margin >= kCertainMargin;
}

Result<Matching> match_between(CommitFiles& files, const Language& language, const std::string& before, const std::string& after,
                               const Footprint& place) {
  return Matcher(files, language, place).match(before, after);
}

}  // namespace portpatch
