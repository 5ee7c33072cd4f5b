#include "merge.h"

#include <algorithm>
#include <tuple>

namespace portpatch::matchers {
namespace {

bool is_ladder(std::string_view form) { return form.starts_with("if") || form == "else-if chain"; }

bool is_same(const CcComparison& one, const CcComparison& other) {
  return one.range == other.range && one.expression == other.expression && one.op == other.op &&
         one.key == other.key;
}

bool has(const CcPlace& place, const CcComparison& wanted) {
  return std::ranges::any_of(place.arms, [&](const auto& arm) {
    return std::ranges::any_of(arm.comparisons,
                               [&](const auto& one) { return is_same(one, wanted); });
  });
}

std::size_t comparisons(const CcPlace& place) {
  std::size_t count = 0;
  for (const auto& arm : place.arms) count += arm.comparisons.size();
  return count;
}

/// An arm of a cc is known by what it compares; another one by where it stands.
bool is_same_arm(const CcArm& one, const CcArm& other) {
  if (one.comparisons.empty() || other.comparisons.empty()) {
    return one.comparisons.empty() && other.comparisons.empty() &&
           (one.range == other.range || (one.is_else && other.is_else));
  }
  return std::ranges::any_of(one.comparisons, [&](const auto& mine) {
    return std::ranges::any_of(other.comparisons,
                               [&](const auto& theirs) { return is_same(mine, theirs); });
  });
}

void join(CcPlace& place, CcPlace other) {
  if (other.arms.size() > place.arms.size()) place.form = other.form;
  place.range = {std::min(place.range.begin, other.range.begin),
                 std::max(place.range.end, other.range.end)};
  if (place.function.empty()) place.function = other.function;
  for (auto& arm : other.arms) {
    const auto mine = std::ranges::find_if(place.arms,
                                           [&](const auto& one) { return is_same_arm(one, arm); });
    if (mine == place.arms.end()) {
      place.arms.push_back(std::move(arm));
    } else if (arm.comparisons.size() > mine->comparisons.size()) {
      *mine = std::move(arm);  // a condition that #if cuts: the parse that sees more of it
    } else if (!mine->value && arm.value) {
      mine->value = std::move(arm.value);
      mine->text = std::move(arm.text);
    }
  }
  std::ranges::stable_sort(
      place.arms, {}, [](const CcArm& arm) { return std::tuple(arm.is_else, arm.range.begin); });
}

}  // namespace

bool is_same_place(const CcPlace& one, const CcPlace& other) {
  if (one.form != other.form && !(is_ladder(one.form) && is_ladder(other.form))) return false;
  if (comparisons(one) == 0 && comparisons(other) == 0) return one.range == other.range;
  return std::ranges::any_of(other.arms, [&](const auto& arm) {
    return std::ranges::any_of(arm.comparisons, [&](const auto& key) { return has(one, key); });
  });
}

void merge_places(std::vector<SeenPlace>& seen, std::vector<CcPlace> found, std::size_t parse) {
  auto before = seen.size();
  for (auto& place : found) {
    const auto same = std::find_if(
        seen.begin(), seen.end(), [&](const auto& one) { return is_same_place(one.place, place); });
    if (same != seen.end()) {
      const bool is_ordered = is_ladder(place.form) || place.form == "switch" ||
                              place.form == "struct array" || place.form == "map";
      if (is_ordered) {
        // What two parses have seen as two may be one for a third.
        for (auto other = seen.size();
             other-- > static_cast<std::size_t>(same - seen.begin()) + 1;) {
          if (!is_same_place(seen[other].place, place)) continue;
          join(same->place, std::move(seen[other].place));
          seen.erase(seen.begin() + static_cast<std::ptrdiff_t>(other));
          if (other < before) --before;
        }
        join(same->place, std::move(place));
      } else if (comparisons(place) > comparisons(same->place))
        *same = {std::move(place), parse};
      continue;
    }
    // The same comparisons, seen as another form by an earlier parse.
    bool is_known = comparisons(place) > 0;
    for (const auto& arm : place.arms) {
      for (const auto& key : arm.comparisons) {
        is_known = is_known &&
                   std::any_of(seen.begin(), seen.begin() + static_cast<std::ptrdiff_t>(before),
                               [&](const auto& one) { return has(one.place, key); });
      }
    }
    if (!is_known) seen.push_back({std::move(place), parse});
  }
}

}  // namespace portpatch::matchers
