#include "report/pack_test_report.h"

#include <algorithm>
#include <chrono>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "report/json_text.h"

namespace portpatch {

namespace {

using Json = nlohmann::ordered_json;

}  // namespace

std::size_t PackTestReport::failed() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      fixtures, [](const FixtureResult& fixture) { return !fixture.mistakes.empty(); }));
}

std::string write_text(const PackTestReport& report) {
  std::string out;
  for (const auto& note : report.notes) out += fmt::format("note: {}\n", printable(note));
  for (const auto& fixture : report.fixtures) {
    const auto* word = !fixture.mistakes.empty() ? "failed"
                       : fixture.is_updated      ? "updated"
                                                 : "passed";
    out += fmt::format("{:<8} {}/tests/{}\n", word, printable(fixture.pack),
                       printable(fixture.name));
    for (const auto& mistake : fixture.mistakes) out += fmt::format("  {}\n", printable(mistake));
    for (const auto line : split_lines(fixture.diff)) out += fmt::format("  {}\n", printable(line));
  }
  if (report.fixtures.empty())
    out +=
        "there is no fixture: a pack's tests are PACK/tests/NAME/before and after; --update writes "
        "after\n";
  if (!report.run_id.empty())
    out += fmt::format("backup {}; take it back with: portpatch undo\n", report.run_id);
  out += fmt::format("{}, {} failed\n", counted(report.fixtures.size(), "fixture"),
                     report.failed());
  return out;
}

std::string write_json(const PackTestReport& report) {
  Json json{{"format", 1},
            {"command", report.command},
            {"exit_status", report.exit_status()},
            {"fixtures", Json::array()},
            {"notes", report.notes}};
  for (const auto& fixture : report.fixtures) {
    Json one{{"pack", fixture.pack},
             {"name", fixture.name},
             {"passed", fixture.mistakes.empty()},
             {"updated", fixture.is_updated},
             {"mistakes", fixture.mistakes}};
    if (!fixture.diff.empty()) one["diff"] = fixture.diff;
    json["fixtures"].push_back(std::move(one));
  }
  return json_text(json);
}

std::vector<OutcomeSpan> spans_of(const Timeline& timeline, const TimelineRule& rule,
                                  const std::vector<std::size_t>& positions) {
  std::map<Outcome, OutcomeSpan> spans;
  const auto add = [&](Outcome outcome, std::size_t commits, long days) {
    auto& span = spans[outcome];
    span.outcome = outcome;
    span.commits += commits;
    span.days += static_cast<std::size_t>(std::max(0L, days));
  };
  auto outcome = rule.start.outcome;
  std::size_t since = 0;
  const auto known_day = [](const std::string& date) {
    return day_of(date).value_or(std::chrono::sys_days{});
  };
  auto day = known_day(timeline.from.date);
  for (std::size_t i = 0; i < rule.changes.size(); ++i) {
    const auto changed = known_day(rule.changes[i].commit.date);
    add(outcome, positions[i] - since, (changed - day).count());
    outcome = rule.changes[i].after.outcome;
    since = positions[i];
    day = changed;
  }
  // The commit at `since` is the first with the outcome, the last one of the line the last.
  add(outcome, timeline.commits + 1 - since, (known_day(timeline.to.date) - day).count());
  std::vector<OutcomeSpan> all;
  for (auto& [which, span] : spans) all.push_back(span);
  return all;
}

std::string write_text(const HistoryTest& test) {
  const auto& timeline = test.timeline;
  auto out = fmt::format(
      "from      {}\nto        {}\ncommits   {} along first parents, and the one before\n",
      printable(describe(timeline.from)), printable(describe(timeline.to)), timeline.commits);
  for (std::size_t i = 0; i < timeline.rules.size(); ++i) {
    const auto& rule = timeline.rules[i];
    out += fmt::format("\n{}\n", printable(rule.full_name()));
    for (const auto& span : spans_of(timeline, rule, test.positions[i])) {
      out += fmt::format("  {:<10} {:>14} {:>10}{}\n", name_of(span.outcome),
                         counted(span.commits, "commit"), counted(span.days, "day"),
                         needs_person(span.outcome) ? "  needs a person" : "");
    }
    const auto* before = &rule.start;
    for (const auto& change : rule.changes) {
      const auto same = before->outcome == change.after.outcome;
      out += fmt::format("  {}  {}  {}\n", change.commit.id.substr(0, 12), change.commit.date,
                         printable(change.commit.subject));
      out += same ? fmt::format("    {}, at another place{}\n", name_of(change.after.outcome),
                                change.after.places.empty()
                                    ? ""
                                    : ": " + printable(change.after.places[0].path))
                  : fmt::format(
                        "    {} -> {}{}\n", name_of(before->outcome), name_of(change.after.outcome),
                        change.after.reason.empty() ? "" : ": " + printable(change.after.reason));
      before = &change.after;
    }
  }
  for (const auto& [path, reason] : timeline.skipped)
    out += fmt::format("not searched: {}: {}\n", printable(path), printable(reason));
  return out;
}

std::string write_json(const HistoryTest& test) {
  auto json = Json::parse(write_json(test.timeline));
  for (std::size_t i = 0; i < test.timeline.rules.size(); ++i) {
    auto& spans = json["rules"][i]["spans"] = Json::array();
    for (const auto& span : spans_of(test.timeline, test.timeline.rules[i], test.positions[i])) {
      spans.push_back(
          {{"outcome", name_of(span.outcome)}, {"commits", span.commits}, {"days", span.days}});
    }
  }
  return json_text(json);
}

}  // namespace portpatch
