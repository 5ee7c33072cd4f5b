#include "report/check_report.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "report/json_text.h"
#include "syntax/cc.h"

namespace portpatch {

namespace {

using Json = nlohmann::ordered_json;

std::string at(const NamedPlace& place) {
  const auto where = place.line > 0 ? fmt::format("{}:{}", printable(place.path), place.line)
                                    : printable(place.path);
  return place.text.empty() ? where : fmt::format("{} ({})", where, printable(place.text));
}

std::string colour_of(Agreement agreement) {
  return agreement == Agreement::kAgrees ? "32" : agreement == Agreement::kUnknown ? "33" : "31";
}

void write_companion(const CompanionReport& companion, const TextStyle& style, std::string& out) {
  const auto word = fmt::format("{:<9}", agreement_name(companion.agreement));
  out += fmt::format(
      "  {}  {}/{}: {}\n",
      style.colour ? fmt::format("\x1b[{}m{}\x1b[0m", colour_of(companion.agreement), word) : word,
      printable(companion.pack), printable(companion.name), printable(companion.demand));
  for (const auto& finding : companion.findings) {
    out += fmt::format("      {}: {}\n        {}\n", at(finding.here), finding_name(finding.kind),
                       printable(finding.says));
    if (!finding.there.path.empty()) out += fmt::format("        against {}\n", at(finding.there));
    if (!finding.remedy.empty()) out += fmt::format("        {}\n", printable(finding.remedy));
  }
  if (companion.findings.empty()) {
    for (const auto& place : companion.places) out += fmt::format("      {}\n", at(place));
  }
  for (const auto& [depth, paths] : files_by_depth(companion))
    out += fmt::format("      {}\n", printable(depth_text(depth, paths)));
}

Json place_json(const NamedPlace& place) {
  return {{"path", place.path}, {"line", place.line}, {"text", place.text}};
}

Json finding_json(const CheckFinding& finding) {
  Json json{{"kind", finding_name(finding.kind)},
            {"cc", Json::array()},
            {"here", place_json(finding.here)}};
  for (const auto& cc : finding.cc) json["cc"].push_back(cc_text(cc));
  if (!finding.there.path.empty()) json["there"] = place_json(finding.there);
  json["says"] = finding.says;
  json["remedy"] = finding.remedy;
  if (!finding.added_key.empty())
    json["fix"] = {{"key", finding.added_key}, {"value", finding.added_value}};
  return json;
}

}  // namespace

FilesByDepth files_by_depth(const CompanionReport& companion) {
  FilesByDepth depths;
  for (const auto& [path, depth] : companion.depth) depths[depth].push_back(path);
  return depths;
}

std::string depth_text(const std::string& depth, const std::vector<std::string>& paths) {
  constexpr std::size_t kFew = 3;
  return fmt::format("read by {}: {}", depth,
                     paths.size() > kFew ? counted(paths.size(), "file") : join(paths, ", "));
}

int CheckReport::exit_status() const {
  return std::ranges::all_of(
             companions,
             [](const CompanionReport& one) { return one.agreement == Agreement::kAgrees; })
             ? 0
             : 1;
}

std::string write_text(const CheckReport& report, const TextStyle& style) {
  std::string out = report.diff.empty() ? "" : report.diff + "\n";
  out += fmt::format(
      "tree      {}{}\n\n", printable(report.root),
      report.revision.empty() ? "" : fmt::format(" at {}", printable(report.revision)));
  std::map<Agreement, std::size_t> counts;
  for (const auto& companion : report.companions) {
    write_companion(companion, style, out);
    ++counts[companion.agreement];
  }
  for (const auto& note : report.notes) out += fmt::format("note: {}\n", printable(note));
  std::vector<std::string> words;
  for (const auto& [agreement, number] : counts)
    words.push_back(fmt::format("{} {}", number, agreement_name(agreement)));
  out += fmt::format("\n{}{}\n", counted(report.companions.size(), "companion"),
                     words.empty() ? "" : ": " + join(words, ", "));
  if (!report.run_id.empty())
    out += fmt::format("run {}: {} written; take it back: portpatch undo\n", report.run_id,
                       counted(report.diffs.size(), "file"));
  else if (report.fix && !report.diffs.empty())
    out += fmt::format("{} would be written (--dry-run)\n", counted(report.diffs.size(), "file"));
  return out;
}

std::string write_json(const CheckReport& report) {
  Json json{{"format", 1},
            {"command", report.command},
            {"tree", report.root},
            {"exit_status", report.exit_status()},
            {"dry_run", report.dry_run},
            {"companions", Json::array()},
            {"files", Json::array()},
            {"notes", report.notes}};
  if (!report.revision.empty()) json["revision"] = report.revision;
  for (const auto& companion : report.companions) {
    Json one{{"pack", companion.pack},     {"name", companion.name},
             {"demand", companion.demand}, {"agreement", agreement_name(companion.agreement)},
             {"places", Json::array()},    {"read", Json::array()},
             {"findings", Json::array()}};
    for (const auto& place : companion.places) one["places"].push_back(place_json(place));
    for (const auto& [path, depth] : companion.depth)
      one["read"].push_back({{"path", path}, {"depth", depth}});
    for (const auto& finding : companion.findings) one["findings"].push_back(finding_json(finding));
    json["companions"].push_back(std::move(one));
  }
  for (const auto& diff : report.diffs) json["files"].push_back(diff.path);
  if (!report.diff.empty()) json["diff"] = report.diff;
  if (!report.run_id.empty()) json["run"] = {{"id", report.run_id}, {"backup", report.backup}};
  return json_text(json);
}

}  // namespace portpatch
