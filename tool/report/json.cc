// The report for programs. The format is described by report.schema.json beside this file; a change
// that a reader could trip over raises kFormat.
#include <nlohmann/json.hpp>

#include "report/json_text.h"
#include "report/next_command.h"
#include "report/report.h"

namespace portpatch {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;

void put(Json& json, const char* key, const std::string& value) {
  if (!value.empty()) json[key] = value;
}

Json site_json(const SiteReport& site) {
  Json json{{"outcome", name_of(site.outcome)},
            {"path", site.path},
            {"line", site.line},
            {"column", site.column},
            {"scope", site.scope}};
  put(json, "code", site.code);
  put(json, "reason", site.reason);
  put(json, "remedy", site.remedy);
  put(json, "base", site.base);
  put(json, "ours", site.ours);
  put(json, "theirs", site.theirs);
  if (site.upstream_kept) json["upstream_kept"] = true;
  return json;
}

Json commit_json(const CommitInfo& commit) {
  return {{"id", commit.id}, {"date", commit.date}, {"subject", commit.subject}};
}

Json place_json(const PlaceReport& place) {
  return {{"path", place.path}, {"line", place.line}, {"scope", place.scope}, {"name", place.name}};
}

Json step_json(const TraceStep& step, bool is_step) {
  Json json = is_step ? Json{{"from", place_json(step.from)}, {"to", place_json(step.to)}}
                      : Json{{"place", place_json(step.to)}};
  if (step.commit) json["commit"] = commit_json(*step.commit);
  json["evidence"] = step.evidence;
  json["score"] = step.score;
  if (is_step)
    json.update({{"margin", step.margin}, {"is_ours", step.is_ours}});
  else
    json["differs"] = step.differs;
  return json;
}

Json trace_json(const TraceReport& trace) {
  Json json{{"verdict", trace.verdict},
            {"base", place_json(trace.base)},
            {"steps", Json::array()},
            {"survivors", Json::array()},
            {"unknown", trace.unknown}};
  for (const auto& step : trace.steps) json["steps"].push_back(step_json(step, true));
  for (const auto& one : trace.survivors) json["survivors"].push_back(step_json(one, false));
  if (trace.vanished) json["vanished"] = commit_json(*trace.vanished);
  if (trace.is_to_come) json["is_to_come"] = true;
  return json;
}

Json rule_json(const Report& report, const RuleReport& rule) {
  Json json{{"pack", rule.pack},
            {"rule", rule.rule},
            {"outcome", name_of(rule.outcome)},
            {"needs_person", needs_person(rule.outcome)},
            {"reason", rule.reason},
            {"expect", rule.expect},
            {"sites", Json::array()},
            {"notes", rule.notes}};
  put(json, "after_edit", rule.after_edit);
  put(json, "owner", rule.owner);
  if (needs_person(rule.outcome)) json["next"] = next_command(report, rule);
  for (const auto& trace : rule.traces) json["traces"].push_back(trace_json(trace));
  for (const auto& home : rule.homes)
    json["homes"].push_back(
        {{"what", home.what}, {"place", place_json(home.place)}, {"text", home.text}});
  put(json, "query_diff", rule.query_diff);
  if (rule.brought) json["brought_by"] = commit_json(*rule.brought);
  for (const auto& site : rule.sites) json["sites"].push_back(site_json(site));
  return json;
}

}  // namespace

std::string write_json(const Report& report) {
  Json json{{"format", kFormat},
            {"command", report.command},
            {"tree", report.root},
            {"exit_status", report.exit_status()},
            {"dry_run", report.dry_run},
            {"upstream",
             {{"ref", report.upstream_name},
              {"commit", report.upstream_commit},
              {"unknown_because", report.upstream_unknown}}},
            {"rules", Json::array()},
            {"resting", report.resting},
            {"skipped", Json::array()},
            {"files", Json::array()},
            {"notes", report.notes}};
  if (!report.revision.empty())
    json["revision"] = {{"name", report.revision_name}, {"commit", report.revision}};
  for (const auto& rule : report.rules) json["rules"].push_back(rule_json(report, rule));
  for (const auto& [path, reason] : report.skipped)
    json["skipped"].push_back({{"path", path}, {"reason", reason}});
  for (const auto& diff : report.diffs) json["files"].push_back(diff.path);
  put(json, "diff", report.diff);
  if (const auto& pulled = report.pulled) {
    json["pulled"] = {{"before", pulled->before},
                      {"after", pulled->after},
                      {"upstream", pulled->upstream},
                      {"commits", pulled->commits},
                      {"kept", pulled->kept}};
  }
  if (!report.run_id.empty()) json["run"] = {{"id", report.run_id}, {"backup", report.backup}};
  return json_text(json);
}

std::string write_json(const std::vector<RunLine>& runs) {
  Json json{{"format", kFormat}, {"runs", Json::array()}};
  for (const auto& run : runs) {
    json["runs"].push_back(
        {{"id", run.id}, {"command", run.command}, {"backup", run.backup}, {"files", run.paths}});
  }
  return json_text(json);
}

std::string write_json(const std::vector<Diagnostic>& errors) {
  Json json{{"format", kFormat}, {"exit_status", 2}, {"errors", Json::array()}};
  for (const auto& error : errors) {
    Json one{{"code", error.code}, {"message", error.message}};
    put(one, "remedy", error.remedy);
    if (!error.notes.empty()) one["notes"] = error.notes;
    if (error.place)
      one["place"] = {{"path", error.place->path},
                      {"line", error.place->line},
                      {"column", error.place->column}};
    json["errors"].push_back(std::move(one));
  }
  return json_text(json);
}

std::string write_json(const std::vector<HookLine>& hooks) {
  Json json{{"format", kFormat}, {"hooks", Json::array()}};
  for (const auto& hook : hooks) {
    Json one{
        {"name", hook.name}, {"state", hook.state}, {"path", hook.path}, {"packs", hook.packs}};
    put(one, "kept", hook.kept);
    json["hooks"].push_back(std::move(one));
  }
  return json_text(json);
}

}  // namespace portpatch
