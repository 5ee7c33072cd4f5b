#include "report/memory.h"

#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "base/digest.h"
#include "base/files.h"

namespace portpatch {

namespace {

using Json = nlohmann::json;

/// Raised when what is remembered means something else than before.
constexpr int kFormat = 1;

std::string memory_path(const WorkTree& tree, const std::vector<std::string>& packs) {
  std::string all;
  for (const auto& pack : packs) all += pack + "\n";
  return tree.state_dir + "/memory-" + sha256(all).substr(0, 16) + ".json";
}

Json to_json(const Report& report) {
  Json json{{"command", report.command},
            {"root", report.root},
            {"upstream_name", report.upstream_name},
            {"upstream_commit", report.upstream_commit},
            {"upstream_unknown", report.upstream_unknown},
            {"resting", report.resting},
            {"rules", Json::array()}};
  for (const auto& rule : report.rules) {
    Json sites = Json::array();
    for (const auto& site : rule.sites) {
      sites.push_back({name_of(site.outcome), site.path, site.line, site.column, site.scope,
                       site.upstream_kept});
    }
    json["rules"].push_back({{"pack", rule.pack},
                             {"rule", rule.rule},
                             {"outcome", name_of(rule.outcome)},
                             {"reason", rule.reason},
                             {"expect", rule.expect},
                             {"notes", rule.notes},
                             {"after_edit", rule.after_edit},
                             {"owner", rule.owner},
                             {"sites", sites}});
  }
  return json;
}

Report from_json(const Json& json) {
  Report report;
  json.at("command").get_to(report.command);
  json.at("root").get_to(report.root);
  json.at("upstream_name").get_to(report.upstream_name);
  json.at("upstream_commit").get_to(report.upstream_commit);
  json.at("upstream_unknown").get_to(report.upstream_unknown);
  json.at("resting").get_to(report.resting);
  for (const auto& one : json.at("rules")) {
    RuleReport rule;
    one.at("pack").get_to(rule.pack);
    one.at("rule").get_to(rule.rule);
    rule.outcome = outcome_named(one.at("outcome").get<std::string>()).value();
    one.at("reason").get_to(rule.reason);
    one.at("expect").get_to(rule.expect);
    one.at("notes").get_to(rule.notes);
    one.at("after_edit").get_to(rule.after_edit);
    one.at("owner").get_to(rule.owner);
    for (const auto& site : one.at("sites")) {
      rule.sites.push_back({.outcome = outcome_named(site.at(0).get<std::string>()).value(),
                            .path = site.at(1),
                            .line = site.at(2),
                            .column = site.at(3),
                            .scope = site.at(4),
                            .upstream_kept = site.at(5)});
    }
    report.rules.push_back(std::move(rule));
  }
  return report;
}

}  // namespace

std::string memory_hash(const std::optional<std::string>& text) {
  return text ? sha256(*text) : "absent";
}

std::optional<Memory> recall(const WorkTree& tree, const std::vector<std::string>& packs) {
  const auto text = read_file(memory_path(tree, packs));
  if (!text) return std::nullopt;
  try {
    const auto json = Json::parse(*text);
    if (json.at("format") != kFormat || json.at("version") != PORTPATCH_VERSION)
      return std::nullopt;
    Memory memory;
    json.at("packs").get_to(memory.key.packs);
    json.at("hashes").get_to(memory.key.hashes);
    json.at("configured").get_to(memory.key.configured);
    json.at("refs").get_to(memory.key.refs);
    json.at("files").get_to(memory.files);
    memory.report = from_json(json.at("report"));
    return memory;
  } catch (const std::exception&) {
    return std::nullopt;  // damaged or of another version: the long way gives the answer
  }
}

bool files_match(const WorkTree& tree, const Memory& memory) {
  for (const auto& [path, hash] : memory.files) {
    const auto text = read_file_if_there(tree.root + "/" + path);
    if (!text || memory_hash(*text) != hash) return false;
  }
  return true;
}

void remember(const WorkTree& tree, FileSystem& files, const Memory& memory) {
  const Json json{{"format", kFormat},
                  {"version", PORTPATCH_VERSION},
                  {"packs", memory.key.packs},
                  {"hashes", memory.key.hashes},
                  {"configured", memory.key.configured},
                  {"refs", memory.key.refs},
                  {"files", memory.files},
                  {"report", to_json(memory.report)}};
  const auto path = memory_path(tree, memory.key.packs);
  const auto text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  const auto temporary = path + ".tmp";
  if (!files.status(tree.state_dir) && !files.make_folder(tree.state_dir, 0700)) return;
  (void)files.remove(temporary);
  const auto file = files.create(temporary, 0600);
  if (!file) return;
  const bool written = files.write(*file, text).has_value();
  const bool closed = files.close(*file).has_value();
  if (!written || !closed || !files.rename(temporary, path)) (void)files.remove(temporary);
}

}  // namespace portpatch
