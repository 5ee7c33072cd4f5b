// The timeline for people: a block a rule, a line a change.
#include <algorithm>
#include <cstdio>
#include <map>

#include <fmt/format.h>

#include "base/text.h"
#include "report/colour.h"
#include "report/timeline.h"

namespace portpatch {

namespace {

class TimelineWriter {
 public:
  TimelineWriter(const Timeline& timeline, const TextStyle& style)
      : timeline_(timeline), style_(style) {
    for (const auto& rule : timeline.rules) {
      const Outcome* before = &rule.start.outcome;
      for (const auto& change : rule.changes) {
        width_ = std::max(
            width_, name_of(*before).size() + kArrow.size() + name_of(change.after.outcome).size());
        before = &change.after.outcome;
      }
      width_ = std::max(width_, name_of(rule.start.outcome).size());
    }
  }

  std::string write() {
    header();
    for (const auto& rule : timeline_.rules) block(rule);
    for (const auto& name : timeline_.resting)
      out_ += fmt::format("{}  (enabled = false)\n\n", printable(name));
    for (const auto& [path, reason] : timeline_.skipped)
      out_ += fmt::format("not searched: {}: {}\n", printable(path), printable(reason));
    summary();
    return std::move(out_);
  }

 private:
  static constexpr std::string_view kArrow = " -> ";

  void header() {
    out_ += fmt::format("tree      {}\n", printable(timeline_.root));
    out_ += fmt::format("from      {}\n", printable(describe(timeline_.from)));
    out_ += fmt::format("to        {}\n", printable(describe(timeline_.to)));
    out_ += fmt::format("commits   {} along first parents", timeline_.commits);
    if (const auto& shard = timeline_.shard) {
      out_ += fmt::format("; piece {} of {}: the {} after {}", shard->index, shard->count,
                          shard->commits, shard->from.substr(0, 12));
    }
    out_ += "\n\n";
  }

  void block(const TimelineRule& rule) {
    out_ += printable(rule.full_name()) + "\n";
    auto start = timeline_.shard ? timeline_.shard->from : timeline_.from.id;
    line(start, timeline_.shard ? "" : timeline_.from.date, paint(rule.start.outcome, style_),
         name_of(rule.start.outcome).size(),
         rule.start.places.empty() ? "no place in the tree" : place(rule.start));
    detail(rule.start.reason);
    const TimelineState* before = &rule.start;
    for (const auto& change : rule.changes) {
      transition(*before, change);
      before = &change.after;
    }
    if (rule.changes.empty()) out_ += "  no change\n";
    out_ += '\n';
  }

  void line(std::string_view id, std::string_view date, std::string_view what,
            std::size_t what_width, std::string_view rest) {
    out_ += fmt::format("  {}  {:<10}  {}{}  {}\n", id.substr(0, 12), date, what,
                        std::string(width_ - std::min(width_, what_width), ' '), rest);
  }
  /// Below the last column of a line.
  void detail(std::string_view text) {
    if (!text.empty())
      out_ += fmt::format("{}{}\n", std::string(2 + 12 + 2 + 10 + 2 + width_ + 2, ' '),
                          printable(text));
  }

  void transition(const TimelineState& before, const TimelineChange& change) {
    const auto& after = change.after;
    const bool is_other = before.outcome != after.outcome;
    const auto what = is_other ? paint(before.outcome, style_) + std::string(kArrow) +
                                     paint(after.outcome, style_)
                               : paint(after.outcome, style_);
    const auto width = name_of(after.outcome).size() +
                       (is_other ? name_of(before.outcome).size() + kArrow.size() : 0);
    line(change.commit.id, change.commit.date, what, width, printable(change.commit.subject));
    if (after.places != before.places)
      detail(after.places.empty() ? "no place in the tree" : place(after));
    if (after.reason != before.reason) detail(after.reason);
  }

  static std::string place(const TimelineState& state) {
    const auto& first = state.places[0];
    auto text = first.scope.empty()
                    ? printable(first.path)
                    : fmt::format("{} in {}", printable(first.path), printable(first.scope));
    if (state.places.size() > 1) text += fmt::format(" and {} more", state.places.size() - 1);
    return text;
  }

  void summary() {
    std::map<Outcome, std::size_t> counts;
    std::size_t changes = 0;
    for (const auto& rule : timeline_.rules) {
      ++counts[rule.end().outcome];
      changes += rule.changes.size();
    }
    std::vector<std::string> parts;
    for (const auto& [outcome, count] : counts)
      parts.push_back(fmt::format("{} {}", count, name_of(outcome)));
    const auto& end = timeline_.shard ? timeline_.shard->to : timeline_.to.id;
    out_ += fmt::format("{}, {}; at {}: {}\n", counted(timeline_.rules.size(), "rule"),
                        counted(changes, "change"), end.substr(0, 12), join(parts, ", "));
  }

  const Timeline& timeline_;
  const TextStyle& style_;
  std::size_t width_ = 0;  ///< of "before -> after"
  std::string out_;
};

}  // namespace

std::optional<std::chrono::sys_days> day_of(std::string_view date) {
  int year = 0;
  unsigned month = 0, day = 0;
  if (std::sscanf(std::string(date).c_str(), "%d-%u-%u", &year, &month, &day) != 3)
    return std::nullopt;
  const std::chrono::year_month_day read{std::chrono::year(year), std::chrono::month(month),
                                         std::chrono::day(day)};
  return read.ok() ? std::optional(std::chrono::sys_days(read)) : std::nullopt;
}

bool Timeline::needs_person() const {
  return std::ranges::any_of(
      rules, [](const TimelineRule& rule) { return portpatch::needs_person(rule.end().outcome); });
}

std::string write_text(const Timeline& timeline, const TextStyle& style) {
  return TimelineWriter(timeline, style).write();
}

}  // namespace portpatch
