#include "report/trace_text.h"

#include <fmt/format.h>

#include "base/text.h"

namespace portpatch {

std::string shown(const PlaceReport& place) {
  auto text = place.line > 0 ? fmt::format("{}:{}", place.path, place.line) : place.path;
  if (!place.name.empty()) text += ", " + place.name;
  if (!place.scope.empty()) text += " in " + place.scope;
  return printable(text);
}

std::string trace_text(const TraceReport& trace) {
  std::string out;
  for (const auto& step : trace.steps) {
    out += step.commit ? fmt::format("  moved by {}\n", printable(describe(*step.commit))) : "  moved\n";
    out += fmt::format("    from    {}\n    to      {}\n", shown(step.from), shown(step.to));
    out += fmt::format("    because {}\n    {} points, {} ahead of the next\n", printable(join(step.evidence, ", ")), step.score, step.margin);
  }
  if (trace.vanished && trace.verdict != "certain") out += fmt::format("  it {} {}\n", trace.is_to_come ? "is not there yet: it came in" : "went away in", printable(describe(*trace.vanished)));
  if (!trace.survivors.empty()) out += "  what is left and looks like it, best first:\n";
  for (const auto& one : trace.survivors) {
    out += fmt::format("    {}\n      {} points: {}\n", shown(one.to), one.score, printable(join(one.evidence, ", ")));
  }
  for (const auto& what : trace.unknown) out += fmt::format("  not known: {}\n", printable(what));
  return out;
}

}  // namespace portpatch
