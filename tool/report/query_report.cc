#include "report/query_report.h"

#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "report/json_text.h"

namespace portpatch {

namespace {

using Json = nlohmann::ordered_json;

std::string counted(std::size_t count, std::string_view noun, std::string_view plural) {
  return fmt::format("{} {}", count, count == 1 ? noun : plural);
}

std::size_t files_with_matches(const QueryReport& report) {
  std::set<std::string> paths;
  for (const auto& match : report.result.matches) paths.insert(match.path);
  return paths.size();
}

/// The source line with a caret under the place.
std::string shown_line(const Place& place) {
  const auto number = std::to_string(place.line);
  const auto before = place.column > 0 ? std::string_view(place.source).substr(0, place.column - 1)
                                       : std::string_view();
  std::string blanks;
  for (const char c : before) blanks += c == '\t' ? '\t' : ' ';
  return fmt::format("  {} | {}\n  {} | {}{}\n", number, printable(place.source),
                     std::string(number.size(), ' '), blanks,
                     std::string(std::max<std::size_t>(place.width, 1), '^'));
}

Json place_json(const Place& place) {
  return {{"path", place.path}, {"line", place.line}, {"column", place.column}};
}

Json match_json(const QueryMatch& match) {
  Json json{{"path", match.path},   {"line", match.place.line},     {"column", match.place.column},
            {"scope", match.scope}, {"pattern", match.pattern + 1}, {"captures", Json::array()}};
  for (const auto& capture : match.captures) {
    json["captures"].push_back({{"name", capture.name},
                                {"kind", capture.kind},
                                {"line", capture.place.line},
                                {"column", capture.place.column},
                                {"text", capture.text}});
  }
  return json;
}

Json near_json(const NearMiss& miss) {
  Json json{{"scope", miss.scope}, {"pattern", miss.pattern + 1}, {"failed", Json::array()}};
  for (const auto& failed : miss.failed) {
    auto one = place_json(failed.place);
    one["part"] = failed.part;
    one["here"] = failed.here;
    json["failed"].push_back(std::move(one));
  }
  return json;
}

}  // namespace

std::string near_miss_text(const NearMisses& near, std::size_t patterns) {
  std::string out;
  for (std::size_t i = 0; i < near.found.size(); ++i) {
    const auto& miss = near.found[i];
    const auto& place = miss.failed[0].place;
    const auto pattern = patterns > 1 ? fmt::format(", pattern {}", miss.pattern + 1) : "";
    out += fmt::format("{}: {}:{}:{}{}{}{}\n", i == 0 ? "nearest" : "next", printable(place.path),
                       place.line, place.column, miss.scope.empty() ? "" : " in ",
                       printable(miss.scope), pattern);
    const Place* shown = nullptr;
    for (const auto& failed : miss.failed) {
      if (i == 0 && (shown == nullptr || shown->line != failed.place.line ||
                     shown->column != failed.place.column))
        out += shown_line(failed.place);
      shown = &failed.place;
      out += fmt::format("  `{}` fails: {}\n", failed.part, failed.here);
    }
  }
  if (near.found.empty()) out += "no place has most of the pattern\n";
  if (near.files < near.of)
    out += fmt::format(
        "looked for near misses in {} of {} files, those that share most words with the pattern\n",
        near.files, near.of);
  return out;
}

std::string write_text(const QueryReport& report, const TextStyle&) {
  std::string out;
  for (const auto& match : report.result.matches) {
    out += fmt::format("{}:{}:{}{}{}\n", printable(match.path), match.place.line,
                       match.place.column, match.scope.empty() ? "" : "  in ",
                       printable(match.scope));
    for (const auto& capture : match.captures)
      out += fmt::format("  @{} {}: {}\n", capture.name, capture.kind, capture.text);
  }
  if (report.near)
    out += near_miss_text(*report.near,
                          report.near->found.empty() ? 0 : 1 + report.near->found.back().pattern);
  for (const auto& [path, reason] : report.result.skipped)
    out += fmt::format("not searched: {}: {}\n", printable(path), printable(reason));
  if (!report.not_run.empty()) out += fmt::format("not run: #{}\n", join(report.not_run, ", #"));
  const auto& matches = report.result.matches;
  out += matches.empty()
             ? fmt::format("no match in {} ({})\n", counted(report.result.files, "file", "files"),
                           report.language)
             : fmt::format("{} in {} of {} ({})\n", counted(matches.size(), "match", "matches"),
                           files_with_matches(report),
                           counted(report.result.files, "file", "files"), report.language);
  return out;
}

std::string write_json(const QueryReport& report) {
  Json json{{"format", 1},
            {"command", report.command},
            {"tree", report.root},
            {"exit_status", report.exit_status()},
            {"language", report.language},
            {"files", report.result.files},
            {"not_run", report.not_run},
            {"matches", Json::array()}};
  for (const auto& match : report.result.matches) json["matches"].push_back(match_json(match));
  if (report.near) {
    json["near"] = Json::array();
    for (const auto& miss : report.near->found) json["near"].push_back(near_json(miss));
    json["near_files"] = report.near->files;
  }
  json["skipped"] = Json::array();
  for (const auto& [path, reason] : report.result.skipped)
    json["skipped"].push_back({{"path", path}, {"reason", reason}});
  return json_text(json);
}

}  // namespace portpatch
