#include "locate/match.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/literal_finder.h"
#include "syntax/language.h"

namespace portpatch {

namespace {

constexpr double kLeastContent = 0.5;  ///< of a candidate that has not the name
constexpr double
    kLeastLikeness = 0.6;  ///< of a candidate that another place takes, to be worth a look
constexpr std::size_t kMostFiles = 100;  ///< of one side that are parsed
constexpr std::size_t kMostCandidates = 40;
constexpr std::size_t kDistinctName = 6;  ///< bytes that a name must have to be called distinct
constexpr int kAddressPoints = 15, kDistinctPoints = 10, kOnlyPoints = 8, kExactPoints = 8;
constexpr std::size_t
    kTellingTokens = 8;  ///< that a place must have for its words to be called distinct

class Matcher {
 public:
  Matcher(CommitFiles& files, const Language& language, const Footprint& place, MatchMemory& memory)
      : files_(files), language_(language), place_(place), memory_(memory) {}

  Result<Matching> match(const std::string& before, const std::string& after) {
    auto changes = files_.history().changes(before, after);
    if (!changes) return std::unexpected(changes.error());
    std::erase_if(*changes, [&](const ChangedFile& file) { return !language_.owns(file.path); });
    const auto own = std::ranges::find(*changes, place_.path, &ChangedFile::path);
    if (own == changes->end() || own->before.empty())
      return Matching();  // the place's file is the same
    own_blob_ = own->before;
    const auto own_file = files_.places(language_, own_blob_, place_.path);
    if (!own_file) return std::unexpected(own_file.error());
    for (const auto& word : search_words((*own_file)->file(), place_)) words_.emplace_back(word);
    if (words_.empty() && !place_.scope.empty())
      words_.emplace_back(place_.scope.substr(place_.scope.rfind('.') + 1));
    words_alone_ = place_.tokens.size() >= kTellingTokens;
    only_in_own_file_ = count_of_name((*own_file)->similar_places(place_, kLeastContent)) == 1;

    for (const auto* change : most_alike(*changes, &ChangedFile::after)) add_candidates(*change);
    auto& found = matching_.candidates;
    std::ranges::stable_sort(found, std::ranges::greater(),
                             [](const Candidate& c) { return c.evidence.score; });
    if (found.size() > kMostCandidates) found.resize(kMostCandidates);
    if (!found.empty()) {
      for (const auto* change : most_alike(*changes, &ChangedFile::before)) add_rivals(*change);
    }
    reward_distinct();
    assign();
    return std::move(matching_);
  }

 private:
  /// Which of the words occur in the text, when it has the name or half of the others. The place's
  /// own file always counts.
  std::optional<std::vector<bool>> words_in(std::string_view text, const std::string& path) const {
    std::vector<bool> has;
    for (const auto& word : words_) has.push_back(word.occurs_in(text));
    const auto first = place_.name.empty() ? 0 : 1;  // the name is the first word
    const auto others = std::count(has.begin() + std::min<std::ptrdiff_t>(first, std::ssize(has)),
                                   has.end(), true);
    const auto count = std::ssize(has) - first;
    const bool may_hold = path == place_.path || has.empty() || (first == 1 && has[0]) ||
                          (count > 0 && 2 * others >= count);
    return may_hold ? std::optional(std::move(has)) : std::nullopt;
  }

  /// The files of one side that have the most of the words, rare ones counting for more: a name
  /// such as `total` stands in thousands of files, and reading them all would not tell more.
  std::vector<const ChangedFile*> most_alike(const std::vector<ChangedFile>& changes,
                                             std::string ChangedFile::* side) {
    std::vector<std::pair<const ChangedFile*, std::vector<bool>>> files;
    for (const auto& change : changes) {
      if ((change.*side).empty()) continue;
      const std::pair key(change.*side, change.path == place_.path);
      auto known = memory_.words.find(key);
      if (known == memory_.words.end()) {
        const auto text = files_.text(change.*side);
        if (!text) {
          matching_.unread.push_back(fmt::format("{}: {}", change.path, text.error().message));
          continue;
        }
        known = memory_.words.emplace(key, words_in(*text, change.path)).first;
      }
      if (known->second) files.emplace_back(&change, *known->second);
    }
    std::vector<double> weights;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const auto count = std::ranges::count_if(files,
                                               [&](const auto& file) { return file.second[i]; });
      weights.push_back(
          std::log(1 + static_cast<double>(files.size()) / static_cast<double>(count + 1)));
    }
    const auto score = [&](const auto& file) {
      double sum = file.first->path == place_.path ? 1e9 : 0;
      for (std::size_t i = 0; i < words_.size(); ++i) sum += file.second[i] ? weights[i] : 0;
      return sum;
    };
    std::ranges::stable_sort(files, std::ranges::greater(), score);
    if (files.size() > kMostFiles) files.resize(kMostFiles);
    std::vector<const ChangedFile*> chosen;
    for (const auto& file : files) chosen.push_back(file.first);
    std::ranges::sort(chosen, {}, &ChangedFile::path);
    return chosen;
  }

  /// The file of a blob; nullptr, and a line of `unread`, when it cannot be read.
  PlacesPointer read(const std::string& blob, const std::string& path,
                     std::vector<std::string>& unread) {
    const auto file = files_.places(language_, blob, path);
    if (file) return *file;
    unread.push_back(fmt::format("{}: {}", path, file.error().message));
    return nullptr;
  }

  void note(const std::vector<std::string>& unread) {
    matching_.unread.insert(matching_.unread.end(), unread.begin(), unread.end());
  }

  std::size_t count_of_name(const std::vector<Footprint>& places) const {
    return std::ranges::count_if(places, [&](const Footprint& place) {
      return own_name(place.name) == own_name(place_.name);
    });
  }

  /// Drops the places that the other version of their file has as well.
  static void drop_kept(std::vector<Footprint>& places, PlaceIndex& other) {
    std::erase_if(places, [&](const Footprint& place) { return other.has_same_place(place); });
  }

  void add_candidates(const ChangedFile& change) {
    const auto [known,
                is_new] = memory_.added.try_emplace({change.path, change.before, change.after});
    auto& added = known->second;
    if (is_new) added = candidates_of(change);
    note(added.unread);
    if (added.has_name_once) only_in_file_.insert(change.path);
    blobs_[change.path] = change.after;
    matching_.candidates.insert(matching_.candidates.end(), added.candidates.begin(),
                                added.candidates.end());
  }

  MatchMemory::New candidates_of(const ChangedFile& change) {
    MatchMemory::New added;
    const auto file = read(change.after, change.path, added.unread);
    auto places = file ? file->similar_places(place_, kLeastContent) : std::vector<Footprint>();
    added.has_name_once = count_of_name(places) == 1;
    if (!places.empty() && !change.before.empty()) {
      const auto was = files_.places(language_, change.before, change.path);
      if (was) drop_kept(places, **was);
    }
    for (auto& place : places) {
      auto evidence = compare(place_, place,
                              alike({place_.path, own_blob_}, {change.path, change.after}));
      added.candidates.push_back({std::move(place), std::move(evidence)});
    }
    return added;
  }

  /// Other places that went away: each may be what a candidate was.
  void add_rivals(const ChangedFile& change) {
    const auto [known,
                is_new] = memory_.gone.try_emplace({change.path, change.before, change.after});
    auto& gone = known->second;
    if (is_new) gone = rivals_of(change);
    note(gone.unread);
    if (gone.has_all_words) words_alone_ = false;
    for (const auto& place : gone.places) {
      std::vector<int> scores;
      for (const auto& candidate : matching_.candidates) {
        const auto& path = candidate.place.path;
        scores.push_back(score_of(place, candidate.place,
                                  alike({change.path, change.before}, {path, blobs_.at(path)})));
      }
      rival_scores_.push_back(std::move(scores));
      rivals_.push_back(place);
    }
  }

  MatchMemory::Gone rivals_of(const ChangedFile& change) {
    MatchMemory::Gone gone;
    const auto file = read(change.before, change.path, gone.unread);
    if (!file) return gone;
    gone.places = file->similar_places(place_, kLeastContent);
    std::erase_if(gone.places, [&](const Footprint& place) {
      return change.path == place_.path && place.range == place_.range;
    });
    gone.has_all_words = std::ranges::any_of(
        gone.places, [&](const Footprint& place) { return has_all_words(place); });
    if (!gone.places.empty() && !change.after.empty()) {
      const auto now = files_.places(language_, change.after, change.path);
      if (now) drop_kept(gone.places, **now);
    }
    return gone;
  }

  /// The likeness of an old file with a new one, each by path and blob.
  double alike(const std::pair<std::string_view, std::string>& before,
               const std::pair<std::string_view, std::string>& after) {
    if (before.first == after.first) return 1;
    const auto [known, is_new] = memory_.alike.try_emplace({before.second, after.second}, 0);
    if (!is_new) return known->second;
    const auto old_text = files_.text(before.second);
    const std::string copy(old_text.value_or(""));
    const auto new_text = files_.text(after.second);
    return known->second = line_likeness(copy, new_text.value_or(""));
  }

  static bool has_address(const Footprint& place, const Footprint& other) {
    return place.scope == other.scope && own_name(place.name) == own_name(other.name) &&
           decorated_name(place.name) == decorated_name(other.name);
  }

  /// Are all words of our place there, and no more than as many others?
  bool has_all_words(const Footprint& place) const {
    return place.tokens.size() <= 2 * place_.tokens.size() &&
           std::ranges::includes(place.tokens, place_.tokens);
  }

  /// What only one new place has, and no other that went away, is as good as an address: scope and
  /// name together, a name, or a name within the file.
  void reward_distinct() {
    auto& found = matching_.candidates;
    const auto reward = [&](auto&& fits, int points, std::string what) {
      if (std::ranges::count_if(found, fits) != 1 ||
          std::ranges::any_of(rivals_,
                              [&](const Footprint& rival) { return has_address(rival, place_); }))
        return false;
      auto& only = *std::ranges::find_if(found, fits);
      only.evidence.clues.push_back({std::move(what), points});
      only.evidence.score += points;
      return true;
    };
    const auto name = last_part(place_.name);
    const bool is_call = names_call(place_.name);
    const bool is_distinct = !is_call && name.size() >= kDistinctName &&
                             std::ranges::none_of(rivals_, [&](const Footprint& rival) {
                               return last_part(rival.name) == name;
                             });
    const bool done = ((!place_.scope.empty() || !decorated_name(place_.name).empty()) &&
                       !place_.name.empty() && place_.count == 1 &&
                       reward([&](const Candidate& c) { return has_address(c.place, place_); },
                              kAddressPoints, "nothing else of this name in such a scope")) ||
                      (is_distinct &&
                       reward([&](const Candidate& c) { return last_part(c.place.name) == name; },
                              kDistinctPoints, "nothing else of this name")) ||
                      (!place_.name.empty() && only_in_own_file_ &&
                       reward(
                           [&](const Candidate& c) {
                             return only_in_file_.contains(c.place.path) &&
                                    own_name(c.place.name) == own_name(place_.name) &&
                                    alike({place_.path, own_blob_},
                                          {c.place.path, blobs_.at(c.place.path)}) >= 0.5;
                           },
                           kOnlyPoints, "the only one of this name in its file, then and now"));
    // So are words that stood together once before, and do once among what is new.
    const bool exact = words_alone_ &&
                       reward(
                           [&](const Candidate& c) {
                             return c.place.path == place_.path && has_all_words(c.place);
                           },
                           kExactPoints, "all its words are there, as nowhere else");
    if (done || exact)
      std::ranges::stable_sort(found, std::ranges::greater(),
                               [](const Candidate& c) { return c.evidence.score; });
  }

  /// Gives candidates to the places that went away, the most alike pairs first. What another place
  /// takes is no candidate of ours; the margin is our lead over what nobody takes.
  void assign() {
    auto& found = matching_.candidates;
    struct Pair {
      int score;
      std::size_t rival, candidate;  // rival 0 is our place
    };
    std::vector<Pair> pairs;
    for (std::size_t c = 0; c < found.size(); ++c) {
      pairs.push_back({found[c].evidence.score, 0, c});
      for (std::size_t r = 0; r < rival_scores_.size(); ++r) {
        if (rival_scores_[r][c] >= kShownScore) pairs.push_back({rival_scores_[r][c], r + 1, c});
      }
    }
    // On a tie the rival is served first: what is as much another's is not certainly ours.
    std::ranges::stable_sort(pairs, [](const Pair& a, const Pair& b) {
      return a.score != b.score ? a.score > b.score : a.rival > b.rival;
    });
    std::vector<bool> has(rival_scores_.size() + 1), taken(found.size());
    std::optional<std::size_t> ours;
    std::vector<Pair> given;
    for (const auto& pair : pairs) {
      if (has[pair.rival] || taken[pair.candidate]) continue;
      has[pair.rival] = taken[pair.candidate] = true;
      if (pair.rival == 0)
        ours = pair.candidate;
      else
        given.push_back(pair);
    }
    matching_.is_anothers = !ours;
    if (!ours) {
      std::erase_if(found, [&](const Candidate& candidate) {
        return likeness(place_.tokens, candidate.place.tokens) < kLeastLikeness;
      });
      return;
    }
    int second = 0;
    for (std::size_t c = 0; c < found.size(); ++c) {
      if (c != *ours && !taken[c] && found[c].evidence.may_be_certain)
        second = std::max(second, found[c].evidence.score);
    }
    // A rival that went without would have liked ours as well.
    for (std::size_t r = 0; r < rival_scores_.size(); ++r) {
      if (!has[r + 1]) second = std::max(second, rival_scores_[r][*ours]);
    }
    // Where another takes what is most like ours, the next best is a guess.
    if (*ours != 0) second = std::max(second, found[0].evidence.score);
    matching_.margin = found[*ours].evidence.score - second;
    // Nor is it certain when it might as well be the other way round.
    for (const auto& pair : given) {
      const auto swapped = found[pair.candidate].evidence.score +
                           rival_scores_[pair.rival - 1][*ours];
      matching_.margin = std::min(matching_.margin,
                                  found[*ours].evidence.score + pair.score - swapped);
    }
    std::rotate(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(*ours),
                found.begin() + static_cast<std::ptrdiff_t>(*ours) + 1);
  }

  CommitFiles& files_;
  const Language& language_;
  const Footprint& place_;
  MatchMemory& memory_;
  std::string own_blob_;
  std::vector<LiteralFinder> words_;
  std::map<std::string, std::string> blobs_;    ///< of the candidates' files, by path
  std::vector<std::vector<int>> rival_scores_;  ///< for each rival its score with each candidate
  std::vector<Footprint> rivals_;
  bool only_in_own_file_ = false;
  bool words_alone_ = false;  ///< nothing else in the files before has all words of our place
  std::set<std::string> only_in_file_;  ///< new files with one place of the name
  Matching matching_;
};

}  // namespace

bool Matching::is_certain() const {
  return !candidates.empty() && !is_anothers && candidates[0].evidence.may_be_certain &&
         candidates[0].evidence.score >= kCertainScore && margin >= kCertainMargin;
}

Result<Matching> match_between(CommitFiles& files, const Language& language,
                               const std::string& before, const std::string& after,
                               const Footprint& place, MatchMemory& memory) {
  return Matcher(files, language, place, memory).match(before, after);
}

}  // namespace portpatch
