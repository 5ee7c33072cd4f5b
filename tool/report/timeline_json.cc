// The timeline for programs, written and read again (report.schema.json).
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/json_text.h"
#include "report/timeline.h"

namespace portpatch {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;

Json commit_json(const CommitInfo& commit) {
  return {{"commit", commit.id}, {"date", commit.date}, {"subject", commit.subject}};
}

Json state_json(const TimelineState& state) {
  Json json{{"outcome", name_of(state.outcome)}, {"places", Json::array()}};
  for (const auto& place : state.places)
    json["places"].push_back({{"path", place.path}, {"scope", place.scope}});
  if (!state.reason.empty()) json["reason"] = state.reason;
  return json;
}

Json rule_json(const TimelineRule& rule) {
  Json json{{"pack", rule.pack},
            {"rule", rule.rule},
            {"start", state_json(rule.start)},
            {"changes", Json::array()},
            {"outcome", name_of(rule.end().outcome)},
            {"needs_person", needs_person(rule.end().outcome)}};
  auto before = rule.start.outcome;
  for (const auto& change : rule.changes) {
    auto entry = commit_json(change.commit);
    entry["before"] = name_of(before);
    entry.update(state_json(change.after));
    json["changes"].push_back(std::move(entry));
    before = change.after.outcome;
  }
  return json;
}

CommitInfo read_commit(const Json& json) {
  return {json.at("commit"), json.at("subject"), json.at("date")};
}

TimelineState read_state(const Json& json) {
  const auto outcome = outcome_named(json.at("outcome").get<std::string>());
  if (!outcome) throw std::runtime_error("it has an unknown outcome");
  TimelineState state{.outcome = *outcome, .places = {}, .reason = json.value("reason", "")};
  for (const auto& place : json.at("places"))
    state.places.push_back({place.at("path"), place.at("scope")});
  return state;
}

TimelineRule read_rule(const Json& json) {
  TimelineRule rule{json.at("pack"), json.at("rule"), read_state(json.at("start")), {}};
  for (const auto& change : json.at("changes"))
    rule.changes.push_back({read_commit(change), read_state(change)});
  return rule;
}

std::vector<std::pair<std::string, std::string>> read_pairs(const Json& json, const char* first,
                                                            const char* second) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const auto& one : json) pairs.emplace_back(one.at(first), one.at(second));
  return pairs;
}

Timeline read(const Json& json) {
  if (json.at("format") != kFormat)
    throw std::runtime_error("its format is not the one that this portpatch reads");
  if (json.contains("errors"))
    throw std::runtime_error("its run failed: " +
                             json["errors"].at(0).at("message").get<std::string>());
  Timeline timeline{.command = json.at("command"),
                    .root = json.at("tree"),
                    .range = json.at("range").at("name"),
                    .from = read_commit(json.at("range").at("from")),
                    .to = read_commit(json.at("range").at("to")),
                    .commits = json.at("range").at("commits"),
                    .shard = {},
                    .packs = read_pairs(json.at("packs"), "pack", "hash"),
                    .rules = {},
                    .resting = json.at("resting"),
                    .skipped = read_pairs(json.at("skipped"), "path", "reason")};
  if (json.contains("shard")) {
    const auto& shard = json["shard"];
    timeline.shard = {shard.at("index"), shard.at("count"), shard.at("from"), shard.at("to"),
                      shard.at("commits")};
    if (timeline.shard->index < 1 || timeline.shard->index > timeline.shard->count)
      throw std::runtime_error("its piece is none of those that it was cut into");
  }
  for (const auto& rule : json.at("rules")) timeline.rules.push_back(read_rule(rule));
  return timeline;
}

}  // namespace

std::string write_json(const Timeline& timeline) {
  Json json{{"format", kFormat},
            {"command", timeline.command},
            {"tree", timeline.root},
            {"exit_status", timeline.exit_status()},
            {"range",
             {{"name", timeline.range},
              {"from", commit_json(timeline.from)},
              {"to", commit_json(timeline.to)},
              {"commits", timeline.commits}}},
            {"packs", Json::array()},
            {"rules", Json::array()},
            {"resting", timeline.resting},
            {"skipped", Json::array()}};
  if (const auto& shard = timeline.shard) {
    json["shard"] = {{"index", shard->index},
                     {"count", shard->count},
                     {"from", shard->from},
                     {"to", shard->to},
                     {"commits", shard->commits}};
  }
  for (const auto& [pack, hash] : timeline.packs)
    json["packs"].push_back({{"pack", pack}, {"hash", hash}});
  for (const auto& rule : timeline.rules) json["rules"].push_back(rule_json(rule));
  for (const auto& [path, reason] : timeline.skipped)
    json["skipped"].push_back({{"path", path}, {"reason", reason}});
  return json_text(json);
}

Result<Timeline> read_timeline(std::string_view path, std::string_view text) {
  const auto wrong = [&](std::string_view why) {
    return failure(
        "no-timeline", fmt::format("{} holds no timeline: {}", path, why),
        "give the files that `portpatch timeline --format json --shard I/N PACK... A..B` printed");
  };
  try {
    return read(Json::parse(text));
  } catch (const nlohmann::json::parse_error&) {
    return wrong("it is no JSON");
  } catch (const nlohmann::json::exception&) {
    return wrong("it is JSON of another kind");
  } catch (const std::runtime_error& error) {
    return wrong(error.what());
  }
}

}  // namespace portpatch
