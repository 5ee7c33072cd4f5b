#include "report/judge.h"

#include <algorithm>

#include <fmt/format.h>

#include "repo/diff.h"
#include "report/trace_text.h"

namespace portpatch {

namespace {

using How = LocatedRule::How;

void add_base(const Rule& rule, RuleReport& report) {
  for (const auto& site : rule.locked) {
    report.notes.push_back(fmt::format("at the base it was in {}{}{}", site.path,
                                       site.scope.empty() ? "" : ", scope ", site.scope));
  }
}

PlaceReport place_of(const Footprint& print, std::string_view text) {
  return {.path = print.path,
          .scope = print.scope,
          .name = print.name,
          .line = text.empty() ? 0 : line_column(text, print.range.begin).line};
}

void add_evidence(const Evidence& evidence, TraceStep& step) {
  for (const auto& clue : evidence.clues)
    step.evidence.push_back(fmt::format("{} ({})", clue.what, clue.points));
  step.score = evidence.score;
}

/// What is otherwise at a place than it was at the base.
std::vector<std::string> differences(const Footprint& base, const Survivor& survivor,
                                     std::string_view text) {
  const auto& place = survivor.place;
  std::vector<std::string> found;
  if (survivor.is_anothers) found.push_back("another place that went away is more like it");
  if (place.path != base.path) found.push_back("in another file");
  if (place.scope != base.scope)
    found.push_back(base.scope.empty() ? "no longer at module level"
                                       : fmt::format("no longer in {}", base.scope));
  if (place.name != base.name && !base.name.empty())
    found.push_back(fmt::format("it was {}", base.name));
  const auto kept = share_of(base.items, place.items);
  if (kept < 1 && base.tokens.size() > 1)
    found.push_back(fmt::format("{:.0f} % of its items are not there", 100 * (1 - kept)));
  found.push_back(fmt::format("it reads `{}`", one_line(place.range.of(text), 80)));
  return found;
}

}  // namespace

std::vector<HomeReport> report_homes(const std::vector<Home>& homes) {
  std::vector<HomeReport> reports;
  for (const auto& home : homes) {
    const auto what = home.is_ours ? "what it would write" : "its text at the base";
    reports.push_back({.what = home.is_whole ? what : fmt::format("a part of {}", what),
                       .place = {.path = home.place.path,
                                 .scope = home.place.scope,
                                 .name = "",
                                 .line = home.place.line},
                       .text = home.text});
  }
  return reports;
}

Result<RuleReport> RuleJudge::judge(const LocatedRule& located, const RulePlan& plan,
                                    std::size_t files_read) {
  const auto& rule = *located.rule;
  RuleReport report{.pack = located.pack->path,
                    .rule = rule.name,
                    .reason = rule.reason,
                    .expect = describe(rule.settings.expect),
                    .sites = {},
                    .notes = {},
                    .after_edit = rule.settings.after_edit.empty() ? located.pack->after_edit
                                                                   : rule.settings.after_edit,
                    .owner = rule.settings.owner,
                    .group = rule.settings.group,
                    .most_sites = rule.settings.expect.most,
                    .never_relocates = rule.settings.relocate == Relocate::kNever};
  if (located.how == How::kFailed) {
    report.outcome = Outcome::kBlocked;
    report.notes.push_back(located.failure);
    return report;
  }
  add_traces(located, report);
  switch (located.how) {
    case How::kNowhere:
    case How::kNamesake:
      judge_lost(located, files_read, report);
      return report;
    case How::kMiscount:
      judge_miscount(located, report);
      return report;
    case How::kNoQuery:
      judge_without_query(located, report);
      return report;
    default:
      break;
  }
  if (located.rewritten) {
    const auto diff = unified_diff(rule.path, located.original->source, located.rule->source);
    if (diff) report.query_diff = *diff;
  }
  for (const auto& site : plan.sites) {
    auto one = judge_site(located, plan, site);
    if (!one) return std::unexpected(one.error());
    report.sites.push_back(std::move(*one));
  }
  report.outcome = std::ranges::max_element(report.sites, {}, &SiteReport::outcome)->outcome;
  if (located.is_found() && !located.traces.empty()) add_base(rule, report);
  add_history(located, report);
  return report;
}

void RuleJudge::add_traces(const LocatedRule& located, RuleReport& report) const {
  for (const auto& trace : located.traces) {
    TraceReport one{.verdict = trace.verdict == Trace::Verdict::kCertain     ? "certain"
                               : trace.verdict == Trace::Verdict::kUncertain ? "uncertain"
                                                                             : "gone",
                    .base = place_of(trace.base, ""),
                    .steps = {},
                    .vanished = trace.vanished,
                    .is_to_come = trace.is_to_come,
                    .survivors = {},
                    .unknown = trace.unknown};
    for (const auto& hop : trace.hops) {
      const bool is_last = &hop == &trace.hops.back();
      TraceStep step{.commit = hop.commit,
                     .from = place_of(hop.from, ""),
                     .to = place_of(is_last ? trace.place : hop.to,
                                    is_last ? text_at(*located.rule, trace.place.path) : ""),
                     .evidence = {},
                     .margin = hop.margin,
                     .is_ours = hop.is_ours};
      add_evidence(hop.evidence, step);
      one.steps.push_back(std::move(step));
    }
    for (const auto& survivor : trace.survivors) {
      const auto text = text_at(*located.rule, survivor.place.path);
      TraceStep step{
          .commit = std::nullopt, .from = {}, .to = place_of(survivor.place, text), .evidence = {}};
      if (!text.empty()) step.differs = differences(trace.base, survivor, text);
      add_evidence(survivor.evidence, step);
      one.survivors.push_back(std::move(step));
    }
    report.traces.push_back(std::move(one));
  }
}

/// Which upstream commit brought what the rule wants, or something else in its place.
void RuleJudge::add_history(const LocatedRule& located, RuleReport& report) {
  const bool taken_over = report.outcome == Outcome::kUpstreamed;
  if (!options_.with_details || (!taken_over && report.outcome != Outcome::kConflict)) return;
  const auto wanted = taken_over ? Outcome::kUpstreamed : Outcome::kConflict;
  const auto site = std::ranges::find(report.sites, wanted, &SiteReport::outcome);
  if (taken_over && located.how == How::kMoved) report.brought = this->taken_over(located);
  if (!report.brought)
    report.brought = ownership_of_(*located.pack)
                         .brought_by(*located.rule, site->path,
                                     taken_over ? Step::Kind::kHolds : Step::Kind::kConflict);
  if (!taken_over && report.brought) {
    for (auto& one : report.sites) {
      if (one.outcome == Outcome::kConflict) one.base = kNothingThere;
    }
  }
}

void RuleJudge::judge_lost(const LocatedRule& located, std::size_t files_read,
                           RuleReport& report) const {
  const auto& rule = *located.rule;
  report.outcome = Outcome::kLost;
  add_base(rule, report);
  if (located.how == How::kNowhere) {
    report.notes.push_back(fmt::format(
        "{} nowhere; {} searched",
        rule.shapes.size() == 1 ? "its pattern matches"
                                : fmt::format("its {} patterns match", rule.shapes.size()),
        counted(files_read, "file") + (files_read == 1 ? " was" : " were")));
    return;
  }
  const auto is_base = [&](const Site& site) {
    return std::ranges::any_of(rule.locked, [&](const LockedSite& locked) {
      return locked.path == site.path && locked.scope == site.scope;
    });
  };
  report.notes.push_back(
      std::ranges::all_of(located.sites, is_base)
          ? "its query matches there, but nothing shows that it is the same thing as at the base"
          : "its query matches elsewhere, but nothing shows that it is the same thing moved there");
  for (const auto& site : located.sites) {
    report.sites.push_back(site_at(rule, site, site.target, Outcome::kLost));
    report.sites.back().reason = line_of(site);
  }
}

void RuleJudge::judge_miscount(const LocatedRule& located, RuleReport& report) const {
  const auto& rule = *located.rule;
  report.outcome = Outcome::kAmbiguous;
  report.notes.push_back(fmt::format("it matches at {} where `expect` says {}",
                                     counted(located.sites.size(), "place"), report.expect));
  for (const auto& site : located.sites) {
    report.sites.push_back(site_at(rule, site, site.target, Outcome::kAmbiguous));
    report.sites.back().reason = line_of(site);
  }
  add_base(rule, report);
}

/// The place is known, but not how to say it in a query.
void RuleJudge::judge_without_query(const LocatedRule& located, RuleReport& report) const {
  report.outcome = Outcome::kBlocked;
  add_base(*located.rule, report);
  for (const auto& trace : located.traces) {
    if (trace.verdict != Trace::Verdict::kCertain) continue;
    const auto to = place_of(trace.place, text_at(*located.rule, trace.place.path));
    report.sites.push_back(
        {.outcome = Outcome::kBlocked,
         .path = to.path,
         .line = to.line,
         .column = 1,
         .scope = to.scope,
         .code = "no-rewrite",
         .reason = located.failure,
         .remedy = "write a pattern for this place into the rule, then run `portpatch refresh`"});
  }
  if (report.sites.empty()) report.notes.push_back(located.failure);
}

/// A file of the tree, when lines are wanted.
std::string RuleJudge::text_at(const Rule& rule, const std::string& path) const {
  const auto file = options_.with_details ? store_.file(*rule.language, path) : FilePointer();
  return file && *file ? std::string((*file)->text()) : "";
}

/// The line of a site, when lines are wanted.
std::string RuleJudge::line_of(const Site& site) const {
  return options_.with_details
             ? std::string(trim(line_at(store_.text(site.path), site.target.begin)))
             : "";
}

SiteReport RuleJudge::site_at(const Rule& rule, const Site& site, ByteRange range,
                              Outcome outcome) const {
  SiteReport report{.outcome = outcome, .path = site.path, .scope = site.scope};
  if (!options_.with_details) return report;
  const auto file = store_.file(*rule.language, site.path);
  if (file && *file) {
    const auto [line, column] = line_column((*file)->text(), range.begin);
    report.line = line;
    report.column = column;
    report.last_line = line_column((*file)->text(), range.end).line;
  }
  return report;
}

Result<SiteReport> RuleJudge::judge_site(const LocatedRule& located, const RulePlan& plan,
                                         const SitePlan& site) {
  const auto& step = site.step;
  const bool has_place = step.place.end > 0;
  auto report = site_at(*located.rule, site.site, has_place ? step.place : site.site.target,
                        Outcome::kHeld);
  report.upstream_kept = site.upstream_kept;
  report.code = step.code;
  report.reason = step.reason;
  report.remedy = step.remedy;
  report.ours = step.ours;
  report.theirs = step.theirs;
  if (step.kind == Step::Kind::kConflict) {
    report.outcome = Outcome::kConflict;
  } else if (step.kind == Step::Kind::kBlocked) {
    report.outcome = Outcome::kBlocked;
  } else if (step.kind == Step::Kind::kEdit && !plan.refused.empty() &&
             !located.asks(options_.accept_moves)) {
    report.outcome = Outcome::kBlocked;
    report.code = "refused";
    report.reason = plan.refused;
  } else if (step.kind == Step::Kind::kEdit) {
    report.outcome = edit_outcome(plan);
  } else {
    const auto outcome = holding_outcome(located, site);
    if (!outcome) return std::unexpected(outcome.error());
    report.outcome = *outcome;
  }
  const bool never = located.rule->settings.relocate == Relocate::kNever;
  const bool is_settled = report.outcome == Outcome::kUpstreamed && !never && taken_over(located);
  if (located.asks(options_.accept_moves) && report.outcome < Outcome::kMoved && !is_settled) {
    report.reason = step.kind == Step::Kind::kEdit
                        ? "the place is here now; the rule would be applied here"
                        : "the place is here now, and the rule holds here";
    report.remedy = never ? "relocate = \"never\": change the rule or its base by hand"
                          : "look at it, then accept the move";
    report.outcome = Outcome::kMoved;
  }
  return report;
}

Outcome RuleJudge::edit_outcome(const RulePlan& plan) const {
  if (!plan.is_written || !options_.write) return Outcome::kPending;
  return options_.direction == Direction::kApply ? Outcome::kEdited : Outcome::kReverted;
}

/// The commit in which upstream took over each of a rule's sites before they moved; nothing where
/// one moved first.
std::optional<CommitInfo> RuleJudge::taken_over(const LocatedRule& located) {
  std::optional<CommitInfo> last;
  for (const auto& trace : located.traces) {
    if (trace.hops.empty() || !trace.hops[0].commit) return std::nullopt;
    const auto& first = trace.hops[0];
    auto by = first.is_ours ? first.commit
                            : ownership_of_(*located.pack)
                                  .brought_by(*located.original, trace.base.path,
                                              Step::Kind::kHolds, first.commit->id);
    if (!by) return std::nullopt;
    last = std::move(by);
  }
  return last;
}

/// held or upstreamed; for unapply, a rule that is not there is pending.
Result<Outcome> RuleJudge::holding_outcome(const LocatedRule& located, const SitePlan& site) {
  if (site.upstream_kept) return Outcome::kHeld;
  const auto owner = ownership_of_(*located.pack).owner_of(*located.rule, site.site.path);
  if (!owner) return std::unexpected(owner.error());
  if (*owner == Owner::kUpstream) return Outcome::kUpstreamed;
  return options_.direction == Direction::kRevert ? Outcome::kPending : Outcome::kHeld;
}

}  // namespace portpatch
