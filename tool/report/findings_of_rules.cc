// Findings of `status`: one a rule.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "report/findings.h"
#include "report/next_command.h"
#include "report/trace_text.h"

namespace portpatch {

namespace {

constexpr std::size_t kLongestCode = 120;
constexpr std::string_view kNotHeld = "the rule does not hold here";

/// Which rules are told of.
enum class Told { kThoseWithNews, kAllButHeld };

bool is_finding(Told told, Outcome outcome) {
  return needs_person(outcome) || outcome == Outcome::kUpstreamed ||
         (told == Told::kAllButHeld && outcome != Outcome::kHeld);
}

Region region_of(const SiteReport& site) {
  return {.path = site.path, .line = site.line, .column = site.column};
}
Region region_of(const PlaceReport& place) { return {.path = place.path, .line = place.line}; }

const SiteReport* main_site(const RuleReport& rule) {
  const auto worst = std::ranges::find(rule.sites, rule.outcome, &SiteReport::outcome);
  return worst != rule.sites.end() ? &*worst : rule.sites.empty() ? nullptr : &rule.sites[0];
}

/// Of a rule that is nowhere: where it was at the base.
Region base_region(const RuleReport& rule) {
  return rule.traces.empty() ? Region{} : Region{.path = rule.traces[0].base.path};
}

std::string as_code(std::string_view code) {
  return fmt::format("`{}`", one_line(code, kLongestCode));
}

/// Both on one line, from shortly before where they differ.
std::pair<std::string, std::string> where_they_differ(std::string_view one, std::string_view two) {
  constexpr std::size_t kBefore = 40;
  auto a = one_line(one, one.size()), b = one_line(two, two.size());
  const auto same = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  const auto cut = same < kBefore ? 0 : a.find_last_of(' ', same - kBefore);
  if (a.size() <= kLongestCode || cut == 0 || cut == std::string::npos) return {a, b};
  return {"..." + a.substr(cut), "..." + b.substr(cut)};
}

std::string conflict_text(const SiteReport& site) {
  auto text = site.reason;
  const auto [theirs, ours] = where_they_differ(site.theirs, site.ours);
  if (!theirs.empty()) text += fmt::format("; the tree has {}", as_code(theirs));
  if (!ours.empty()) text += fmt::format("; the rule wants {}", as_code(ours));
  return text;
}

std::string moved_text(const RuleReport& rule, const SiteReport* site) {
  std::string text = "the place is here now";
  if (site != nullptr && !site->reason.empty()) text = site->reason;
  for (const auto& trace : rule.traces) {
    for (const auto& step : trace.steps) {
      text += fmt::format("\n{} became {}{}: {}", shown(step.from), shown(step.to),
                          step.commit ? ", by " + describe(*step.commit) : "",
                          join(step.evidence, ", "));
    }
  }
  return text;
}

std::string lost_text(const RuleReport& rule) {
  std::string text = "the place of this rule is gone";
  for (const auto& trace : rule.traces) {
    if (!trace.vanished || trace.verdict == "certain") continue;
    text = trace.is_to_come
               ? fmt::format("the place of this rule is not there yet: it came in {}",
                             describe(*trace.vanished))
               : fmt::format("the place of this rule went away in {}", describe(*trace.vanished));
    break;
  }
  for (const auto& note : rule.notes) text += "\n" + note;
  for (const auto& trace : rule.traces) {
    for (const auto& what : trace.unknown) text += "\nnot known: " + what;
  }
  return text;
}

std::string message_of(const RuleReport& rule, const SiteReport* site) {
  switch (rule.outcome) {
    case Outcome::kLost:
      return lost_text(rule);
    case Outcome::kMoved:
      return moved_text(rule, site);
    case Outcome::kPending:
      return std::string(kNotHeld) + "; the edit is certain";
    case Outcome::kUpstreamed:
      return rule.brought ? fmt::format("upstream says it itself since {}", describe(*rule.brought))
                          : "upstream says it itself";
    case Outcome::kConflict:
      return conflict_text(*site) +
             (rule.brought ? fmt::format("\nupstream says so since {}", describe(*rule.brought))
                           : "");
    default:
      break;
  }
  auto text = site != nullptr && rule.outcome == Outcome::kBlocked ? site->reason
                                                                   : join(rule.notes, "\n");
  return text.empty() ? std::string(name_of(rule.outcome)) : text;
}

void add_evidence(const RuleReport& rule, const SiteReport* site, Finding& finding) {
  for (const auto& one : rule.sites) {
    if (&one != site)
      finding.evidence.push_back(
          {region_of(one), one.reason.empty() ? fmt::format("{} here too", name_of(one.outcome))
                           : rule.outcome == Outcome::kConflict ? conflict_text(one)
                                                                : one.reason});
  }
  for (const auto& home : rule.homes)
    finding.evidence.push_back(
        {region_of(home.place),
         fmt::format("{} stands here word for word: {}", home.what, as_code(home.text))});
  for (const auto& trace : rule.traces) {
    for (const auto& one : trace.survivors) {
      finding.evidence.push_back(
          {region_of(one.to),
           fmt::format("looks like it ({} points: {}){}", one.score, join(one.evidence, ", "),
                       one.differs.empty() ? "" : ", but " + join(one.differs, ", "))});
    }
  }
}

Finding finding_of_rule(const Report& report, const RuleReport& rule) {
  const auto* site = main_site(rule);
  auto finding = finding_of(fmt::format("rule-{}", name_of(rule.outcome)), rule.full_name());
  finding.place = site != nullptr ? region_of(*site) : base_region(rule);
  finding.last_line = site != nullptr ? site->last_line : 0;
  finding.message = message_of(rule, site);
  if (!rule.reason.empty())
    finding.message += "\nwhy the rule is there: " + one_line(rule.reason, 400);
  if (!rule.owner.empty()) finding.message += "\nowner: " + rule.owner;
  if (site != nullptr && !site->remedy.empty()) finding.remedy = site->remedy + "\n";
  finding.remedy += next_command(report, rule);
  add_evidence(rule, site, finding);
  finding.fingerprint = fingerprint(
      finding.type, stable_name(rule.pack, rule.rule), finding.place.path,
      site == nullptr ? "" : fmt::format("{}|{}|{}", site->scope, site->code, site->theirs));
  return finding;
}

/// Each file's change goes to one of the rules that want it; the others say with which theirs
/// stands.
void add_edits(const Report& report, FindingReport& out) {
  for (const auto& diff : report.diffs) {
    const Finding* first = nullptr;
    for (const auto& rule : report.rules) {
      if (rule.outcome != Outcome::kPending ||
          std::ranges::find(rule.sites, diff.path, &SiteReport::path) == rule.sites.end())
        continue;
      const auto mine = std::ranges::find(out.findings, rule.full_name(), &Finding::subject);
      if (mine == out.findings.end()) continue;
      if (first == nullptr)
        suggest(diff, *mine);
      else
        mine->message += fmt::format("\nits edit of {} is shown with that of {}", diff.path,
                                     first->subject);
      if (first == nullptr) first = &*mine;
    }
  }
}

/// Without edits, and in no order yet.
FindingReport collected(const Report& report, Told told, const FindingFilter& is_wanted) {
  FindingReport out{.command = report.command,
                    .root = report.root,
                    .revision = report.revision,
                    .base = {},
                    .findings = {},
                    .passed = {},
                    .notes = report.notes,
                    .exit_status = report.exit_status()};
  for (const auto& rule : report.rules) {
    if (is_finding(told, rule.outcome)) {
      auto finding = finding_of_rule(report, rule);
      if (!is_wanted || is_wanted(finding)) out.findings.push_back(std::move(finding));
    } else
      out.passed.push_back(
          {rule.full_name(), fmt::format("{}{}", name_of(rule.outcome),
                                         std::ranges::any_of(rule.sites, &SiteReport::upstream_kept)
                                             ? ", upstream kept"
                                             : "")});
  }
  for (const auto& [path, reason] : report.skipped) {
    auto finding = skipped_finding(path, reason);
    if (!is_wanted || is_wanted(finding)) out.findings.push_back(std::move(finding));
  }
  for (const auto& name : report.resting)
    out.notes.push_back(fmt::format("{} rests (enabled = false)", name));
  if (!report.upstream_unknown.empty())
    out.notes.push_back("upstream is not known: " + report.upstream_unknown);
  return out;
}

/// How far a rule is from holding.
int distance_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kHeld:
    case Outcome::kUpstreamed:
      return 0;
    case Outcome::kPending:
      return 1;
    case Outcome::kMoved:
      return 2;
    case Outcome::kLost:
      return 4;
    default:
      return 3;
  }
}

std::map<std::string, Outcome> outcomes_of(const Report& report) {
  std::map<std::string, Outcome> outcomes;
  for (const auto& rule : report.rules) outcomes[rule.full_name()] = rule.outcome;
  return outcomes;
}

/// Not upstream's yet, but it may come from there.
Finding brought_finding(const RuleReport& rule) {
  auto finding = finding_of("rule-brought", rule.full_name());
  if (const auto* site = main_site(rule)) finding.place = region_of(*site);
  finding.message = "this change says itself what the rule wants";
  finding.remedy = fmt::format(
      "if it is upstream's, take the rule out behind it: portpatch retire {}",
      shell_word(rule.full_name()));
  finding.fingerprint = fingerprint(finding.type, stable_name(rule.pack, rule.rule),
                                    finding.place.path, "");
  return finding;
}

}  // namespace

FindingReport findings_of(const Report& report, const FindingFilter& is_wanted) {
  auto out = collected(report, report.check ? Told::kAllButHeld : Told::kThoseWithNews, is_wanted);
  add_edits(report, out);
  arrange(out);
  return out;
}

FindingReport findings_of_change(const Report& before, const Report& after,
                                 const OwnEdits& own_edits) {
  std::set<std::string> known;
  for (const auto& finding : findings_of(before).findings) known.insert(finding.fingerprint);
  const auto was = outcomes_of(before), is = outcomes_of(after);
  std::vector<Passed> as_before;
  // The report's diffs hold the edits of rules, too, that nothing is said of: each gets its own.
  auto out = collected(after, Told::kAllButHeld, [&](Finding& finding) {
    if (!is.contains(finding.subject)) return !known.contains(finding.fingerprint);
    const auto then = was.at(finding.subject), now = is.at(finding.subject);
    if (then == now && now == Outcome::kConflict && !known.contains(finding.fingerprint)) {
      finding.severity = Severity::kNote;
      finding.message += "\nit was in conflict before this change too, with other words";
      return true;
    }
    const bool is_told = then != now &&
                         (now == Outcome::kUpstreamed || distance_of(now) >= distance_of(then));
    if (is_told && finding.type == "rule-pending" && then == Outcome::kHeld)
      finding.message.replace(0, kNotHeld.size(), "the rule held before this change");
    else if (is_told)
      finding.message += fmt::format("\nbefore this change: {}", name_of(then));
    else
      as_before.push_back({finding.subject, then == now ? fmt::format("{}, as before", name_of(now))
                                                        : fmt::format("{}, before {}", name_of(now),
                                                                      name_of(then))});
    if (is_told && then == Outcome::kUpstreamed) {
      finding.severity = std::min(finding.severity, Severity::kWarning);
      finding.remedy = fmt::format(
          "upstream had made this edit itself and goes on from it; where that is right, portpatch "
          "retire {}\n{}",
          shell_word(finding.subject), finding.remedy);
    }
    return is_told;
  });
  std::ranges::move(as_before, std::back_inserter(out.passed));
  out.notes.clear();  // they are not about the change
  for (const auto& rule : after.rules) {
    if (rule.outcome == Outcome::kHeld && distance_of(was.at(rule.full_name())) > 0)
      out.findings.push_back(brought_finding(rule));
    if (rule.outcome != Outcome::kPending) continue;
    const auto told = std::ranges::find(out.findings, rule.full_name(), &Finding::subject);
    if (told == out.findings.end()) continue;
    for (const auto& diff : own_edits(rule)) suggest(diff, *told);
  }
  arrange(out);
  return out;
}

}  // namespace portpatch
