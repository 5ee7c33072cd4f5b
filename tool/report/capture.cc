#include "report/capture.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"

namespace portpatch {

namespace {

std::string place(const std::string& path, std::size_t line) { return line > 0 ? fmt::format("{}:{}", printable(path), line) : printable(path); }

}  // namespace

std::string write_text(const CaptureReport& report, const TextStyle& style, bool explain) {
  const auto paint = [&](std::string_view colour, std::string_view text) { return style.colour ? fmt::format("\x1b[{}m{}\x1b[0m", colour, text) : std::string(text); };
  std::string out = report.diff.empty() ? "" : report.diff + "\n";
  out += fmt::format("tree      {}\ncaptured  {}\npack      {}\n\n", printable(report.root), printable(report.source), printable(report.pack));
  std::size_t width = 0;
  for (const auto& rule : report.rules) width = std::max(width, display_width(rule.rule));
  for (const auto& rule : report.rules) {
    out += fmt::format("  {}   {}{}  #{}  {}\n", paint("32", "captured"), printable(rule.rule), std::string(width - display_width(rule.rule), ' '), rule.directive, place(rule.path, rule.line));
    if (explain) out += fmt::format("             anchor: {}\n", printable(rule.why));
  }
  for (const auto& piece : report.uncaptured) {
    out += fmt::format("  {} {}{}{}\n             {}\n", paint("31", "not a rule"), place(piece.path, piece.line), piece.is_in_old ? " (as it was)" : "", piece.text.empty() ? "" : ": " + printable(piece.text), printable(piece.reason));
  }
  for (const auto& [path, reason] : report.unchanged) out += fmt::format("  no rule    {}: {}\n", printable(path), printable(reason));
  for (const auto& note : report.notes) out += fmt::format("note: {}\n", printable(note));
  out += report.rules.empty() && report.uncaptured.empty() && report.unchanged.empty() ? "nothing differs: there is nothing to capture\n" : "\n";
  if (!report.rules.empty()) {
    out += fmt::format("{} rule{} {}", report.rules.size(), report.rules.size() == 1 ? "" : "s", report.dry_run ? "would be written (--dry-run)" : "written");
    if (!report.uncaptured.empty()) out += fmt::format(", {} piece{} not captured: keep them by hand", report.uncaptured.size(), report.uncaptured.size() == 1 ? "" : "s");
    out += "\n";
    if (!report.run_id.empty()) out += fmt::format("run {}; next: read the rules, then after the next pull: portpatch apply {}; take this back: portpatch undo\n", report.run_id, printable(report.pack));
  } else if (!report.uncaptured.empty()) {
    out += fmt::format("nothing was captured; {} piece{} no rule says\n", report.uncaptured.size(), report.uncaptured.size() == 1 ? "" : "s");
  }
  return out;
}

std::string write_json(const CaptureReport& report) {
  using Json = nlohmann::ordered_json;
  Json json{{"format", 1}, {"command", report.command}, {"tree", report.root}, {"exit_status", report.exit_status()}, {"dry_run", report.dry_run},
            {"pack", report.pack}, {"captured", report.source}, {"rules", Json::array()}, {"uncaptured", Json::array()}, {"unchanged", Json::array()}, {"files", Json::array()}, {"notes", report.notes}};
  for (const auto& rule : report.rules) {
    json["rules"].push_back({{"rule", rule.rule}, {"directive", rule.directive}, {"path", rule.path}, {"line", rule.line}, {"scope", rule.scope}, {"why", rule.why},
                             {"changed_tokens", rule.changed_tokens}, {"payload_tokens", rule.payload_tokens}});
  }
  for (const auto& piece : report.uncaptured) {
    json["uncaptured"].push_back({{"path", piece.path}, {"line", piece.line}, {"in_old_file", piece.is_in_old}, {"text", piece.text}, {"reason", piece.reason}, {"changed_tokens", piece.changed_tokens}});
  }
  for (const auto& [path, reason] : report.unchanged) json["unchanged"].push_back({{"path", path}, {"reason", reason}});
  for (const auto& diff : report.diffs) json["files"].push_back(diff.path);
  if (!report.diff.empty()) json["diff"] = report.diff;
  if (!report.run_id.empty()) json["run"] = {{"id", report.run_id}, {"backup", report.backup}};
  return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace portpatch
