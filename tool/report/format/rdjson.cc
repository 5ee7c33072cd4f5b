// reviewdog's DiagnosticResult. It refuses fields that it does not know, and takes a suggestion
// only where its lines are those of the diagnostic: each edit is a diagnostic of its own.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/format/format.h"
#include "report/json_text.h"

namespace portpatch {

namespace {

using Json = nlohmann::ordered_json;

Json lines(std::size_t first, std::size_t last) {
  return {{"start", {{"line", first}}}, {"end", {{"line", last}}}};
}

Json location(const Region& place) {
  Json json{{"path", place.path.empty() ? "." : place.path}};
  if (place.line > 0) json["range"] = lines(place.line, place.line);
  return json;
}

Json diagnostic(const Finding& finding, const std::string& message) {
  constexpr const char* kNames[] = {"INFO", "WARNING", "ERROR"};
  Json json{{"message", message},
            {"location", location(finding.place)},
            {"severity", kNames[static_cast<std::size_t>(finding.severity)]},
            {"code", {{"value", finding.type}}}};
  for (const auto& also : finding.evidence)
    json["related_locations"].push_back(
        {{"message", plain_text(also.says)}, {"location", location(also.place)}});
  return json;
}

/// A suggestion without text takes its lines out, so that none can leave one empty line.
bool can_be_suggested(const SuggestedEdit& edit) {
  return edit.text.empty() || !without_last_break(edit.text).empty();
}

void add(const Finding& finding, Json& out) {
  const auto text = fmt::format("{}: {}", plain_text(finding.subject), finding_text(finding));
  // A review refuses suggestions outside of the change.
  if (finding.edits.empty() || !finding.is_in_diff ||
      !std::ranges::all_of(finding.edits, can_be_suggested)) {
    out.push_back(diagnostic(finding, text));
    return;
  }
  const auto count = finding.edits.size();
  for (std::size_t i = 0; i < count; ++i) {
    const auto& edit = finding.edits[i];
    const auto part = count == 1 ? ""
                                 : fmt::format("\npart {} of {}: take all of them", i + 1, count);
    auto json = diagnostic(finding, text + part);
    const auto range = lines(edit.place.line, edit.place.end_line - 1);
    json["location"] = {{"path", edit.place.path}, {"range", range}};
    json["suggestions"].push_back({{"range", range}, {"text", without_last_break(edit.text)}});
    out.push_back(std::move(json));
  }
}

}  // namespace

std::string write_rdjson(const FindingReport& report) {
  Json json{{"source", {{"name", "portpatch"}}}, {"diagnostics", Json::array()}};
  for (const auto& finding : report.findings) add(finding, json["diagnostics"]);
  return json_text(json);
}

}  // namespace portpatch
