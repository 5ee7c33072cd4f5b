#include "locate/footprint.h"

#include <algorithm>

#include "base/text.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

/// How many are in both.
std::size_t count_of_shared(const Bag& one, const Bag& two) {
  std::size_t count = 0;
  for (auto a = one.begin(), b = two.begin(); a != one.end() && b != two.end();) {
    count += *a == *b ? 1 : 0;
    const bool goes_first = *a <= *b, goes_second = *b <= *a;
    a += goes_first ? 1 : 0;
    b += goes_second ? 1 : 0;
  }
  return count;
}

}  // namespace

double share_of(const Bag& part, const Bag& whole) {
  if (part.empty()) return 0;
  return static_cast<double>(count_of_shared(part, whole)) / static_cast<double>(part.size());
}

double likeness(const Bag& one, const Bag& two) {
  if (one.empty() || two.empty()) return 0;
  return 2 * share_of(one, two) * static_cast<double>(one.size()) /
         static_cast<double>(one.size() + two.size());
}

double line_likeness(std::string_view one, std::string_view two) {
  const auto lines = [](std::string_view text) {
    Bag bag;
    for (const auto line : split_lines(text)) {
      if (const auto code = trim(line); says_something(code)) bag.push_back(code_hash(code));
    }
    return sorted(bag);
  };
  return likeness(lines(one), lines(two));
}

std::vector<std::string> search_words(const ParsedFile& file, const Footprint& place) {
  std::vector<std::string> words;
  const auto add = [&](std::string_view text) {
    constexpr std::size_t kShortest = 3, kLongest = 60, kMost = 16;
    if (text.size() < kShortest || text.size() > kLongest || words.size() >= kMost ||
        text.contains('\n'))
      return;
    if (std::ranges::find(words, text) == words.end()) words.emplace_back(text);
  };
  auto name = last_part(place.name);
  while (name.ends_with(')') || name.ends_with('(')) name.remove_suffix(1);
  if (const auto bracket = name.find('['); bracket != std::string_view::npos)
    name = name.substr(0, bracket);
  if (!place.name.empty()) words.emplace_back(name);
  const auto& tree = file.readings()[place.reading].tree;
  walk(tree.node_at(place.range, place.kind), [&](const Node& node) {
    if (node.is_extra()) return false;
    if (node.child_count() > 0 && !has_role(tree, node, Role::kString)) return true;
    auto text = node.text(tree.text());
    if (has_role(tree, node, Role::kString) && text.size() > 2)
      text = text.substr(1, text.size() - 2);
    add(text);
    return false;
  });
  return words;
}

}  // namespace portpatch
