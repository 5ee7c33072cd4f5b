#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "report/page/frame.h"
#include "report/page/page.h"

namespace portpatch {

namespace {

using std::chrono::sys_days;

/// Where commits stand along the picture, in percent of its width. A date is all that is known of a
/// commit's time, so those of one day are spread over it in the order in which they are met.
class Scale {
 public:
  explicit Scale(const Timeline& timeline) {
    const auto from = day_of(timeline.from.date), to = day_of(timeline.to.date);
    first_ = from.value_or(sys_days{});
    last_ = std::max(to.value_or(first_), first_);
    std::map<std::string, std::vector<std::string>> days;
    for (const auto& rule : timeline.rules) {
      for (const auto& change : rule.changes) {
        auto& commits = days[change.commit.date];
        if (std::ranges::find(commits, change.commit.id) == commits.end())
          commits.push_back(change.commit.id);
      }
    }
    for (const auto& [date, commits] : days) {
      const auto day = std::clamp(day_of(date).value_or(first_), first_, last_);
      for (std::size_t i = 0; i < commits.size(); ++i)
        at_[commits[i]] = percent(
            day, static_cast<double>(i + 1) / static_cast<double>(commits.size() + 1));
    }
  }

  [[nodiscard]] double at(const CommitInfo& commit) const { return at_.at(commit.id); }

  struct Tick {
    double at;
    std::string text;
  };
  /// Months, weeks or days, so that there are some, and not too many.
  [[nodiscard]] std::vector<Tick> ticks() const {
    std::vector<Tick> out;
    const auto span = (last_ - first_).count() + 1;
    const auto months = std::max<long>(1, span / 30 / 10 + 1),
               step = span > 70 ? 0L : std::max<long>(1, span / 8);
    for (auto day = first_; day <= last_; day += std::chrono::days(1)) {
      const std::chrono::year_month_day date(day);
      const bool is_month = date.day() == std::chrono::day(1) &&
                            (static_cast<unsigned>(date.month()) - 1) %
                                    static_cast<unsigned>(months) ==
                                0;
      if (step == 0 ? is_month : (day - first_).count() % step == 0) {
        out.push_back(
            {percent(day, 0),
             step == 0 ? fmt::format("{}-{:02}", int(date.year()), unsigned(date.month()))
                       : fmt::format("{:02}-{:02}", unsigned(date.month()), unsigned(date.day()))});
      }
    }
    return out;
  }

 private:
  [[nodiscard]] double percent(sys_days day, double part) const {
    return 100.0 * (static_cast<double>((day - first_).count()) + part) /
           static_cast<double>((last_ - first_).count() + 1);
  }

  sys_days first_, last_;
  std::map<std::string, double> at_;  ///< by commit id
};

std::string percent(double value) { return fmt::format("{:.2f}%", value); }
std::string outcome_class(Outcome outcome) { return fmt::format("o-{}", name_of(outcome)); }

class TimelinePage {
 public:
  explicit TimelinePage(const Timeline& timeline) : timeline_(timeline), scale_(timeline) {}

  std::string write() {
    return make_page(head(), [&](Html& html) {
      legend(html);
      picture(html);
      html.in("div", {{"id", "commit"}, {"class", "scripted"}, {"role", "status"}},
              [&] { html.leaf("p", {}, "Point at a change, or walk along with the arrow keys."); });
      html.leaf("h2", {}, "All changes");
      for (std::size_t i = 0; i < timeline_.rules.size(); ++i) table(html, i);
      if (timeline_.resting.empty()) return;
      html.leaf("h2", {}, "Resting (enabled = false)").in("ul", {}, [&] {
        for (const auto& name : timeline_.resting) html.leaf("li", {}, name);
      });
    });
  }

 private:
  [[nodiscard]] PageHead head() const {
    const auto waiting = static_cast<std::size_t>(std::ranges::count_if(
        timeline_.rules,
        [](const TimelineRule& rule) { return needs_person(rule.end().outcome); }));
    std::size_t changes = 0;
    for (const auto& rule : timeline_.rules) changes += rule.changes.size();
    const auto all = counted(timeline_.rules.size(), "rule");
    PageHead head{.command = timeline_.command,
                  .verdict = {},
                  .tone = waiting > 0 ? Tone::kBad : Tone::kGood,
                  .facts = {{"tree", timeline_.root}},
                  .skipped = timeline_.skipped,
                  .notes = {}};
    head.verdict = fmt::format("{} along {}: {}; ", all, counted(timeline_.commits, "commit"),
                               changes == 0 ? "no change" : counted(changes, "change"));
    head.verdict += waiting == 0 ? "at the end none needs a person"
                                 : fmt::format("at the end {} need{} a person", waiting,
                                               waiting == 1 ? "s" : "");
    head.facts.emplace_back("from", describe(timeline_.from));
    head.facts.emplace_back("to", describe(timeline_.to));
    head.facts.emplace_back("commits", fmt::format("{} along first parents", timeline_.commits));
    if (const auto& shard = timeline_.shard)
      head.facts.emplace_back("piece",
                              fmt::format("{} of {}: the {} after {}", shard->index, shard->count,
                                          shard->commits, shard->from.substr(0, 12)));
    return head;
  }

  void legend(Html& html) const {
    std::set<Outcome> seen;
    for (const auto& rule : timeline_.rules) {
      seen.insert(rule.start.outcome);
      for (const auto& change : rule.changes) seen.insert(change.after.outcome);
    }
    html.in("ul", {{"class", "legend"}, {"aria-label", "Outcomes"}}, [&] {
      for (const auto outcome : seen)
        html.in("li", {}, [&] {
          html.leaf("span", {{"class", "badge " + outcome_class(outcome)}}, name_of(outcome));
        });
    });
  }

  void picture(Html& html) const {
    html.in("div", {{"class", "lanes"}, {"role", "group"}, {"aria-label", "The rules along time"}},
            [&] {
              html.in("div", {{"class", "canvas"}}, [&] {
                html.in("svg", {{"class", "axis"}, {"aria-hidden", "true"}}, [&] {
                  for (const auto& tick : scale_.ticks()) {
                    html.leaf("line", {{"x1", percent(tick.at)},
                                       {"x2", percent(tick.at)},
                                       {"y1", "0"},
                                       {"y2", "100%"}});
                    html.leaf("text", {{"x", percent(tick.at)}, {"y", "18"}}, tick.text);
                  }
                });
                for (std::size_t i = 0; i < timeline_.rules.size(); ++i) lane(html, i);
              });
            });
  }

  void lane(Html& html, std::size_t index) const {
    const auto& rule = timeline_.rules[index];
    html.in("div", {{"class", "lane"}}, [&] {
      html.in("p", {}, [&] {
        html.in("a", {Attribute::to(fmt::format("rule-{}", index))},
                [&] { html.text(rule.full_name()); });
      });
      const auto said = rule.changes.empty()
                            ? fmt::format("{}: {} throughout", rule.full_name(),
                                          name_of(rule.start.outcome))
                            : fmt::format("{}: {}, then {}, at the end {}", rule.full_name(),
                                          name_of(rule.start.outcome),
                                          counted(rule.changes.size(), "change"),
                                          name_of(rule.end().outcome));
      html.in("svg", {{"role", "group"}, {"aria-label", said}}, [&] {
        double from = 0;
        const auto* state = &rule.start;
        for (const auto& change : rule.changes) {
          segment(html, from, scale_.at(change.commit), *state);
          from = scale_.at(change.commit);
          state = &change.after;
        }
        segment(html, from, 100, *state);
        state = &rule.start;
        for (std::size_t i = 0; i < rule.changes.size(); ++i) {
          mark(html, index, i, *state);
          state = &rule.changes[i].after;
        }
      });
    });
  }

  static void segment(Html& html, double from, double to, const TimelineState& state) {
    html.in("g", {{"class", outcome_class(state.outcome)}}, [&] {
      html.in("rect",
              {{"class", "segment"},
               {"x", percent(from)},
               {"width", percent(std::max(0.0, to - from))},
               {"y", "4"},
               {"height", "24"}},
              [&] { html.leaf("title", {}, name_of(state.outcome)); });
      // The narrowest picture is some 700 pixels wide, a letter 7.
      const auto width = (to - from) * 7;
      if (width > 26 + 7 * static_cast<double>(name_of(state.outcome).size()))
        html.leaf("text", {{"class", "name"}, {"x", percent((from + to) / 2)}, {"y", "20"}},
                  name_of(state.outcome));
    });
  }

  static std::string transition(const TimelineState& before, const TimelineState& after) {
    if (before.outcome != after.outcome)
      return fmt::format("{} to {}", name_of(before.outcome), name_of(after.outcome));
    return fmt::format("{}, at another place", name_of(after.outcome));
  }

  void mark(Html& html, std::size_t rule, std::size_t index, const TimelineState& before) const {
    const auto& change = timeline_.rules[rule].changes[index];
    const auto id = fmt::format("rule-{}-{}", rule, index);
    const auto label = fmt::format("{}: {}, {}", transition(before, change.after),
                                   change.commit.date, change.commit.subject);
    html.in("a",
            {Attribute::to(id),
             {"class", "mark " + outcome_class(change.after.outcome)},
             {"aria-label", label}},
            [&] {
              html.in("circle",
                      {{"cx", percent(scale_.at(change.commit))}, {"cy", "16"}, {"r", "7"}}, [&] {
                        html.leaf("title", {},
                                  fmt::format("{}\n{}", label, change.commit.id.substr(0, 12)));
                      });
            });
  }

  static std::string places(const TimelineState& state) {
    std::vector<std::string> lines;
    for (const auto& place : state.places)
      lines.push_back(place.scope.empty() ? place.path
                                          : fmt::format("{} in {}", place.path, place.scope));
    return lines.empty() ? "no place in the tree" : join(lines, "\n");
  }

  static void row(Html& html, std::string_view id, std::string_view date, std::string_view commit,
                  const TimelineState* before, const TimelineState& after,
                  std::string_view subject) {
    html.in("tr", {{"id", id}}, [&] {
      html.in("td", {}, [&] {
        html.leaf("span", {{"class", "date"}}, date)
            .text(" ")
            .leaf("code", {}, commit.substr(0, 12));
      });
      html.in("td", {}, [&] {
        if (before != nullptr && before->outcome != after.outcome)
          html.leaf("span", {{"class", "badge " + outcome_class(before->outcome)}},
                    name_of(before->outcome))
              .text(" \xE2\x86\x92 ");
        html.leaf("span", {{"class", "badge " + outcome_class(after.outcome)}},
                  name_of(after.outcome));
      });
      html.in("td", {}, [&] {
        if (!subject.empty()) html.leaf("p", {{"class", "subject"}}, subject);
        if (before == nullptr || before->places != after.places)
          html.leaf("p", {{"class", "place"}}, places(after));
        if (!after.reason.empty() && (before == nullptr || before->reason != after.reason))
          html.leaf("p", {{"class", "reason"}}, after.reason);
      });
    });
  }

  void table(Html& html, std::size_t index) const {
    const auto& rule = timeline_.rules[index];
    html.in("table", {{"class", "changes"}, {"id", fmt::format("rule-{}", index)}}, [&] {
      html.leaf("caption", {}, rule.full_name());
      html.in("thead", {}, [&] {
        html.in("tr", {}, [&] {
          for (const auto* title : {"Commit", "Outcome", "What changed"})
            html.leaf("th", {{"scope", "col"}}, title);
        });
      });
      html.in("tbody", {}, [&] {
        const auto& shard = timeline_.shard;
        row(html, fmt::format("rule-{}-start", index), shard ? "" : timeline_.from.date,
            shard ? shard->from : timeline_.from.id, nullptr, rule.start, "At the start");
        const auto* before = &rule.start;
        for (std::size_t i = 0; i < rule.changes.size(); ++i) {
          const auto& change = rule.changes[i];
          row(html, fmt::format("rule-{}-{}", index, i), change.commit.date, change.commit.id,
              before, change.after, change.commit.subject);
          before = &change.after;
        }
      });
    });
  }

  const Timeline& timeline_;
  Scale scale_;
};

}  // namespace

std::string write_page(const Timeline& timeline) { return TimelinePage(timeline).write(); }

}  // namespace portpatch
