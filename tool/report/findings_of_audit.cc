// Findings of `audit`: what disagrees, known kinds of bugs, and what is new and has no arm for a
// cc, or has lost it.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "report/audit_report.h"
#include "report/findings.h"

namespace portpatch {

namespace {

Region region_of(const CcPlace& place, std::size_t line) {
  return {.path = place.path, .line = line};
}

std::string subject_of(const CcPlace& place, const Cc& cc) {
  return fmt::format("cc {}: {}, {}", cc_text(cc), place_title(place), place.path);
}

/// `what`: the words that tell the place from others of its function.
Finding finding_at(std::string_view type, const AuditPlace& one, const Cc& cc, std::size_t line,
                   std::string_view what) {
  auto finding = finding_of(type, subject_of(one.place, cc));
  finding.place = region_of(one.place, line);
  finding.last_line = one.place.end_line;
  finding.fingerprint = fingerprint(type, finding.subject, one.place.path, what);
  return finding;
}

Finding disagreement(const AuditReport& report, const Disagreement& one) {
  const auto& gate = report.places[one.gate];
  const auto& dispatch = report.places[one.dispatch];
  const auto says_gate = fmt::format("{} lets {} in", place_title(gate.place), cc_text(one.cc));
  const auto says_dispatch = fmt::format("{} has {} only", place_title(dispatch.place),
                                         keys_text(dispatch.place));
  // What came last is what is looked at.
  const bool is_at_gate = report.since.empty() || gate.is_new;
  const auto& here = is_at_gate ? gate : dispatch;
  const auto& there = is_at_gate ? dispatch : gate;
  auto finding = finding_at(
      "cc-gate-disagrees", here, one.cc, here.place.line,
      fmt::format("{}|{}|{}", gate.place.path, dispatch.place.path, says_dispatch));
  finding.message = fmt::format(
      "{}, and {} ({}:{})\n{}; a guess, by the names of calls", says_gate, says_dispatch,
      dispatch.place.path, dispatch.place.line,
      one.through.empty() ? "it is called there" : "by way of " + join(one.through, ", "));
  finding.remedy = "follow the calls; then add the arm, or close the gate";
  finding.evidence.push_back(
      {region_of(there.place, there.place.line), is_at_gate ? says_dispatch : says_gate});
  return finding;
}

Finding bug_finding(const AuditReport& report, const AuditBug& bug) {
  const auto& one = report.places[bug.place];
  auto finding = finding_at("cc-" + bug.kind, one, bug.cc, bug.line, bug.condition);
  if (bug.kind == "leaves-out-sibling") {
    finding.message = fmt::format("`{}` {}", bug.condition, bug_text(bug, cc_text(bug.cc)));
    finding.remedy = fmt::format("name {} too, or compare the major number", cc_text(bug.other));
  } else if (bug.kind == "unreachable-rung") {
    finding.message = fmt::format(
        "`{}` takes {}, so that the arm behind it that names {} is never reached", bug.condition,
        cc_text(bug.cc), cc_text(bug.cc));
    finding.remedy = "put the arm that names it in front";
  } else {
    finding.message = fmt::format("`{}`, for {} and later, takes {}", bug.condition,
                                  cc_text(bug.other), cc_text(bug.cc));
    finding.remedy = fmt::format(
        "see whether {} is meant; if not, give it an arm in front, or an upper bound",
        cc_text(bug.cc));
  }
  return finding;
}

/// Is the arm that takes the cc one that only fails?
bool is_refused(const AuditPlace& one, std::size_t asked) {
  const auto& answer = one.answers[asked];
  return answer.taken != ArmTaken::kUnknown && answer.taken != ArmTaken::kNone &&
         !answer.arms.empty() && one.place.arms[answer.arms.back()].refuses;
}

/// What becomes of a cc that is not taken: "nothing takes 12.0".
std::string fate_of(const AuditPlace& one, std::size_t asked, const Cc& cc) {
  const auto text = cc_text(cc);
  if (is_refused(one, asked)) return text + " is refused";
  if (one.coverage[asked] == Coverage::kExcluded) return text + " is kept out";
  if (one.coverage[asked] == Coverage::kElse) return text + " is left to its else";
  if (one.coverage[asked] == Coverage::kUnknown)
    return fmt::format("what {} takes cannot be told", text);
  return "nothing takes " + text;
}

std::string names_of(const AuditPlace& one) {
  const auto keys = keys_text(one.place);
  return keys.empty() ? "no architecture" : keys;
}

Finding gap(const AuditReport& report, const AuditPlace& one, std::size_t asked) {
  const auto& cc = report.cc[asked];
  auto finding = finding_at("cc-not-covered", one, cc, one.place.line, keys_text(one.place));
  finding.message = fmt::format("{} is {} and names {}; {}", place_title(one.place),
                                one.was ? "changed" : "new or changed", names_of(one),
                                fate_of(one, asked, cc));
  finding.remedy = fmt::format("add an arm where a GPU of {} must work", cc_text(cc));
  // What goes the way of all others, beside a special case or to an else, mostly works.
  if (one.risk <= kRisky && !is_refused(one, asked)) finding.severity = Severity::kNote;
  if (one.was) {  // worse is lost_coverage()'s
    finding.severity = Severity::kNote;
    finding.message += "; it was so before this change too";
  }
  return finding;
}

bool is_taken(const AuditPlace& one, std::size_t asked) {
  const auto coverage = one.coverage[asked];
  return (coverage == Coverage::kExact || coverage == Coverage::kRange) && !is_refused(one, asked);
}

/// The cc was taken before the change, and is not any more, or perhaps not.
bool loses(const AuditReport& report, const AuditPlace& one, std::size_t asked) {
  return one.was && !one.is_test && is_taken(report.before[*one.was], asked) &&
         !is_taken(one, asked);
}

Finding lost_coverage(const AuditReport& report, const AuditPlace& one, std::size_t asked) {
  const auto& cc = report.cc[asked];
  const auto& was = report.before[*one.was];
  const bool is_untold = one.coverage[asked] == Coverage::kUnknown;
  auto finding = finding_at(is_untold ? "cc-coverage-untold" : "cc-coverage-lost", one, cc,
                            one.place.line, keys_text(one.place));
  const auto& arms = was.answers[asked].arms;
  const auto condition = arms.empty() ? std::string() : was.place.arms[arms.back()].condition;
  finding.message = fmt::format("{} took {} before this change{}; it names {} now, and {}",
                                place_title(one.place), cc_text(cc),
                                condition.empty() ? "" : fmt::format(", by `{}`", condition),
                                names_of(one), fate_of(one, asked, cc));
  finding.remedy = fmt::format(fmt::runtime(is_untold ? "see which arm {} comes to"
                                                      : "keep an arm for {}, or see that it is not "
                                                        "needed any more"),
                               cc_text(cc));
  if (!is_untold && was.coverage[asked] != Coverage::kExact) finding.severity = Severity::kWarning;
  return finding;
}

/// What named a cc and has gone away, one finding for each file and cc.
void add_gone(const AuditReport& report, FindingReport& out) {
  std::map<std::pair<std::string, Cc>, std::vector<const AuditPlace*>> gone;
  for (const auto& one : report.gone) {
    for (std::size_t c = 0; c < report.cc.size(); ++c) {
      if (one.coverage[c] == Coverage::kExact) gone[{one.place.path, report.cc[c]}].push_back(&one);
    }
  }
  for (const auto& [where, places] : gone) {
    const auto& [path, cc] = where;
    auto finding = finding_of("cc-place-gone", fmt::format("cc {}: {}", cc_text(cc), path));
    finding.place.path = path;
    std::vector<std::string> titles;
    for (const auto* one : places) titles.push_back(place_title(one->place));
    constexpr std::size_t kMostTitles = 5;
    const auto rest = titles.size() > kMostTitles ? titles.size() - kMostTitles : 0;
    titles.resize(titles.size() - rest);
    finding.message = fmt::format("{}{} named {} before this change, and {} gone",
                                  join(titles, ", "),
                                  rest > 0 ? fmt::format(" and {} more", rest) : "", cc_text(cc),
                                  places.size() == 1 ? "is" : "are");
    finding.remedy = fmt::format("see that a GPU of {} is served without", cc_text(cc));
    finding.fingerprint = fingerprint(finding.type, finding.subject, path, join(titles, "|"));
    out.findings.push_back(std::move(finding));
  }
}

/// Places by themselves: what takes the cc passes, what is new and does not is a finding.
void judge_places(const AuditReport& report, FindingReport& out) {
  std::set<std::pair<std::size_t, Cc>> told;
  for (const auto& one : report.disagreements)
    told.insert({{one.gate, one.cc}, {one.dispatch, one.cc}});
  for (const auto& one : report.bugs) told.insert({one.place, one.cc});
  std::size_t gaps = 0;
  for (std::size_t i = 0; i < report.places.size(); ++i) {
    const auto& one = report.places[i];
    if (!report.since.empty() && !one.is_new) continue;
    for (std::size_t c = 0; c < report.cc.size(); ++c) {
      const auto& cc = report.cc[c];
      const auto coverage = one.coverage[c];
      const bool refused = !one.is_test && is_refused(one, c);
      const bool goes_on = coverage == Coverage::kNone &&
                           std::ranges::all_of(one.place.arms,
                                               &CcArm::refuses);  // `if cc == 80: raise`
      const bool is_gap = refused || (!goes_on && one.risk >= kRisky &&
                                      (coverage == Coverage::kNone || coverage == Coverage::kElse));
      const bool is_name = one.place.form == "predicate" ||
                           one.place.form == "boolean";  // those who use it are places themselves
      if (told.contains({i, cc})) continue;
      if (one.is_new && loses(report, one, c))
        out.findings.push_back(lost_coverage(report, one, c));
      else if (is_gap && one.is_new && is_name)
        out.passed.push_back({subject_of(one.place, cc), "a name for other architectures"});
      else if (is_gap && one.is_new)
        out.findings.push_back(gap(report, one, c));
      else if (is_gap)
        ++gaps;
      else if (coverage == Coverage::kExact || coverage == Coverage::kRange)
        out.passed.push_back({subject_of(one.place, cc), std::string(coverage_name(coverage))});
    }
  }
  if (gaps > 0)
    out.notes.push_back(
        fmt::format("{} left to an else, or to nothing; such places are findings only where they "
                    "are new: --since REV",
                    counted(gaps, "place")));
}

}  // namespace

FindingReport findings_of(const AuditReport& report) {
  FindingReport out{.command = report.command,
                    .root = report.root,
                    .revision = report.commit,
                    .base = report.since,
                    .findings = {},
                    .passed = {},
                    .notes = {},
                    .exit_status = report.exit_status()};
  if (!report.asked_of.empty()) out.notes.push_back("cc asked: " + report.asked_of);
  if (!report.clang_reason.empty())
    out.notes.push_back("C++ was read by syntax only: " + report.clang_reason);
  for (const auto& one : report.disagreements) out.findings.push_back(disagreement(report, one));
  for (const auto& bug : report.bugs) out.findings.push_back(bug_finding(report, bug));
  judge_places(report, out);
  add_gone(report, out);
  for (const auto& [path, reason] : report.skipped)
    out.findings.push_back(skipped_finding(path, reason));
  arrange(out);
  return out;
}

}  // namespace portpatch
