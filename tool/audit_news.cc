#include "audit_news.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace portpatch {

namespace {

/// What a place asks, without where it stands.
std::string keys_of(const CcPlace& place) {
  std::string text = place.form + "|" + place.function + "|" + place.name;
  for (const auto& arm : place.arms) {
    text += "|";
    for (const auto& key : arm.keys)
      text += fmt::format("{}{}{} ", key.expression, key.op, key.key);
  }
  return text;
}

/// The same, and its conditions as they are spelled.
std::string words_of(const CcPlace& place) {
  auto text = keys_of(place);
  for (const auto& arm : place.arms) text += "|" + arm.condition;
  return text;
}

using Places = std::vector<const CcPlace*>;

using Says = std::string (*)(const CcPlace&);

std::map<std::string, Places> grouped(const Places& places, Says says, bool by_path) {
  std::map<std::string, Places> groups;
  for (const auto* place : places)
    groups[(by_path ? place->path : "") + "|" + says(*place)].push_back(place);
  return groups;
}

void take_out(const std::set<const CcPlace*>& some, Places& from) {
  std::erase_if(from, [&](const CcPlace* place) { return some.contains(place); });
}

/// Takes out of both what says the same, and returns the pairs.
std::vector<std::pair<const CcPlace*, const CcPlace*>> match_equal(Places& before, Places& after,
                                                                   Says says, bool by_path,
                                                                   const ChangedLines& changed) {
  auto old_groups = grouped(before, says, by_path);
  std::vector<std::pair<const CcPlace*, const CcPlace*>> pairs;
  std::set<const CcPlace*> paired;
  for (auto& [words, group] : grouped(after, says, by_path)) {
    const auto found = old_groups.find(words);
    if (found == old_groups.end()) continue;
    const auto& old_group = found->second;
    if (by_path && old_group.size() < group.size())
      std::ranges::stable_sort(group, {}, [&](const CcPlace* place) { return changed(*place); });
    for (std::size_t i = 0; i < std::min(group.size(), old_group.size()); ++i) {
      pairs.emplace_back(old_group[i], group[i]);
      paired.insert({old_group[i], group[i]});
    }
  }
  take_out(paired, before);
  take_out(paired, after);
  return pairs;
}

using Asked = std::set<std::tuple<std::string, std::string, std::string>>;

Asked asked_of(const CcPlace& place) {
  Asked asked;
  for (const auto& arm : place.arms) {
    for (const auto& key : arm.keys) asked.emplace(key.expression, key.op, key.key);
  }
  return asked;
}

std::vector<Asked> asked_of(const Places& places) {
  std::vector<Asked> all;
  for (const auto* place : places) all.push_back(asked_of(*place));
  return all;
}

/// How much speaks for `after` being what has come of `before`; 0: nothing does.
std::size_t likeness(const CcPlace& before, const Asked& asked_before, const CcPlace& after,
                     const Asked& asked_after) {
  const bool same_path = before.path == after.path;
  const bool same_function = before.function == after.function;
  const bool same_name = !before.name.empty() && before.name == after.name;
  const bool same_form = before.form == after.form;
  const bool is_kin = same_name || (same_function && (same_path || !before.function.empty())) ||
                      (same_path && same_form && asked_before == asked_after);
  if (!is_kin) return 0;
  const auto shared = static_cast<std::size_t>(std::ranges::count_if(
      asked_after, [&](const auto& key) { return asked_before.contains(key); }));
  constexpr std::size_t kKey = 2, kMostKeys = 4, kPath = 4, kFunction = 4, kName = 4, kForm = 1;
  return kKey * std::min(shared, kMostKeys) + kPath * same_path + kFunction * same_function +
         kName * same_name + kForm * same_form;
}

/// Pairs what is alike, the most alike first.
void match_alike(Places& before, const Places& after, std::map<std::string, CcPlace>& was) {
  const auto asked_before = asked_of(before), asked_after = asked_of(after);
  std::vector<std::tuple<std::size_t, std::size_t, std::size_t>> pairs;  // likeness, before, after
  for (std::size_t b = 0; b < before.size(); ++b) {
    for (std::size_t a = 0; a < after.size(); ++a) {
      const auto points = likeness(*before[b], asked_before[b], *after[a], asked_after[a]);
      if (points > 0) pairs.emplace_back(points, b, a);
    }
  }
  std::ranges::stable_sort(pairs, std::ranges::greater{},
                           [](const auto& pair) { return std::get<0>(pair); });
  std::set<const CcPlace*> paired;
  for (const auto& [points, b, a] : pairs) {
    if (paired.contains(before[b]) || paired.contains(after[a])) continue;
    paired.insert({before[b], after[a]});
    was.emplace(place_key(*after[a]), *before[b]);
  }
  take_out(paired, before);
}

Places all_of(const std::vector<CcFile>& files) {
  Places places;
  for (const auto& file : files) {
    for (const auto& place : file.places) places.push_back(&place);
  }
  return places;
}

}  // namespace

std::string place_key(const CcPlace& place) { return fmt::format("{}:{}", place.path, place.line); }

std::multiset<std::string> words_of(const CcFile& file) {
  std::multiset<std::string> words;
  for (const auto& place : file.places) words.insert(words_of(place));
  return words;
}

AuditNews news_of(const std::vector<CcFile>& before, const std::vector<CcFile>& after,
                  const ChangedLines& changed) {
  auto old_places = all_of(before), new_places = all_of(after);
  AuditNews news;
  for (const bool by_path : {true, false}) {
    match_equal(old_places, new_places, words_of, by_path, changed);
  }
  for (const bool by_path : {true, false}) {
    for (const auto& [before_it, it] :
         match_equal(old_places, new_places, keys_of, by_path, changed)) {
      news.reworded.insert(place_key(*it));
      news.was.emplace(place_key(*it), *before_it);
    }
  }
  for (const auto* place : new_places) news.fresh.insert(place_key(*place));
  match_alike(old_places, new_places, news.was);
  for (const auto* place : old_places) news.gone.push_back(*place);
  return news;
}

}  // namespace portpatch
