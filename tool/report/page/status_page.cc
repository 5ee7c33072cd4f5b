#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/text.h"
#include "repo/history.h"
#include "report/next_command.h"
#include "report/page/code_view.h"
#include "report/page/frame.h"
#include "report/page/page.h"

namespace portpatch {

namespace {

class StatusPage {
 public:
  explicit StatusPage(const Report& report) : report_(report) {
    for (const auto& rule : report.rules) rules_.push_back(&rule);
    std::ranges::stable_sort(
        rules_, [](const RuleReport* a, const RuleReport* b) { return a->outcome > b->outcome; });
  }

  std::string write() {
    return make_page(head(), [&](Html& html) {
      filter(html);
      html.in("div", {{"id", "rules"}, {"class", "cards"}}, [&] {
        for (const auto* rule : rules_) card(html, *rule);
      });
      resting(html);
      if (report_.diff.empty()) return;
      html.leaf("h2", {}, report_.run_id.empty() ? "What would be written" : "What was written");
      code_.diff(html, report_.diff);
    });
  }

 private:
  [[nodiscard]] PageHead head() const {
    const auto waiting = static_cast<std::size_t>(std::ranges::count_if(
        rules_, [](const RuleReport* rule) { return needs_person(rule->outcome); }));
    const auto all = rules_.size();
    const bool is_bad = report_.needs_person();
    PageHead head{.command = report_.command,
                  .verdict = "",
                  .tone = waiting > 0 ? Tone::kBad
                          : is_bad    ? Tone::kNotice
                                      : Tone::kGood,
                  .facts = {{"tree", report_.root}},
                  .skipped = report_.skipped,
                  .notes = report_.notes};
    if (waiting > 0)
      head.verdict = fmt::format("{} of {} need{} a person", waiting, counted(all, "rule"),
                                 waiting == 1 ? "s" : "");
    else if (is_bad)
      head.verdict = "Not every rule holds";
    else
      head.verdict = "Nothing needs a person";
    if (!report_.revision.empty())
      head.facts.emplace_back("revision", fmt::format("{} ({})", report_.revision.substr(0, 12),
                                                      report_.revision_name));
    if (!report_.upstream_commit.empty())
      head.facts.emplace_back(
          "upstream",
          fmt::format("{} ({})", report_.upstream_commit.substr(0, 12), report_.upstream_name));
    else if (!report_.upstream_unknown.empty())
      head.facts.emplace_back("upstream", "not known: " + report_.upstream_unknown);
    if (!report_.run_id.empty())
      head.facts.emplace_back("backup", report_.run_id + "; taken back by: portpatch undo");
    return head;
  }

  void filter(Html& html) const {
    std::map<Outcome, std::size_t, std::greater<>> counts;
    for (const auto* rule : rules_) ++counts[rule->outcome];
    put_filter(html, "rules",
               choices_of(
                   counts, [](Outcome outcome) { return name_of(outcome); },
                   [](Outcome outcome) { return tone_of(outcome); }));
  }

  void card(Html& html, const RuleReport& rule) {
    const Card card{.kind = name_of(rule.outcome),
                    .tone = tone_of(rule.outcome),
                    .is_open = needs_person(rule.outcome),
                    .title = rule.full_name(),
                    .place = places(rule)};
    put_card(html, card, [&] { details(html, rule); });
  }

  static std::string places(const RuleReport& rule) {
    if (rule.sites.empty()) return "no place in the tree";
    auto text = place_text(rule.sites[0].path, rule.sites[0].line);
    if (rule.sites.size() > 1) text += fmt::format(" and {} more", rule.sites.size() - 1);
    return text;
  }

  void details(Html& html, const RuleReport& rule) {
    if (!rule.reason.empty()) html.leaf("blockquote", {}, rule.reason);
    for (const auto& note : rule.notes) html.leaf("p", {}, note);
    if (rule.brought)
      html.in("p", {}, [&] {
        html.text("since ");
        commit(html, *rule.brought);
      });
    for (const auto& site : rule.sites) put_site(html, site);
    for (const auto& home : rule.homes) {
      html.in("p", {}, [&] {
        html.text(home.what + " stands word for word at ")
            .leaf("code", {}, place_text(home.place.path, home.place.line));
      });
      code_.block(html, home.place.path, home.text);
    }
    for (const auto& trace : rule.traces) put_trace(html, trace);
    if (!rule.query_diff.empty()) {
      html.leaf("h3", {}, "The rule's query becomes");
      code_.diff(html, rule.query_diff);
    }
    html.in("dl", {{"class", "facts"}}, [&] {
      for (const auto& [name, value] :
           std::initializer_list<std::pair<std::string_view, std::string_view>>{
               {"expected",
                rule.expect == "1" ? std::string_view() : std::string_view(rule.expect)},
               {"owner", rule.owner},
               {"group", rule.group},
               {"after an edit", rule.after_edit}}) {
        if (!value.empty())
          html.in("div", {}, [&] { html.leaf("dt", {}, name).leaf("dd", {}, value); });
      }
    });
    if (needs_person(rule.outcome) || rule.outcome == Outcome::kUpstreamed ||
        rule.outcome == Outcome::kPending) {
      const auto next = next_command(report_, rule);
      // What stands behind the command is read, not copied.
      const auto end = std::min({next.size(), next.find("  ("), next.find(", then portpatch ")});
      put_command(html, std::string_view(next).substr(0, end), std::string_view(next).substr(end));
    }
  }

  void put_site(Html& html, const SiteReport& site) {
    html.in("section", {{"class", "site"}}, [&] {
      html.in("p", {{"class", "where"}}, [&] {
        html.leaf("code", {}, place_text(site.path, site.line));
        if (!site.scope.empty()) html.text(" in ").leaf("code", {}, site.scope);
        if (site.upstream_kept) html.text(" (upstream kept)");
      });
      if (!site.reason.empty()) html.leaf("p", {{"class", "reason"}}, site.reason);
      if (!site.base.empty() || !site.ours.empty() || !site.theirs.empty()) {
        code_.side_by_side(html, site.path, {site.base, site.ours, site.theirs});
      }
      if (!site.remedy.empty()) html.leaf("p", {{"class", "remedy"}}, site.remedy);
    });
  }

  static void commit(Html& html, const CommitInfo& commit) {
    html.leaf("code", {}, commit.id.substr(0, 12))
        .text(fmt::format(" ({}) {}", commit.date, commit.subject));
  }

  static void put_place(Html& html, std::string_view title, const PlaceReport& place) {
    html.in("div", {}, [&] {
      html.leaf("dt", {}, title).in("dd", {}, [&] {
        html.leaf("code", {}, place_text(place.path, place.line));
        if (!place.name.empty()) html.text(", ").leaf("code", {}, place.name);
        if (!place.scope.empty()) html.text(" in ").leaf("code", {}, place.scope);
      });
    });
  }

  /// Points are of 100 and more: what the trace counts for and against.
  static void put_evidence(Html& html, const TraceStep& step, std::string_view lead) {
    html.in("div", {}, [&] {
      html.leaf("dt", {}, fmt::format("{} points{}", step.score, lead)).in("dd", {}, [&] {
        html.text(join(step.evidence, ", "));
        if (!step.differs.empty())
          html.in("p", {}, [&] { html.text("but " + join(step.differs, ", ")); });
      });
    });
  }

  static void put_trace(Html& html, const TraceReport& trace) {
    html.in("section", {{"class", "trace"}}, [&] {
      html.leaf("h3", {}, fmt::format("The trace: {}", trace.verdict));
      html.in("ol", {}, [&] {
        html.in("li", {}, [&] {
          html.in("dl", {{"class", "facts"}}, [&] { put_place(html, "at the base", trace.base); });
        });
        for (const auto& step : trace.steps) {
          html.in("li", {}, [&] {
            html.in("p", {}, [&] {
              html.text(std::string(step.cause()) + " ");
              if (step.commit) commit(html, *step.commit);
            });
            html.in("dl", {{"class", "facts"}}, [&] {
              put_place(html, "from", step.from);
              put_place(html, "to", step.to);
              put_evidence(html, step, fmt::format(", {} ahead of the next", step.margin));
            });
          });
        }
        if (trace.vanished && trace.verdict != "certain") {
          html.in("li", {}, [&] {
            html.text(trace.is_to_come ? "is not there yet: it came in " : "went away in ");
            commit(html, *trace.vanished);
          });
        }
      });
      survivors(html, trace);
      for (const auto& what : trace.unknown) html.leaf("p", {}, "not known: " + what);
    });
  }

  static void survivors(Html& html, const TraceReport& trace) {
    if (trace.survivors.empty()) return;
    html.leaf("h4", {}, "What is left and looks like it, best first").in("ol", {}, [&] {
      for (const auto& one : trace.survivors) {
        html.in("li", {}, [&] {
          html.in("dl", {{"class", "facts"}}, [&] {
            put_place(html, "at", one.to);
            put_evidence(html, one, "");
          });
        });
      }
    });
  }

  void resting(Html& html) const {
    if (report_.resting.empty()) return;
    html.leaf("h2", {}, "Resting (enabled = false)").in("ul", {}, [&] {
      for (const auto& name : report_.resting) html.leaf("li", {}, name);
    });
  }

  const Report& report_;
  std::vector<const RuleReport*> rules_;  ///< worst first
  CodeView code_;
};

}  // namespace

std::string write_page(const Report& report) { return StatusPage(report).write(); }

}  // namespace portpatch
