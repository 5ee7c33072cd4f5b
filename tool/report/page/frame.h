// What all pages share: the head with its Content-Security-Policy, the title, the facts, the style
// and script, and the small pieces that more than one page shows.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/page/html.h"
#include "report/report.h"

namespace portpatch {

/// How something stands, for the colour that goes with its words.
enum class Tone { kGood, kQuiet, kNotice, kWarning, kBad };
[[nodiscard]] std::string_view tone_name(Tone tone);  ///< the CSS class
[[nodiscard]] Tone tone_of(Outcome outcome);

/// The head of a page.
struct PageHead {
  std::string command;      ///< "status rules/sm120"
  std::string verdict;      ///< one line: "2 of 12 rules need a person"
  Tone tone = Tone::kGood;  ///< of the verdict
  std::vector<std::pair<std::string, std::string>> facts;  ///< "tree" and the path
  /// Files that were not looked at, and why.
  std::vector<std::pair<std::string, std::string>> skipped;
  std::vector<std::string> notes;
};

/// The whole file. It loads nothing, and what `body` writes cannot make it run anything but the
/// script of this folder.
[[nodiscard]] std::string make_page(const PageHead& head, const std::function<void(Html&)>& body);

/// A word in a frame of its tone.
void put_badge(Html& html, std::string_view word, Tone tone);
/// A command, with a button that copies it where there is a script, and what is to be read behind
/// it.
void put_command(Html& html, std::string_view command, std::string_view remark = {});
/// "a/b.py:12".
[[nodiscard]] std::string place_text(std::string_view path, std::size_t line);

/// One thing of a page's list.
struct Card {
  std::string_view kind;  ///< the word of its badge; what the filter goes by
  Tone tone = Tone::kQuiet;
  bool is_open = false;  ///< its body is seen at first
  std::string title, place;
};
void put_card(Html& html, const Card& card, const std::function<void()>& body);

/// A choice above a list: what it counts and what it filters by.
struct Choice {
  std::string value;  ///< of the items' data-kind
  std::size_t count = 0;
  Tone tone = Tone::kQuiet;
};
/// How many of each kind there are, worst first: `counts` is sorted so.
template <typename Counts, typename NameOf, typename ToneOf>
[[nodiscard]] std::vector<Choice> choices_of(const Counts& counts, NameOf name, ToneOf tone) {
  std::vector<Choice> choices;
  for (const auto& [kind, count] : counts)
    choices.push_back({std::string(name(kind)), count, tone(kind)});
  return choices;
}
/// Buttons that show only the items of one kind, and a field that looks for words, for the elements
/// below `list` (an id) that have a data-kind. Without a script only the counts are seen.
void put_filter(Html& html, std::string_view list, const std::vector<Choice>& choices);

}  // namespace portpatch
