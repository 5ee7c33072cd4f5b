#include "report/capture.h"

#include <algorithm>
#include <ranges>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "report/json_text.h"

namespace portpatch {

namespace {

using Json = nlohmann::ordered_json;

std::string place(const std::string& path, std::size_t line) {
  return line > 0 ? fmt::format("{}:{}", printable(path), line) : printable(path);
}

/// The first few places, the rest as a number.
std::string few(const std::vector<OtherPlace>& places) {
  constexpr std::size_t kShown = 4;
  std::vector<std::string> shown;
  for (const auto& one : places | std::views::take(kShown))
    shown.push_back(place(one.path, one.line));
  return join(shown, ", ") +
         (places.size() > kShown
              ? fmt::format(" and {} more (--format json names all)", places.size() - kShown)
              : "");
}

/// What else of the tree a rule's author must know of.
void other_places(const CaptureReport& report, bool explain, std::string& out) {
  for (const auto& rule : report.rules) {
    const auto count = rule.further.size();
    if (count > 0)
      out += fmt::format("note: the change left {} like those of {}: {}\n", counted(count, "place"),
                         printable(rule.rule), few(rule.further));
    if (!explain && !rule.namesakes.empty())
      out += fmt::format(
          "note: {} is told from its namesakes by the path in pack.lock; its query also matches "
          "{}\n",
          printable(rule.rule), few(rule.namesakes));
  }
}

Json places_json(const std::vector<OtherPlace>& places) {
  auto json = Json::array();
  for (const auto& one : places)
    json.push_back({{"path", one.path}, {"line", one.line}, {"scope", one.scope}});
  return json;
}

}  // namespace

std::string write_text(const CaptureReport& report, const TextStyle& style, bool explain) {
  const auto paint = [&](std::string_view colour, std::string_view text) {
    return style.colour ? fmt::format("\x1b[{}m{}\x1b[0m", colour, text) : std::string(text);
  };
  std::string out = report.diff.empty() ? "" : report.diff + "\n";
  out += fmt::format("tree      {}\ncaptured  {}\npack      {}\n\n", printable(report.root),
                     printable(report.source), printable(report.pack));
  std::size_t width = 0;
  for (const auto& rule : report.rules) width = std::max(width, display_width(rule.rule));
  for (const auto& rule : report.rules) {
    out += fmt::format("  {}   {}{}  #{}  {}{}{}\n", paint("32", "captured"), printable(rule.rule),
                       std::string(width - display_width(rule.rule), ' '), rule.directive,
                       place(rule.path, rule.line),
                       rule.places > 1 ? fmt::format(" and {} more", rule.places - 1) : "",
                       rule.group.empty() ? "" : fmt::format("  group {}", printable(rule.group)));
    if (!explain) continue;
    out += fmt::format(
        "             anchor: {}\n             in the tree: {}\n", printable(rule.why),
        rule.namesakes.empty()
            ? "its query matches nothing else"
            : fmt::format("its query also matches {}; the path in pack.lock tells them apart",
                          few(rule.namesakes)));
  }
  for (const auto& piece : report.uncaptured) {
    out += fmt::format("  {} {}{}{}\n             {}\n", paint("31", "not a rule"),
                       place(piece.path, piece.line), piece.is_in_old ? " (as it was)" : "",
                       piece.text.empty() ? "" : ": " + printable(piece.text),
                       printable(piece.reason));
  }
  for (const auto& [path, reason] : report.unchanged)
    out += fmt::format("  no rule    {}: {}\n", printable(path), printable(reason));
  other_places(report, explain, out);
  for (const auto& note : report.notes) out += fmt::format("note: {}\n", printable(note));
  out += report.rules.empty() && report.uncaptured.empty() && report.unchanged.empty()
             ? "nothing differs: there is nothing to capture\n"
             : "\n";
  if (!report.rules.empty()) {
    out += fmt::format("{} {}", counted(report.rules.size(), "rule"),
                       report.dry_run ? "would be written (--dry-run)" : "written");
    if (!report.uncaptured.empty())
      out += fmt::format(", {} not captured: keep them by hand",
                         counted(report.uncaptured.size(), "piece"));
    out += "\n";
    if (!report.run_id.empty())
      out += fmt::format(
          "run {}; next: read the rules, then pull with: portpatch pull {}; take this back: "
          "portpatch undo\n",
          report.run_id, printable(shell_word(report.pack)));
  } else if (!report.uncaptured.empty()) {
    out += fmt::format("nothing was captured; {} no rule says\n",
                       counted(report.uncaptured.size(), "piece"));
  }
  return out;
}

std::string write_json(const CaptureReport& report) {
  Json json{{"format", 1},
            {"command", report.command},
            {"tree", report.root},
            {"exit_status", report.exit_status()},
            {"dry_run", report.dry_run},
            {"pack", report.pack},
            {"captured", report.source},
            {"rules", Json::array()},
            {"uncaptured", Json::array()},
            {"unchanged", Json::array()},
            {"files", Json::array()},
            {"notes", report.notes}};
  for (const auto& rule : report.rules) {
    json["rules"].push_back({{"rule", rule.rule},
                             {"directive", rule.directive},
                             {"path", rule.path},
                             {"line", rule.line},
                             {"scope", rule.scope},
                             {"why", rule.why},
                             {"places", rule.places},
                             {"group", rule.group},
                             {"changed_tokens", rule.changed_tokens},
                             {"payload_tokens", rule.payload_tokens},
                             {"namesakes", places_json(rule.namesakes)},
                             {"further_places", places_json(rule.further)}});
  }
  for (const auto& piece : report.uncaptured) {
    json["uncaptured"].push_back({{"path", piece.path},
                                  {"line", piece.line},
                                  {"in_old_file", piece.is_in_old},
                                  {"text", piece.text},
                                  {"reason", piece.reason},
                                  {"changed_tokens", piece.changed_tokens}});
  }
  for (const auto& [path, reason] : report.unchanged)
    json["unchanged"].push_back({{"path", path}, {"reason", reason}});
  for (const auto& diff : report.diffs) json["files"].push_back(diff.path);
  if (!report.diff.empty()) json["diff"] = report.diff;
  if (!report.run_id.empty()) json["run"] = {{"id", report.run_id}, {"backup", report.backup}};
  return json_text(json);
}

}  // namespace portpatch
