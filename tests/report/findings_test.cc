#include "report/findings.h"

#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "report/audit_report.h"
#include "report/check_report.h"
#include "tests/report/world.h"

namespace portpatch::test {
namespace {

std::string told(const Region& place) {
  return place.line > 0 ? fmt::format("{}:{}", place.path, place.line) : place.path;
}

/// Everything of a report but the fingerprints, for reading.
std::string told(const FindingReport& report) {
  std::string out;
  for (const auto& one : report.findings) {
    out += fmt::format("{} {} [{}] {}\n{}\n> {}\n", severity_name(one.severity), one.type,
                       one.subject, told(one.place), one.message, one.remedy);
    for (const auto& also : one.evidence)
      out += fmt::format("  see {}: {}\n", told(also.place), also.says);
    for (const auto& edit : one.edits)
      out += fmt::format("  {}-{}: {}", edit.place.line, edit.place.end_line, edit.text);
  }
  for (const auto& one : report.passed) out += fmt::format("well {}: {}\n", one.subject, one.says);
  for (const auto& note : report.notes) out += fmt::format("note {}\n", note);
  return out;
}

std::string edits_of(std::string before, std::string after) {
  std::string out;
  for (const auto& edit :
       suggested_edits({.path = "a", .before = std::move(before), .after = std::move(after)})) {
    out += fmt::format("{}:{}-{}:{} '{}'\n", edit.place.line, edit.place.column,
                       edit.place.end_line, edit.place.end_column, edit.text);
  }
  return out;
}

TEST(Findings, EveryOutcomeAndEveryCompanionFindingHasAType) {
  std::set<std::string_view> ids;
  for (const auto& type : finding_types()) {
    EXPECT_TRUE(ids.insert(type.id).second) << type.id;
    EXPECT_FALSE(type.title.empty() || type.help.empty()) << type.id;
    EXPECT_FALSE(type.title.ends_with('.')) << type.id;
    EXPECT_TRUE(type.help.ends_with('.')) << type.id;
  }
  for (const auto outcome :
       {Outcome::kPending, Outcome::kUpstreamed, Outcome::kMoved, Outcome::kConflict,
        Outcome::kAmbiguous, Outcome::kLost, Outcome::kBlocked}) {
    EXPECT_TRUE(ids.contains(fmt::format("rule-{}", name_of(outcome)))) << name_of(outcome);
  }
  for (auto kind = 0; kind <= static_cast<int>(FindingKind::kNotFound); ++kind) {
    const auto name = finding_name(static_cast<FindingKind>(kind));
    EXPECT_TRUE(ids.contains(fmt::format("companion-{}", name))) << name;
  }
}

TEST(Findings, SuggestedEditsAreWholeLines) {
  EXPECT_EQ(edits_of("a\nb\nc\n", "a\nB\nc\n"), "2:1-3:1 'B\n'\n");
  EXPECT_EQ(edits_of("a\nb\nc\n", "a\nc\n"), "2:1-3:1 ''\n");
  EXPECT_EQ(edits_of("a\nb\n", "a\nx\nb\n"), "1:1-2:1 'a\nx\n'\n");
  EXPECT_EQ(edits_of("a\nb\n", "x\na\nb\n"), "1:1-2:1 'x\na\n'\n");
  EXPECT_EQ(edits_of("a\nb\n", "a\nb\nx\n"), "2:1-3:1 'b\nx\n'\n");
  EXPECT_EQ(edits_of("a\nb\nc\nd\n", "A\nb\nc\nD\nE\n"), "1:1-2:1 'A\n'\n4:1-5:1 'D\nE\n'\n");
  EXPECT_EQ(edits_of("a\r\nb\r\n", "a\r\nx\r\nb\r\n"), "1:1-2:1 'a\r\nx\r\n'\n");
  EXPECT_EQ(edits_of("a\nb", "a\nB"), "2:1-3:1 'B\n'\n");
  EXPECT_EQ(edits_of("a\n", "a\n"), "");
}

TEST(Findings, WhatLinesCannotSayExactlyIsNotSuggested) {
  EXPECT_EQ(edits_of("a\nb", "a\nb\n"), "");
  EXPECT_EQ(edits_of("", "a\n"), "");
  EXPECT_EQ(edits_of("a\n\xff\n", "b\n\xff\n"), "");
  EXPECT_EQ(edits_of("\xc3"
                     "a\xa4\n",
                     "\xc3"
                     "b\xa4\n"),
            "");
  EXPECT_EQ(edits_of("a\n", "a\xe2\x80\xae\n"), "");
}

TEST(Findings, AFingerprintIsOfWordsAndNotOfLines) {
  EXPECT_EQ(fingerprint("rule-lost", "pack/a", "a.py", "f"), "269729be2ef8a45a");
  EXPECT_NE(fingerprint("rule-lost", "pack/a", "a.py", "f"),
            fingerprint("rule-lost", "pack/aa", ".py", "f"));
}

TEST(Findings, TwinsGetFingerprintsOfTheirOwn) {
  FindingReport report;
  for (const auto line : {9, 3}) {
    auto finding = finding_of("rule-lost", "pack/a");
    finding.place = {.path = "a.py", .line = static_cast<std::size_t>(line)};
    finding.fingerprint = "f";
    report.findings.push_back(std::move(finding));
  }
  report.findings.push_back(finding_of("file-skipped", "a"));
  arrange(report);
  EXPECT_EQ(report.findings[0].place.line, 3);
  EXPECT_EQ(report.findings[0].fingerprint, "f");
  EXPECT_NE(report.findings[1].fingerprint, "f");
  EXPECT_EQ(report.findings[2].type, "file-skipped");
}

const std::string kRule =
    "; Our cards.\n((assignment left: (identifier) @n right: (dictionary) @d)\n (#eq? @n \"{}\")\n "
    "(#ensure-entry! @d \"12\" \"[6, 8]\"))\n";

std::string rule(std::string_view name) {
  auto text = kRule;
  return text.replace(text.find("{}"), 2, name);
}

World many_outcomes() {
  return World({{"python/conflict.scm", rule("CONFLICT")},
                {"python/held.scm", rule("HELD")},
                {"python/lost.scm", rule("LOST")},
                {"python/one.scm", rule("ONE")},
                {"python/other.scm", rule("OTHER")},
                {"python/twice.scm", rule("TWICE")}},
               {{"a.py",
                 "CONFLICT = {\n    9: 1,\n    12: [4],\n}\nHELD = {12: [6, 8]}\nONE = {\n    9: "
                 "1,\n}\nOTHER = {9: 1}\nTWICE = {}\n"},
                {"b.py", "TWICE = {}\n"}});
}

TEST(Findings, OfStatusAreOneARuleThatNeedsAPerson) {
  const auto world = many_outcomes();
  const auto report = run(world.request("status"));
  ASSERT_TRUE(report);
  EXPECT_EQ(normalised(told(findings_of(*report)), world.scratch()),
            R"(error rule-lost [pack/python/lost] 
the place of this rule is gone
its pattern matches nowhere; 2 files were searched
why the rule is there: Our cards.
> portpatch explain pack/python/lost
error rule-conflict [pack/python/conflict] a.py:3
the key 12 stands there with another value; the tree has `[4]`; the rule wants `[6, 8]`
why the rule is there: Our cards.
> decide which one is right: change the rule, or set on-conflict in pack.toml
portpatch explain pack/python/conflict
error rule-ambiguous [pack/python/twice] a.py:10
it matches at 2 places where `expect` says 1
why the rule is there: Our cards.
> portpatch refresh pack/python/twice --at a.py:10  (or the place that is meant), or set `expect`
  see b.py:1: TWICE = {}
well pack/python/held: held
well pack/python/one: pending
well pack/python/other: pending
note upstream is not known: the tree is no git work tree
)");
}

TEST(Findings, OfACheckAreAlsoWhatDoesNotHoldWithItsEdit) {
  const auto world = many_outcomes();
  auto request = world.request("status");
  request.check = true;
  const auto report = run(request);
  ASSERT_TRUE(report);
  auto found = findings_of(*report);
  std::erase_if(found.findings, [](const Finding& one) { return one.type != "rule-pending"; });
  EXPECT_EQ(normalised(told(found), world.scratch()),
            R"(warning rule-pending [pack/python/one] a.py:6
the rule does not hold here; the edit is certain
why the rule is there: Our cards.
> portpatch apply pack
  7-8:     9: 1,
    12: [6, 8],
  9-10: OTHER = {9: 1, 12: [6, 8]}
warning rule-pending [pack/python/other] a.py:9
the rule does not hold here; the edit is certain
why the rule is there: Our cards.
its edit of a.py is shown with that of pack/python/one
> portpatch apply pack
well pack/python/held: held
note upstream is not known: the tree is no git work tree
)");
  EXPECT_EQ(found.findings.at(0).patch, R"(diff --git a/a.py b/a.py
index 42e7e40..e228b90 100644
--- a/a.py
+++ b/a.py
@@ -5,6 +5,7 @@ CONFLICT = {
 HELD = {12: [6, 8]}
 ONE = {
     9: 1,
+    12: [6, 8],
 }
-OTHER = {9: 1}
+OTHER = {9: 1, 12: [6, 8]}
 TWICE = {}
)");
}

TEST(Findings, OfCompanionsCarryTheRowsThatFixWouldWrite) {
  CheckReport report{
      .command = "check pack",
      .root = "/tree",
      .revision = {},
      .companions = {},
      .diffs = {
          {.path = "a.cu", .before = "int t[] = {90};\n", .after = "int t[] = {90, 120};\n"}}};
  report.companions.push_back({.pack = "pack",
                               .name = "sizes",
                               .demand = "mirrors python/sizes",
                               .agreement = Agreement::kDisagrees,
                               .places = {},
                               .depth = {{"a.cu", "syntax only: as asked"}},
                               .findings = {{.kind = FindingKind::kMissingKey,
                                             .cc = {{12, 0}},
                                             .here = {"a.cu", 1, "t"},
                                             .there = {"a.py", 4, "python/sizes"},
                                             .says = "12.0 is not there",
                                             .remedy = "--fix adds it",
                                             .added_key = "cc:12.0",
                                             .added_value = "1"},
                                            {.kind = FindingKind::kMissingKey,
                                             .cc = {{12, 1}},
                                             .here = {"a.cu", 1, "t"},
                                             .says = "12.1 is not there",
                                             .added_key = "cc:12.1",
                                             .added_value = "1"}}});
  report.companions.push_back({.pack = "pack",
                               .name = "gone",
                               .demand = "covers 12.0",
                               .agreement = Agreement::kLost,
                               .places = {},
                               .depth = {},
                               .findings = {{.kind = FindingKind::kNotFound,
                                             .here = {"csrc/*.cu"},
                                             .says = "no file of the tree matches these globs",
                                             .remedy = "correct `files` of the companion"}}});
  report.companions.push_back({.pack = "pack",
                               .name = "well",
                               .demand = "covers 12.0",
                               .places = {},
                               .depth = {},
                               .findings = {}});
  EXPECT_EQ(told(findings_of(report)), R"(error companion-not-found [pack/gone] 
csrc/*.cu: no file of the tree matches these globs
what the pack asks: covers 12.0
> correct `files` of the companion
error companion-missing-key [pack/sizes] a.cu:1
t: 12.0 is not there
what the pack asks: mirrors python/sizes
> --fix adds it
  see a.py:4: what it must agree with: python/sizes
  1-2: int t[] = {90, 120};
error companion-missing-key [pack/sizes] a.cu:1
t: 12.1 is not there
what the pack asks: mirrors python/sizes
the rows for a.cu are shown with the finding at line 1
> 
well pack/well: agrees: covers 12.0
note read by syntax only: as asked: a.cu
)");
}

AuditPlace audited(std::string path, std::string form, std::string function, std::size_t line,
                   Coverage coverage, int risk) {
  AuditPlace one{.place = {.path = std::move(path),
                           .form = std::move(form),
                           .function = std::move(function),
                           .line = line,
                           .end_line = line + 2},
                 .answers = {{.cc = {12, 0}}},
                 .coverage = {coverage},
                 .subsystem = {},
                 .risk = risk,
                 .is_new = true};
  one.place.arms.push_back(
      {.line = line,
       .condition = "sm == 90",
       .keys = {{.expression = "sm", .op = "==", .key = "90", .cc = {9, 0}, .line = line}}});
  return one;
}

TEST(Findings, OfAnAuditAreDisagreementsBugsAndNewGaps) {
  AuditReport report{.command = "audit --cc 12.0",
                     .root = "/tree",
                     .revision = {},
                     .since = "HEAD~1",
                     .cc = {{12, 0}}};
  report.clang_reason = "without Clang, as asked";
  report.places = {audited("gate.py", "check", "run", 3, Coverage::kExact, 0),
                   audited("gemm.cu", "if", "gemm::run", 8, Coverage::kNone, 4),
                   audited("more.cu", "switch", "more", 5, Coverage::kElse, 3),
                   audited("well.cu", "switch", "well", 5, Coverage::kExact, 0)};
  report.disagreements = {{.cc = {12, 0}, .gate = 0, .dispatch = 1, .through = {"run_gemm"}}};
  report.bugs = {{.kind = "leaves-out-sibling",
                  .place = 3,
                  .cc = {12, 0},
                  .other = {12, 1},
                  .line = 6,
                  .condition = "sm == 120"},
                 {.kind = "unreachable-rung",
                  .place = 3,
                  .cc = {12, 0},
                  .other = {9, 0},
                  .line = 5,
                  .condition = "sm >= 90"},
                 {.kind = "swallows",
                  .place = 3,
                  .cc = {12, 0},
                  .other = {9, 0},
                  .line = 7,
                  .condition = "sm >= 90"}};
  report.skipped = {{"big.cu", "larger than 8 MiB"}};
  EXPECT_EQ(told(findings_of(report)),
            R"(warning cc-gate-disagrees [cc 12.0: check in run, gate.py] gate.py:3
check in run lets 12.0 in, and if in gemm::run has 90 only (gemm.cu:8)
by way of run_gemm; a guess, by the names of calls
> follow the calls; then add the arm, or close the gate
  see gemm.cu:8: if in gemm::run has 90 only
warning cc-unreachable-rung [cc 12.0: switch in well, well.cu] well.cu:5
`sm >= 90` takes 12.0, so that the arm behind it that names 12.0 is never reached
> put the arm that names it in front
warning cc-leaves-out-sibling [cc 12.0: switch in well, well.cu] well.cu:6
`sm == 120` names 12.0, not 12.1
> name 12.1 too, or compare the major number
warning cc-swallows [cc 12.0: switch in well, well.cu] well.cu:7
`sm >= 90`, for 9.0 and later, takes 12.0
> see whether 12.0 is meant; if not, give it an arm in front, or an upper bound
note file-skipped [big.cu] big.cu
not read: larger than 8 MiB
> 
note cc-not-covered [cc 12.0: switch in more, more.cu] more.cu:5
switch in more is new or changed and names 90; 12.0 is left to its else
> add an arm where a GPU of 12.0 must work
note C++ was read by syntax only: without Clang, as asked
)");
  report.since = "";
  for (auto& one : report.places) one.is_new = false;
  const auto all = findings_of(report);
  EXPECT_EQ(all.findings.size(), 5);
  EXPECT_EQ(all.notes.back(),
            "1 place left to an else, or to nothing; such places are findings only where they are "
            "new: --since REV");
}

}  // namespace
}  // namespace portpatch::test
