#include "locate/evidence.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <type_traits>

#include <fmt/format.h>

namespace portpatch {

namespace {

std::string_view last_scope(std::string_view scope) {
  const auto dot = scope.rfind('.');
  return dot == std::string_view::npos ? scope : scope.substr(dot + 1);
}

std::string_view file_name(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

/// Is `scope` a part of `outer`, and not all of it?
bool is_within(std::string_view scope, std::string_view outer) {
  return !outer.empty() && scope.size() > outer.size() && scope.starts_with(outer) &&
         scope[outer.size()] == '.';
}

class Scale {
 public:
  explicit Scale(bool is_worded) : is_worded_(is_worded) {}
  /// `what` is a text, or makes one: most that are compared are never shown.
  template <typename What>
  void add(bool holds, int points, What&& what) {
    if (!holds || points <= 0) return;
    evidence_.score += points;
    if (!is_worded_) return;
    if constexpr (std::is_invocable_v<What>)
      evidence_.clues.push_back({what(), points});
    else
      evidence_.clues.push_back({what, points});
  }
  void require(bool holds) { evidence_.may_be_certain &= holds; }
  Evidence take() { return std::move(evidence_); }

 private:
  bool is_worded_;  ///< are the clues wanted, or their points alone?
  Evidence evidence_;
};

/// The words of a name: at underscores and where capitals begin.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  bool was_lower = false;
  for (const char c : name) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    const bool is_letter = is_upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (words.empty() || !is_letter || (is_upper && was_lower)) words.emplace_back();
    if (is_letter) words.back() += static_cast<char>(is_upper ? c - 'A' + 'a' : c);
    was_lower = is_letter && !is_upper;
  }
  std::erase(words, "");
  std::ranges::sort(words);
  return words;
}

/// How much the words of two names have in common: Dice, 1 where one has all words of the other.
double word_likeness(std::string_view one, std::string_view two) {
  const auto a = words_of(one), b = words_of(two);
  if (a.empty() || b.empty()) return 0;
  std::vector<std::string> both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  const auto dice = 2.0 * static_cast<double>(both.size()) /
                    static_cast<double>(a.size() + b.size());
  return dice >= 0.5 && both.size() == std::min(a.size(), b.size()) ? 1 : dice;
}

bool have_same_words(std::string_view one, std::string_view two) {
  const auto words = words_of(one);
  return !words.empty() && words == words_of(two);
}

/// What the place is kept under: a call's own name says what is called.
std::string_view bound_name(const Footprint& place) {
  return last_part(names_call(place.name) ? use_of(place.name) : place.name);
}

int part_of(int points, double share) { return static_cast<int>(std::lround(points * share)); }
int percent(double share) { return static_cast<int>(std::lround(100 * share)); }

Evidence weigh(const Footprint& old_place, const Footprint& new_place, double files_alike,
               bool is_worded) {
  Scale scale(is_worded);
  const bool named = !old_place.name.empty();
  const bool same_name = named && own_name(old_place.name) == own_name(new_place.name);
  // Many places call one function: its name tells less than that of what is defined. But what an
  // argument means is for the function to say, so that another one is another place.
  const bool is_call = names_call(old_place.name);
  const bool same_end = named && last_part(old_place.name) == last_part(new_place.name);
  scale.add(same_name, is_call ? 12 : 25, "the same name");
  scale.add(same_end && !same_name, is_call ? 8 : 18, "the same last part of the name");
  scale.require(!is_call || same_name);
  // A decorator belongs to what it decorates.
  const auto decorated = decorated_name(old_place.name);
  scale.add(!decorated.empty() && decorated == decorated_name(new_place.name), 20,
            [&] { return fmt::format("it decorates `{}`, as before", decorated); });
  scale.require(decorated == decorated_name(new_place.name));
  const auto words = named && !same_name
                         ? word_likeness(last_part(old_place.name), last_part(new_place.name))
                         : 0.0;
  scale.add(words >= 0.5 && !same_end, part_of(12, words), [&] {
    return fmt::format("the names `{}` and `{}` share words", last_part(old_place.name),
                       last_part(new_place.name));
  });
  // What a place is kept under, and its keys, tell it from others in its file; in another file
  // a copy for another purpose has them as well.
  const bool same_file = old_place.path == new_place.path;
  const auto use = use_of(old_place.name);
  scale.add(same_file && same_name && is_call && !use.empty() &&
                last_part(use) == last_part(use_of(new_place.name)),
            6, [&] { return fmt::format("it is `{}`, as before", use); });
  // A function that became the variable of what it returned, or the other way round.
  scale.add(same_file && (have_same_words(bound_name(old_place), last_scope(new_place.scope)) ||
                          have_same_words(last_scope(old_place.scope), bound_name(new_place))),
            6, "the variable and the function have one name");
  // Little content says little: one or two items may be anywhere.
  const auto kept = share_of(old_place.items, new_place.items);
  const auto alike = likeness(old_place.tokens, new_place.tokens);
  const auto weight = std::min(1.0, std::max(static_cast<double>(old_place.items.size()) / 3,
                                             static_cast<double>(old_place.tokens.size()) / 24));
  const auto content = (kept + alike) / 2;
  const auto content_points = content >= 0.3 ? part_of(30, content * (0.5 + weight / 2)) : 0;
  scale.add(true, content_points,
            [&] { return fmt::format("{} % of its items are there", percent(kept)); });
  const auto keys = likeness(old_place.keys, new_place.keys);
  // Values change more often than keys; where the values are as they were, the keys say nothing
  // new.
  constexpr int kMostWithKeys = 20;
  scale.add(same_file && old_place.keys.size() >= 3 && keys >= 0.7,
            std::min(part_of(6, keys), kMostWithKeys - content_points), [&] {
              return fmt::format("{} % of its keys are there",
                                 percent(share_of(old_place.keys, new_place.keys)));
            });

  const bool same_scope = old_place.scope == new_place.scope;
  scale.add(same_scope, old_place.scope.empty() ? 6 : 14,
            old_place.scope.empty() ? "at module level, as before" : "the same scope");
  scale.add(!same_scope && !old_place.scope.empty() &&
                last_scope(old_place.scope) == last_scope(new_place.scope),
            9, "the same innermost scope");
  // A function that was cut out of the scope, or dissolved into it, is still inside it.
  const bool is_inside = same_file && (is_within(old_place.scope, new_place.scope) ||
                                       is_within(new_place.scope, old_place.scope));
  scale.add(is_inside, 12, "inside the same scope");
  const auto scope_words = word_likeness(old_place.scope, new_place.scope);
  scale.add(!same_scope && !is_inside && scope_words >= 0.5, part_of(5, scope_words),
            "the scopes' names share words");

  const auto around = old_place.around && new_place.around
                          ? likeness(*old_place.around, *new_place.around)
                          : 0.0;
  scale.add(around >= 0.3, part_of(14, around),
            [&] { return fmt::format("what is around it is {} % alike", percent(around)); });
  // A parameter, or an entry of what has no name, is its function's: another function's of the same
  // name is another thing.
  scale.require(!old_place.name.starts_with('[') || around >= 0.5 || is_inside ||
                last_scope(old_place.scope) == last_scope(new_place.scope));
  scale.add(old_place.before != 0 && old_place.before == new_place.before, 4,
            "the same statement before it");
  scale.add(old_place.behind != 0 && old_place.behind == new_place.behind, 4,
            "the same statement behind it");

  scale.add(same_file, 12, "the same file");
  scale.add(!same_file && files_alike >= 0.3, part_of(12, files_alike),
            [&] { return fmt::format("the files are {} % alike", percent(files_alike)); });
  // In another file that is not its old one under a new path, the content must speak for itself.
  // A method of the same class under the same name is the same one, whatever became of its content.
  const bool same_method = same_scope && same_name && old_place.scope.contains('.') &&
                           around >= 0.4;
  scale.require(content >= 0.2 || same_file || same_method);
  const bool same_function = last_scope(old_place.scope) == last_scope(new_place.scope) &&
                             around >= 0.7;
  scale.require(same_file || files_alike >= 0.3 || same_method ||
                (kept >= 0.5 && (!is_call || same_scope || same_function)));
  scale.add(!same_file && file_name(old_place.path) == file_name(new_place.path), 4,
            "a file of the same name");
  return scale.take();
}

}  // namespace

Evidence compare(const Footprint& old_place, const Footprint& new_place, double files_alike) {
  return weigh(old_place, new_place, files_alike, true);
}
int score_of(const Footprint& old_place, const Footprint& new_place, double files_alike) {
  return weigh(old_place, new_place, files_alike, false).score;
}

}  // namespace portpatch
