// SARIF 2.1.0 (OASIS). Regions are whole lines, so that no column depends on how a viewer counts
// characters.
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "report/format/format.h"
#include "report/json_text.h"

namespace portpatch {

namespace {

using Json = nlohmann::ordered_json;

/// RFC 3986: every byte but unreserved ones and slashes is spelled.
std::string uri(std::string_view path) {
  constexpr std::string_view
      kUnreserved = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  std::string out;
  for (const auto byte : path)
    out += kUnreserved.contains(byte) ? std::string(1, byte)
                                      : fmt::format("%{:02X}", static_cast<unsigned char>(byte));
  return out;
}

/// `](` would make a link of what stands in front (3.11.6).
std::string text_of(std::string_view text) {
  auto out = plain_text(text);
  for (auto at = out.find("]("); at != std::string::npos; at = out.find("](", at + 2))
    out.insert(at, "\\");
  return out;
}

Json message(std::string_view text) { return {{"text", text_of(text)}}; }

Json artifact(const std::string& path) {
  return {{"uri", path.empty() ? "./" : uri(path)}, {"uriBaseId", "SRCROOT"}};
}

Json location(const Region& place) {
  Json json{{"artifactLocation", artifact(place.path)}};
  if (place.line > 0) json["region"] = {{"startLine", place.line}};
  return json;
}

Json rule(const FindingType& type) {
  return {{"id", type.id},
          {"shortDescription", {{"text", type.title}}},
          {"fullDescription", {{"text", type.title}}},
          {"help", {{"text", type.help}, {"markdown", type.help}}},
          {"defaultConfiguration", {{"level", severity_name(type.severity)}}}};
}

Json replacement(const SuggestedEdit& edit) {
  // Taking lines out takes their break along; else the break at the end stays.
  Json region{{"startLine", edit.place.line}, {"endLine", edit.place.end_line - 1}};
  if (edit.text.empty())
    region = {{"startLine", edit.place.line},
              {"startColumn", 1},
              {"endLine", edit.place.end_line},
              {"endColumn", 1}};
  return {{"deletedRegion", region},
          {"insertedContent", {{"text", without_last_break(edit.text)}}}};
}

Json fix(const Finding& finding) {
  Json changes = Json::array();
  for (const auto& edit : finding.edits) {
    const auto where = artifact(edit.place.path);
    if (changes.empty() || changes.back()["artifactLocation"] != where)
      changes.push_back({{"artifactLocation", where}, {"replacements", Json::array()}});
    changes.back()["replacements"].push_back(replacement(edit));
  }
  return {{"description", {{"text", "the edit that portpatch has verified"}}},
          {"artifactChanges", changes}};
}

Json result(const Finding& finding, std::size_t index) {
  Json json{{"ruleId", finding.type},
            {"ruleIndex", index},
            {"level", severity_name(finding.severity)},
            {"message", message(finding_text(finding))}};
  json["locations"] = {
      {{"physicalLocation", location(finding.place)},
       {"logicalLocations", {{{"fullyQualifiedName", plain_text(finding.subject)}}}}}};
  std::size_t id = 0;
  for (const auto& also : finding.evidence)
    json["relatedLocations"].push_back({{"id", ++id},
                                        {"physicalLocation", location(also.place)},
                                        {"message", message(also.says)}});
  // The second is the one that GitHub goes by.
  json["partialFingerprints"] = {{"portpatch/v1", finding.fingerprint},
                                 {"primaryLocationLineHash", finding.fingerprint + ":1"}};
  if (!finding.edits.empty()) json["fixes"].push_back(fix(finding));
  return json;
}

/// A revision was read from objects, in whatever folder holds them: places are the repository's.
Json source_root(const FindingReport& report) {
  if (!report.revision.empty()) return {{"description", message("the root of the repository")}};
  return {{"uri", fmt::format("file://{}/", uri(report.root))}};
}

}  // namespace

std::string write_sarif(const FindingReport& report) {
  const auto types = finding_types();
  Json rules = Json::array(), results = Json::array(), notes = Json::array();
  for (const auto& type : types) rules.push_back(rule(type));
  for (const auto& finding : report.findings) {
    results.push_back(result(
        finding, static_cast<std::size_t>(std::ranges::find(types, finding.type, &FindingType::id) -
                                          types.begin())));
  }
  for (const auto& note : report.notes)
    notes.push_back({{"level", "note"}, {"message", message(note)}});
  Json run{
      {"tool",
       {{"driver", {{"name", "portpatch"}, {"version", PORTPATCH_VERSION}, {"rules", rules}}}}},
      {"automationDetails",
       {{"id", fmt::format("portpatch/{}/", report.command.substr(0, report.command.find(' ')))}}},
      {"invocations",
       {{{"executionSuccessful", true},
         {"exitCode", report.exit_status},
         {"toolExecutionNotifications", notes}}}},
      {"originalUriBaseIds", {{"SRCROOT", source_root(report)}}},
      {"columnKind", "unicodeCodePoints"},
      {"results", results}};
  if (!report.revision.empty()) run["properties"] = {{"revision", report.revision}};
  const Json json{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                  {"version", "2.1.0"},
                  {"runs", {run}}};
  return json_text(json);
}

}  // namespace portpatch
