// Findings for people and, as JSON, for programs.
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "report/findings.h"
#include "report/json_text.h"
#include "report/report.h"

namespace portpatch {

namespace {

using Json = nlohmann::ordered_json;

std::string place_text(const Region& place) {
  return place.line > 0 ? fmt::format("{}:{}", printable(place.path), place.line)
                        : printable(place.path);
}

std::string painted(Severity severity, const TextStyle& style) {
  constexpr std::string_view kColours[] = {"36", "33", "31"};
  const auto word = fmt::format("{:<7}", severity_name(severity));
  return style.colour
             ? fmt::format("\x1b[{}m{}\x1b[0m", kColours[static_cast<std::size_t>(severity)], word)
             : word;
}

void put_lines(std::string_view first, std::string_view text, std::string& out) {
  auto before = std::string(first);
  for (const auto line : split_lines(text)) {
    out += fmt::format("  {}{}\n", before, printable(line));
    before.assign(first.size(), ' ');
  }
}

void put_finding(const Finding& finding, const TextStyle& style, std::string& out) {
  const auto* type = finding_type(finding.type);
  out += fmt::format("\n{} {}: {}\n", painted(finding.severity, style),
                     printable(type == nullptr ? finding.type : type->title),
                     printable(finding.subject));
  if (!finding.place.path.empty())
    out += fmt::format("  at {}{}\n", place_text(finding.place),
                       finding.is_in_diff ? "" : " (outside of the changed lines)");
  put_lines("", finding.message, out);
  for (const auto& also : finding.evidence)
    out += also.place.path.empty()
               ? fmt::format("  see {}\n", printable(also.says))
               : fmt::format("  see {}: {}\n", place_text(also.place), printable(also.says));
  if (!finding.patch.empty()) out += "  the verified edit:\n";
  for (const auto line : split_lines(finding.patch))
    out += fmt::format("    {}\n", printable(line));
  put_lines("next: ", finding.remedy, out);
}

Json region_json(const Region& place) {
  Json json{{"path", place.path}, {"line", place.line}};
  if (place.column > 0) json["column"] = place.column;
  if (place.end_line > 0) json["end_line"] = place.end_line;
  return json;
}

Json finding_json(const Finding& finding) {
  Json json{{"type", finding.type},
            {"severity", severity_name(finding.severity)},
            {"subject", finding.subject}};
  json.update(region_json(finding.place));
  json["in_diff"] = finding.is_in_diff;
  json["message"] = finding.message;
  json["remedy"] = finding.remedy;
  json["evidence"] = Json::array();
  for (const auto& also : finding.evidence) {
    auto one = region_json(also.place);
    one["says"] = also.says;
    json["evidence"].push_back(std::move(one));
  }
  json["edits"] = Json::array();
  for (const auto& edit : finding.edits)
    json["edits"].push_back({{"path", edit.place.path},
                             {"line", edit.place.line},
                             {"end_line", edit.place.end_line},
                             {"text", edit.text}});
  if (!finding.patch.empty()) json["patch"] = finding.patch;
  json["fingerprint"] = finding.fingerprint;
  return json;
}

}  // namespace

std::string write_text(const FindingReport& report, const TextStyle& style) {
  auto out = fmt::format("tree      {}\n", printable(report.root));
  if (!report.base.empty())
    out += fmt::format("change    {}..{}\n", report.base.substr(0, 12),
                       report.revision.substr(0, 12));
  std::map<Severity, std::size_t, std::greater<>> counts;
  for (const auto& finding : report.findings) {
    put_finding(finding, style, out);
    ++counts[finding.severity];
  }
  out += '\n';
  for (const auto& note : report.notes) out += fmt::format("note: {}\n", printable(note));
  std::vector<std::string> words;
  for (const auto& [severity, number] : counts)
    words.push_back(counted(number, severity_name(severity)));
  out += fmt::format(
      "{}{}; {} judged and well\n",
      report.findings.empty() ? "no findings" : counted(report.findings.size(), "finding"),
      words.empty() ? "" : ": " + join(words, ", "), report.passed.size());
  return out;
}

std::string write_json(const FindingReport& report) {
  Json json{{"format", 1},
            {"command", report.command},
            {"tree", report.root},
            {"base", report.base},
            {"head", report.revision},
            {"exit_status", report.exit_status},
            {"findings", Json::array()},
            {"passed", Json::array()},
            {"notes", report.notes}};
  for (const auto& finding : report.findings) json["findings"].push_back(finding_json(finding));
  for (const auto& one : report.passed)
    json["passed"].push_back({{"subject", one.subject}, {"says", one.says}});
  return json_text(json);
}

}  // namespace portpatch
