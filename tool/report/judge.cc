#include "report/judge.h"

#include <algorithm>

#include <fmt/format.h>

namespace portpatch {

namespace {

using How = LocatedRule::How;

void add_base(const Rule& rule, RuleReport& report) {
  for (const auto& site : rule.locked) {
    report.notes.push_back(fmt::format("at the base it was in {}{}{}", site.path, site.scope.empty() ? "" : ", scope ", site.scope));
  }
}

std::string plural(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace

Result<RuleReport> RuleJudge::judge(const LocatedRule& located, const RulePlan& plan, std::size_t files_read) {
  const auto& rule = *located.rule;
  RuleReport report{.pack = located.pack->path, .rule = rule.name, .reason = rule.reason,
                    .expect = describe(rule.settings.expect), .sites = {}, .notes = {},
                    .after_edit = rule.settings.after_edit.empty() ? located.pack->after_edit : rule.settings.after_edit,
                    .owner = rule.settings.owner, .group = rule.settings.group,
                    .most_sites = rule.settings.expect.most, .never_relocates = rule.settings.relocate == Relocate::kNever};
  if (located.how == How::kFailed) {
    report.outcome = Outcome::kBlocked;
    report.notes.push_back(located.failure);
    return report;
  }
  if (located.how == How::kNowhere) {
    report.outcome = Outcome::kLost;
    report.notes.push_back(fmt::format("{} nowhere; {} searched",
                                       rule.shapes.size() == 1 ? "its pattern matches" : fmt::format("its {} patterns match", rule.shapes.size()),
                                       files_read == 1 ? "1 file was" : fmt::format("{} files were", files_read)));
    add_base(rule, report);
    return report;
  }
  if (located.how == How::kMiscount) {
    report.outcome = Outcome::kAmbiguous;
    report.notes.push_back(fmt::format("it matches at {} where `expect` says {}", plural(located.sites.size(), "place"), report.expect));
    for (const auto& site : located.sites) {
      report.sites.push_back(site_at(rule, site, site.target, Outcome::kAmbiguous));
      if (options_.with_lines) report.sites.back().reason = trim(line_at(store_.text(site.path), site.target.begin));
    }
    add_base(rule, report);
    return report;
  }
  for (const auto& site : plan.sites) {
    auto one = judge_site(located, plan, site);
    if (!one) return std::unexpected(one.error());
    report.sites.push_back(std::move(*one));
  }
  report.outcome = std::ranges::max_element(report.sites, {}, &SiteReport::outcome)->outcome;
  if (located.how == How::kElsewhere) add_base(rule, report);
  return report;
}

SiteReport RuleJudge::site_at(const Rule& rule, const Site& site, ByteRange range, Outcome outcome) const {
  SiteReport report{.outcome = outcome, .path = site.path, .scope = site.scope};
  if (!options_.with_lines) return report;
  const auto file = store_.file(*rule.language, site.path);
  if (file && *file) {
    const auto [line, column] = line_column((*file)->text(), range.begin);
    report.line = line;
    report.column = column;
  }
  return report;
}

Result<SiteReport> RuleJudge::judge_site(const LocatedRule& located, const RulePlan& plan, const SitePlan& site) {
  const auto& step = site.step;
  const bool has_place = step.place.end > 0;
  auto report = site_at(*located.rule, site.site, has_place ? step.place : site.site.target, Outcome::kHeld);
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
  } else if (step.kind == Step::Kind::kEdit && !plan.refused.empty() && !asks_for_move(located)) {
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
  if (asks_for_move(located) && report.outcome < Outcome::kMoved) {
    const bool never = located.rule->settings.relocate == Relocate::kNever;
    report.reason = step.kind == Step::Kind::kEdit ? "the place is here now; the rule would be applied here"
                                                   : "the place is here now, and the rule holds here";
    report.remedy = never ? "relocate = \"never\": change the rule or its base by hand" : "look at it, then accept the move";
    report.outcome = Outcome::kMoved;
  }
  return report;
}

/// Found elsewhere than at its base, and nobody has accepted that yet.
bool RuleJudge::asks_for_move(const LocatedRule& located) const {
  return located.how == How::kElsewhere && !(options_.accept_moves && located.rule->settings.relocate != Relocate::kNever);
}

Outcome RuleJudge::edit_outcome(const RulePlan& plan) const {
  if (!plan.is_written || !options_.write) return Outcome::kPending;
  return options_.direction == Direction::kApply ? Outcome::kEdited : Outcome::kReverted;
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
