#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/audit_report.h"
#include "report/json_text.h"

namespace portpatch {

namespace {

using Json = nlohmann::ordered_json;

Json value_json(const CcValue& value) {
  return std::visit([](const auto& one) { return Json(one); }, value);
}

Json arm_json(const CcArm& arm) {
  Json json{{"line", arm.line}, {"end_line", arm.end_line}};
  if (!arm.condition.empty()) json["condition"] = arm.condition;
  if (arm.is_else) json["else"] = true;
  if (arm.refuses) json["refuses"] = true;
  json["keys"] = Json::array();
  for (const auto& key : arm.keys) {
    json["keys"].push_back({{"line", key.line},
                            {"expression", key.expression},
                            {"unit", unit_name(key.unit)},
                            {"op", key.op},
                            {"key", key.key},
                            {"cc", key_cc_text(key)}});
  }
  if (!arm.text.empty()) json["text"] = arm.text;
  if (arm.value) json["value"] = value_json(*arm.value);
  return json;
}

Json place_json(const AuditPlace& one, bool is_since) {
  const auto& place = one.place;
  Json json{{"path", place.path},
            {"line", place.line},
            {"end_line", place.end_line},
            {"form", place.form},
            {"function", place.function}};
  if (!place.name.empty()) json["name"] = place.name;
  json["by"] = place.by_clang ? "clang" : "syntax";
  json["subsystem"] = one.subsystem;
  json["risk"] = one.risk;
  if (one.is_test) json["test"] = true;
  if (is_since) json["new"] = one.is_new;
  json["answers"] = Json::array();
  for (std::size_t i = 0; i < one.answers.size(); ++i) {
    Json answer{{"cc", cc_text(one.answers[i].cc)},
                {"coverage", coverage_name(one.coverage[i])},
                {"arms", one.answers[i].arms}};
    if (one.answers[i].value) answer["value"] = value_json(*one.answers[i].value);
    json["answers"].push_back(std::move(answer));
  }
  json["arms"] = Json::array();
  for (const auto& arm : place.arms) json["arms"].push_back(arm_json(arm));
  return json;
}

}  // namespace

std::string write_json(const AuditReport& report) {
  Json json{{"format", 1},
            {"command", report.command},
            {"tree", report.root},
            {"exit_status", report.exit_status()},
            {"cc", Json::array()}};
  for (const auto& cc : report.cc) json["cc"].push_back(cc_text(cc));
  if (!report.asked_of.empty()) json["gpu"] = report.asked_of;
  if (!report.revision.empty()) json["revision"] = report.revision;
  if (!report.since.empty()) json["since"] = report.since;
  json["files_read"] = report.files_read;
  json["files_parsed"] = report.files_parsed;
  json["places"] = Json::array();
  for (const auto& one : report.places)
    json["places"].push_back(place_json(one, !report.since.empty()));
  json["disagreements"] = Json::array();
  for (const auto& one : report.disagreements) {
    json["disagreements"].push_back({{"cc", cc_text(one.cc)},
                                     {"gate", one.gate},
                                     {"dispatch", one.dispatch},
                                     {"through", one.through},
                                     {"guess", true}});
  }
  json["bugs"] = Json::array();
  for (const auto& bug : report.bugs) {
    json["bugs"].push_back({{"kind", bug.kind},
                            {"place", bug.place},
                            {"cc", cc_text(bug.cc)},
                            {"other", cc_text(bug.other)},
                            {"line", bug.line},
                            {"condition", bug.condition}});
  }
  json["files"] = Json::array();
  for (const auto& file : report.files) {
    Json one{{"path", file.path}, {"depth", file.depth}};
    if (!file.reason.empty()) one["reason"] = file.reason;
    if (!file.architectures.empty()) one["architectures"] = file.architectures;
    json["files"].push_back(std::move(one));
  }
  json["skipped"] = Json::array();
  for (const auto& [path, reason] : report.skipped)
    json["skipped"].push_back({{"path", path}, {"reason", reason}});
  return json_text(json);
}

}  // namespace portpatch
