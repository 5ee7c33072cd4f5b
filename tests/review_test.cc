// What `review` says of a change, and that it says nothing of what was so before.
#include "review.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "report/format/format.h"
#include "tests/report/world.h"

namespace portpatch::test {
namespace {

std::string rule(const std::string& name, const std::string& directive) {
  return "((assignment left: (identifier) @n right: (dictionary) @d)\n (#eq? @n \"" + name +
         "\")\n " + directive + ")\n";
}

PackText pack() {
  return {{"pack.toml", R"(format = 1
cc = ["12.0"]
[[companion]]
name = "sizes"
files = ["csrc/*.cu"]
table = "kSizes"
mirrors = "python/sizes"
[[companion]]
name = "gemm"
files = ["csrc/gemm.cu"]
function = "run_gemm"
gate = "is_sm120_supported"
covers = ["12.0"]
)"},
          {"python/sizes.scm", rule("SIZES", "(#ensure-entry! @d \"12\" \"64\")")},
          {"python/open.scm", rule("OPEN", "(#ensure-entry! @d \"12\" \"1\")")}};
}

/// The local port holds SIZES; OPEN is not applied.
const std::map<std::string, std::string> kTree{
    {"a/sizes.py", "import os\n\nSIZES = {\n    9: 32,\n    12: 64,\n}\n"},
    {"a/open.py", "OPEN = {\n    9: 1,\n    10: 1,\n}\n"},
    {"a/gates.py", "def is_sm120_supported():\n    return get_device_capability() == (12, 0)\n"},
    {"a/use.py",
     "from a.gates import is_sm120_supported\n\n\ndef call(x):\n    if is_sm120_supported():\n     "
     "   return run_gemm(x)\n"},
    {"csrc/sizes.cu",
     "constexpr std::pair<int, int> kSizes[] = {\n    {9, 32},\n    {12, 64},\n};\n"},
    {"csrc/gemm.cu",
     "void run_gemm(int sm_version) {\n  if (sm_version == 90) {\n    a();\n  } else if "
     "(sm_version == 120) {\n    b();\n  }\n}\n"},
};

std::string first_line(const std::string& message) {
  static const std::regex kCommit("[0-9a-f]{12} \\(\\d{4}-\\d\\d-\\d\\d\\)");
  return std::regex_replace(message.substr(0, message.find('\n')), kCommit, "COMMIT (DATE)");
}

class Review : public ::testing::Test {
 protected:
  Review() : world_(pack(), kTree) {
    world_.scratch().run(
        "cd tree; git init -q -b main; git config user.email a@b.c; git config user.name n; git "
        "add -A; git commit -q -m base");
    EXPECT_TRUE(refresh({.command = "refresh",
                         .folder = world_.scratch().path("tree"),
                         .packs = {world_.scratch().path("pack")}}));
  }

  /// Makes the commands a commit on a branch of main, and says how the change is found.
  std::string said(const std::string& commands) {
    world_.scratch().run("cd tree; git checkout -q -B change main; " + commands +
                         "; git add -A; git commit -q --allow-empty -m change");
    return said_of(review(request()));
  }

  ReviewRequest request() {
    return {.command = "review pack",
            .folder = world_.scratch().path("tree"),
            .base = "main",
            .head = "change",
            .packs = {world_.scratch().path("pack")},
            .syntax_only = true};
  }

  std::string said_of(const std::expected<FindingReport, std::vector<Diagnostic>>& report) {
    if (!report) return normalised(render(report.error()[0], false), world_.scratch());
    std::string text;
    for (const auto& one : report->findings) {
      text += fmt::format("{} {} {} {}:{}{}\n  {}\n", severity_name(one.severity), one.type,
                          one.subject.substr(one.subject.rfind("pack/") == std::string::npos
                                                 ? 0
                                                 : one.subject.rfind("pack/")),
                          one.place.path, one.place.line, one.is_in_diff ? "" : " outside",
                          first_line(one.message));
      if (!one.patch.empty()) text += one.patch.substr(one.patch.find("@@"));
    }
    for (const auto& note : report->notes)
      text += "note " + normalised(note, world_.scratch()) + "\n";
    return text + std::to_string(report->exit_status);
  }

  World world_;
};

TEST_F(Review, IsSilentWhereNothingChangesForTheRules) {
  EXPECT_EQ(said("true"), "0");
  EXPECT_EQ(said("echo 'x = 1' >a/other.py"), "0");
  EXPECT_EQ(said("sed -i '1i import sys' a/sizes.py a/open.py a/gates.py a/use.py; sed -i '1i // "
                 "text' csrc/*.cu"),
            "0");
  EXPECT_EQ(said("sed -i 's/10: 1,/10: 1, 11: 1,/' a/open.py"), "0") << "it was pending before";
}

TEST_F(Review, TellsWhatARuleLoses) {
  EXPECT_EQ(said("sed -i '/12: 64/d' a/sizes.py; sed -i '/12, 64/d' csrc/sizes.cu"),
            R"(warning rule-pending pack/python/sizes a/sizes.py:3
  the rule held before this change; the edit is certain
@@ -2,4 +2,5 @@ import os
 
 SIZES = {
     9: 32,
+    12: 64,
 }
1)");
}

TEST_F(Review, TellsOfAConflictAndOfItsCompanion) {
  EXPECT_EQ(said("sed -i 's/12: 64/12: 128/' a/sizes.py"),
            R"(error rule-conflict pack/python/sizes a/sizes.py:5
  the key 12 stands there with another value; the tree has `128`; the rule wants `64`
error companion-other-value pack/sizes csrc/sizes.cu:3 outside
  kSizes: the values for 12.x differ: 64 here, 128 there
1)");
}

TEST_F(Review, TellsOfALostRule) {
  EXPECT_EQ(said("git rm -q a/open.py"), R"(error rule-lost pack/python/open a/open.py:0 outside
  the place of this rule went away in COMMIT (DATE) change
1)");
}

TEST_F(Review, TellsOfAnAmbiguousRule) {
  EXPECT_EQ(said("git mv a/open.py a/one.py; cp a/one.py a/two.py"),
            R"(error rule-ambiguous pack/python/open a/one.py:1
  it matches at 2 places where `expect` says 1
1)");
}

TEST_F(Review, TellsOfARuleThatTheChangeBrings) {
  EXPECT_EQ(said("sed -i 's/10: 1,/10: 1,\\n    12: 1,/' a/open.py"),
            R"(note rule-brought pack/python/open a/open.py:4
  this change says itself what the rule wants
0)");
}

TEST_F(Review, TellsOfACompanionThatDisagreesByItsOwnChange) {
  EXPECT_EQ(said("sed -i 's/== 120/== 100/' csrc/gemm.cu"),
            R"(error companion-no-arm pack/gemm csrc/gemm.cu:2
  else-if chain in run_gemm: nothing takes 12.0; there is 9.0, 10.0; is_sm120_supported lets 12.0 in
1)");
}

TEST_F(Review, TellsOfAGateThatHasChanged) {
  EXPECT_EQ(
      said("sed -i 's/(12, 0)/(12, 1)/' a/gates.py"),
      R"(error cc-coverage-lost cc 12.0: predicate in is_sm120_supported, a/gates.py a/gates.py:2
  predicate in is_sm120_supported took 12.0 before this change, by `get_device_capability() == (12, 0)`; it names (12, 1) now, and nothing takes 12.0
warning companion-not-seen pack/gemm a/gates.py:1
  is_sm120_supported: is_sm120_supported lets in none of the GPUs that are asked: nothing was compared
1)");
}

TEST_F(Review, TellsOfNewCodeWithoutAnArm) {
  EXPECT_EQ(said("printf 'def pick(x):\\n    if get_device_capability() == (9, 0):\\n        "
                 "return 1\\n    elif get_device_capability() == (10, 0):\\n        return 2\\n    "
                 "raise ValueError\\n' >a/new.py"),
            R"(warning cc-not-covered cc 12.0: else-if chain in pick, a/new.py a/new.py:2
  else-if chain in pick is new or changed and names (9, 0), (10, 0); nothing takes 12.0
1)");
  EXPECT_EQ(
      said("printf 'void run_more(int sm_version) {\\n  if (sm_version == 90) {\\n    a();\\n  } "
           "else if (sm_version == 100) {\\n    b();\\n  }\\n}\\n' >csrc/more.cu; printf 'def "
           "more(x):\\n    if is_sm120_supported():\\n        return run_more(x)\\n' >>a/use.py"),
      R"(warning cc-gate-disagrees cc 12.0: if in more, a/use.py a/use.py:8
  if in more lets 12.0 in, and else-if chain in run_more has 90, 100 only (csrc/more.cu:2)
warning cc-leaves-out-sibling cc 12.0: if in more, a/use.py a/use.py:9
  `is_sm120_supported()` names 12.0, not 12.1
1)");
}

TEST_F(Review, APackMayBeForTheTreeAlone) {
  world_.scratch().run(
      "mkdir watch; printf 'format = 1\\nname = \"watch\"\\ncc = [\"12.0\"]\\n' >watch/pack.toml; "
      "cd tree; git checkout -q -B change main; printf 'def pick(x):\\n    if "
      "get_device_capability() == (9, 0):\\n        return 1\\n    elif get_device_capability() == "
      "(10, 0):\\n        return 2\\n    raise ValueError\\n' >a/new.py; git add -A; git commit -q "
      "-m change");
  auto watch = request();
  watch.packs = {world_.scratch().path("watch")};
  EXPECT_EQ(said_of(review(watch)),
            R"(warning cc-not-covered cc 12.0: else-if chain in pick, a/new.py a/new.py:2
  else-if chain in pick is new or changed and names (9, 0), (10, 0); nothing takes 12.0
1)");
}

TEST_F(Review, TellsTheNewOneOfTwoAlike) {
  world_.scratch().run(
      "cd tree; printf 'def f(x):\\n    if get_device_capability() == (9, 0):\\n        a()\\n    "
      "else:\\n        raise ValueError\\n    return x\\n' >a/twice.py; git add -A; git commit -qm "
      "twice");
  EXPECT_EQ(said("sed -i '1a \\    if get_device_capability() == (9, 0):\\n        b()\\n    "
                 "else:\\n       "
                 " raise ValueError' a/twice.py"),
            R"(warning cc-not-covered cc 12.0: if in f, a/twice.py a/twice.py:2
  if in f is new or changed and names (9, 0); 12.0 is refused
1)");
  EXPECT_EQ(said("sed -i '5a \\    if get_device_capability() == (9, 0):\\n        b()\\n    "
                 "else:\\n       "
                 " raise ValueError' a/twice.py"),
            R"(warning cc-not-covered cc 12.0: if in f, a/twice.py a/twice.py:6
  if in f is new or changed and names (9, 0); 12.0 is refused
1)");
}

constexpr std::string_view kServed =
    "printf 'def served(mod):\\n    if get_device_capability() == (9, 0):\\n        a()\\n    elif "
    "get_device_capability() == (12, 0):\\n        b()\\n    elif mod is not None:\\n        "
    "c()\\n "
    "   else:\\n        raise ValueError\\n' >a/served.py; ";

TEST_F(Review, TellsWhatIsNotTakenAnyMore) {
  world_.scratch().run(
      fmt::format("cd tree; {} git add -A; git commit -qm served", std::string(kServed)));
  EXPECT_EQ(
      said("sed -i '4,5d' a/served.py"),
      R"(warning cc-coverage-untold cc 12.0: else-if chain in served, a/served.py a/served.py:2
  else-if chain in served took 12.0 before this change, by `get_device_capability() == (12, 0)`; it names (9, 0) now, and what 12.0 takes cannot be told
1)");
  EXPECT_EQ(said("sed -i '4,7d' a/served.py"),
            R"(error cc-coverage-lost cc 12.0: if in served, a/served.py a/served.py:2
  if in served took 12.0 before this change, by `get_device_capability() == (12, 0)`; it names (9, 0) now, and 12.0 is refused
1)");
  EXPECT_EQ(
      said("sed -i 's/(12, 0):/(12, 0) and mod.fast:/' a/served.py"),
      R"(warning cc-coverage-untold cc 12.0: else-if chain in served, a/served.py a/served.py:2
  else-if chain in served took 12.0 before this change, by `get_device_capability() == (12, 0)`; it names (9, 0), (12, 0) now, and what 12.0 takes cannot be told
1)");
  EXPECT_EQ(said("sed -i 's/mod is not None/mod/; s/== (9, 0)/== (8, 0)/' a/served.py"), "0")
      << "12.0 is taken as before";
}

TEST_F(Review, TellsOfWhatNamedAccAndIsGone) {
  world_.scratch().run(
      fmt::format("cd tree; {} git add -A; git commit -qm served", std::string(kServed)));
  EXPECT_EQ(said("printf 'def served(mod):\\n    return mod\\n' >a/served.py"),
            R"(note cc-place-gone cc 12.0: a/served.py a/served.py:0 outside
  else-if chain in served named 12.0 before this change, and is gone
0)");
  EXPECT_EQ(said("git mv a/served.py a/serves.py"), "0");
}

TEST_F(Review, SaysWhenItWasSoBefore) {
  world_.scratch().run(
      "cd tree; printf 'def f(x):\\n    if get_device_capability() == (9, 0):\\n        a()\\n    "
      "else:\\n        raise ValueError\\n' >a/more.py; git add -A; git commit -qm more");
  EXPECT_EQ(said("sed -i 's/== (9, 0)/in ((9, 0), (10, 0))/' a/more.py"),
            R"(note cc-not-covered cc 12.0: if in f, a/more.py a/more.py:2
  if in f is changed and names (9, 0), (10, 0); 12.0 is refused; it was so before this change too
0)");
}

TEST_F(Review, ShowsTheEditOfTheRuleAlone) {
  world_.scratch().run(
      "cd tree; cat a/open.py >>a/sizes.py; git rm -q a/open.py; git commit -qam one");
  EXPECT_EQ(said("sed -i '/12: 64/d' a/sizes.py; sed -i '/12, 64/d' csrc/sizes.cu"),
            R"(warning rule-pending pack/python/sizes a/sizes.py:3
  the rule held before this change; the edit is certain
@@ -2,6 +2,7 @@ import os
 
 SIZES = {
     9: 32,
+    12: 64,
 }
 OPEN = {
     9: 1,
1)");
}

TEST_F(Review, ShowsWhereTheGateWas) {
  EXPECT_EQ(said("sed -i 's/is_sm120_supported/is_sm120/' a/*.py"),
            R"(error companion-not-found pack/gemm a/gates.py:0 outside
  pack.toml: the gate is_sm120_supported was not found in Python, or asks for no cc
1)");
}

TEST_F(Review, SaysWhatIsWrong) {
  auto one = request();
  world_.scratch().run(
      "cd tree; git checkout -q -B change main; git checkout -q --orphan other; git commit -q -m "
      "other");
  one.base = "nowhere";
  EXPECT_EQ(said_of(review(one)),
            R"(error: `nowhere` names no commit of this repository [unknown-revision]
  help: see `git log --oneline --all`; a commit of a remote is there after `git fetch`
)");
  one = request();
  one.head = "other";
  EXPECT_EQ(said_of(review(one)), R"(error: main and other have no commit in common [no-merge-base]
  help: name a commit that both come from, such as the one that the branch was made from
)");
  one.head = "main";
  EXPECT_EQ(said_of(review(one)), R"(note main holds main already: there is nothing to review
0)");
}

TEST_F(Review, HasTheSameFingerprintsWhenCodeAboveGrows) {
  (void)said("sed -i 's/12: 64/12: 128/' a/sizes.py");
  const auto first = review(request());
  world_.scratch().run("cd tree; sed -i '1i import sys' a/sizes.py; git commit -qam more");
  const auto second = review(request());
  ASSERT_TRUE(first && second);
  ASSERT_FALSE(first->findings.empty());
  ASSERT_EQ(first->findings.size(), second->findings.size());
  for (std::size_t i = 0; i < first->findings.size(); ++i)
    EXPECT_EQ(first->findings[i].fingerprint, second->findings[i].fingerprint);
}

TEST_F(Review, HasTheSameFingerprintsHoweverThePackIsTyped) {
  (void)said("sed -i 's/12: 64/12: 128/' a/sizes.py");
  auto other = request();
  other.packs = {world_.scratch().path("tree/../pack/")};
  const auto first = review(request()), second = review(other);
  ASSERT_TRUE(first && second);
  ASSERT_EQ(first->findings.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_EQ(first->findings[i].fingerprint, second->findings[i].fingerprint);
}

}  // namespace
}  // namespace portpatch::test
