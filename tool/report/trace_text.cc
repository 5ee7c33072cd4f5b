#include "report/trace_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"

namespace portpatch {

std::string one_line(std::string_view text, std::size_t longest) {
  std::string line;
  for (const auto part : split_lines(text)) {
    if (trim(part).empty()) continue;
    if (line.size() >= longest) break;
    const bool is_apart = !line.empty() && !line.ends_with('(') && !line.ends_with('[') &&
                          !line.ends_with('{');
    line += (is_apart ? " " : "") + std::string(trim(part));
  }
  return line.size() <= longest ? line : line.substr(0, longest) + " ...";
}

std::string shown(const PlaceReport& place) {
  auto text = place.line > 0 ? fmt::format("{}:{}", place.path, place.line) : place.path;
  if (!place.name.empty()) text += ", " + place.name;
  if (!place.scope.empty()) text += " in " + place.scope;
  return printable(text);
}

std::string home_text(const HomeReport& home) {
  return fmt::format("  {} stands word for word at {}\n    {}\n", home.what, shown(home.place),
                     printable(one_line(home.text, 100)));
}

std::string trace_text(const TraceReport& trace, const std::vector<HomeReport>& homes) {
  std::string out;
  for (const auto& step : trace.steps) {
    out += fmt::format("  {}", step.cause());
    if (step.commit) out += " " + printable(describe(*step.commit));
    out += "\n";
    out += fmt::format("    from    {}\n    to      {}\n", shown(step.from), shown(step.to));
    out += fmt::format("    because {}\n    {} points, {} ahead of the next\n",
                       printable(join(step.evidence, ", ")), step.score, step.margin);
  }
  if (trace.vanished && trace.verdict != "certain")
    out += fmt::format("  it {} {}\n",
                       trace.is_to_come ? "is not there yet: it came in" : "went away in",
                       printable(describe(*trace.vanished)));
  bool is_first = true;
  for (const auto& one : trace.survivors) {
    const auto is_named = [&](const HomeReport& home) {
      return home.place.path == one.to.path && home.place.line == one.to.line;
    };
    if (std::ranges::any_of(homes, is_named)) continue;
    if (is_first) out += "  what is left and looks like it, best first:\n";
    is_first = false;
    out += fmt::format("    {}\n      {} points: {}\n", shown(one.to), one.score,
                       printable(join(one.evidence, ", ")));
    if (!one.differs.empty())
      out += fmt::format("      but {}\n", printable(join(one.differs, ", ")));
  }
  for (const auto& what : trace.unknown) out += fmt::format("  not known: {}\n", printable(what));
  return out;
}

}  // namespace portpatch
