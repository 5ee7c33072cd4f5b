// Edits that the file allows, and upstream's history since the base speaks against.
#include <gtest/gtest.h>

#include "pipeline.h"
#include "tests/report/world.h"

namespace portpatch::test {
namespace {

/// An upstream whose file goes through `versions`, and a clone with a rule whose base is the first.
/// Gives the outcome with its reason, or the file where it was edited.
std::string after(const std::string& rule, const std::vector<std::string>& versions,
                  const std::string& settings = "") {
  const World world(
      {{"python/rule.scm", rule},
       {"pack.toml", "format = 1\n[defaults]\nnames = [\"use\", \"one\", \"Size\"]\n" + settings}},
      {{"a.py", versions[0]}}, true);
  if (!refresh(world.request("refresh"))) return "no base";
  for (std::size_t i = 1; i < versions.size(); ++i) {
    world.scratch().write("up/a.py", versions[i]);
    world.scratch().run("cd up; git commit -q -a -m 'change " + std::to_string(i) + "'");
  }
  world.scratch().run("git -C tree pull -q --ff-only 2>&1");
  const auto report = run(world.request("apply"));
  if (!report) return report.error()[0].message;
  const auto& ruled = report->rules[0];
  if (ruled.outcome == Outcome::kEdited) return world.file("a.py");
  const auto reason = ruled.sites.empty() ? "" : normalised(ruled.sites[0].reason, world.scratch());
  return std::string(name_of(ruled.outcome)) + (reason.empty() ? "" : ": " + reason);
}

const std::string kInsert =
    "; Ours.\n((expression_statement (call function: (_) @f)) @s (#eq? @f \"start\") (#in-scope? "
    "@s \"run\")\n (#insert-after! @s \"if cc == 12:\\n    use(cc, stages=1)\"))\n";

std::string run_with(const std::string& rest) {
  return "def run(cc):\n    start(cc)\n" + rest + "    stop(cc)\n";
}

TEST(Rival, UpstreamsOwnVersionOfAStatementIsAConflict) {
  EXPECT_EQ(
      after(kInsert, {run_with(""), run_with("    if cc == 12:\n        use(cc, stages=2)\n")}),
      "conflict: since the base upstream has brought something like it, 86 % alike (upstream's "
      "line 3)");
  EXPECT_EQ(after(kInsert, {run_with(""),
                            "def run(cc):\n    if cc == 12:\n        use(cc, stages=1)\n    "
                            "start(cc)\n    stop(cc)\n"}),
            "conflict: since the base upstream has brought something like it, word for word "
            "(upstream's line 2)");
}

TEST(Rival, WhatWasThereBeforeIsNone) {
  const std::string alike = "    if cc == 10:\n        use(cc, stages=2)\n";
  EXPECT_EQ(after(kInsert, {run_with(alike), run_with(alike) + "    log(cc)\n"}),
            "def run(cc):\n    start(cc)\n    if cc == 12:\n        use(cc, stages=1)\n" + alike +
                "    stop(cc)\n    log(cc)\n");
  // Nor what became of it.
  const std::string later = "    if cc == 10:\n        use(cc, stages=3)\n";
  EXPECT_EQ(after(kInsert, {run_with(alike), run_with(later)}),
            "def run(cc):\n    start(cc)\n    if cc == 12:\n        use(cc, stages=1)\n" + later +
                "    stop(cc)\n");
  // In another function it is another thing.
  EXPECT_EQ(
      after(kInsert,
            {run_with(""),
             run_with("") + "\n\ndef other(cc):\n    if cc == 12:\n        use(cc, stages=2)\n"}),
      run_with("    if cc == 12:\n        use(cc, stages=1)\n") +
          "\n\ndef other(cc):\n    if cc == 12:\n        use(cc, stages=2)\n");
}

TEST(Rival, ADefinitionOfTheSameNameIsOneHoweverItReads) {
  const std::string rule =
      "; Ours.\n((function_definition name: (_) @n) @d (#eq? @n \"first\") (#in-scope? @d \"\")\n "
      "(#insert-after! @d \"def second(a):\\n    return one(a)\"))\n";
  EXPECT_EQ(after(rule, {"def first(a):\n    return a\n",
                         "def second(self, b, *rest):\n    log(b, rest)\n    yield from "
                         "b.parts()\n\n\ndef first(a):\n    return a\n"})
                .substr(0, 8),
            "conflict");
}

TEST(Rival, SettingsDecide) {
  const auto theirs = run_with("    if cc == 12:\n        use(cc, stages=2)\n");
  EXPECT_EQ(after(kInsert, {run_with(""), theirs}, "on-conflict = \"override\"\n"),
            "def run(cc):\n    start(cc)\n    if cc == 12:\n        use(cc, stages=1)\n    if cc "
            "== 12:\n        use(cc, stages=2)\n    stop(cc)\n");
  EXPECT_EQ(
      after(kInsert, {run_with(""), theirs}, "on-conflict = \"keep-upstream\"\n").substr(0, 4),
      "held");
}

const std::string kEntry =
    "; Ours.\n((assignment left: (_) @n right: (dictionary) @t) (#eq? @n \"SIZES\") "
    "(#ensure-entry! @t \"12\" \"Size(4)\"))\n";

TEST(TakenOut, WhatUpstreamHadAndChangedIsAConflict) {
  const auto said = after(
      kEntry, {"SIZES = {9: 1}\n", "SIZES = {9: 1, 12: Size(4)}\n", "SIZES = {9: 1, 10: 2}\n"});
  EXPECT_TRUE(said.starts_with("conflict: upstream had it since COMMIT (") &&
              said.ends_with(") change 1 and has changed it or taken it out again"))
      << said;
  EXPECT_EQ(after(kEntry, {"SIZES = {9: 1}\n", "SIZES = {9: 1, 12: Size(4)}\n"}), "upstreamed");
}

TEST(TakenOut, WhatUpstreamNeverHadIsMade) {
  EXPECT_EQ(after(kEntry, {"SIZES = {9: 1}\n", "SIZES = {9: 2}\n", "SIZES = {9: 1}\n"}),
            "SIZES = {9: 1, 12: Size(4)}\n");
}

TEST(TakenOut, RefreshTakesUpstreamForTheNewBase) {
  const World world(
      {{"python/rule.scm", kEntry}, {"pack.toml", "format = 1\n[defaults]\nnames = [\"Size\"]\n"}},
      {{"a.py", "SIZES = {9: 1}\n"}}, true);
  ASSERT_TRUE(refresh(world.request("refresh")));
  for (const auto* text : {"SIZES = {9: 1, 12: Size(4)}\n", "SIZES = {9: 1, 10: 2}\n"}) {
    world.scratch().write("up/a.py", text);
    world.scratch().run("cd up; git commit -q -a -m change");
  }
  world.scratch().run("git -C tree pull -q --ff-only 2>&1");
  EXPECT_EQ(world.outcomes("apply"), "python/rule conflict");
  ASSERT_TRUE(refresh(world.request("refresh")));
  EXPECT_EQ(world.outcomes("apply"), "python/rule edited");
}

TEST(Names, WhatAnotherRuleBringsMustComeIntoTheSameFile) {
  const World world(
      {{"python/import.scm",
        "; Ours.\n((module) @file (#in-path? \"a.py\") (#ensure-import! \"from arch import "
        "is_new\"))\n"},
       {"python/use.scm",
        "; Ours.\n((assignment left: (_) @n right: (dictionary) @t) (#eq? @n \"SIZES\") "
        "(#ensure-entry! @t \"12\" \"is_new()\"))\n"},
       {"pack.toml",
        "format = 1\n[defaults]\ngroup = \"g\"\n[rules.\"python/use\"]\nnames = [\"is_new\"]\n"}},
      {{"a.py", "import os\n\nSIZES = {9: 1}\n"}, {"b.py", "x = 1\n"}});
  EXPECT_EQ(world.outcomes("status"), "python/import pending, python/use pending");
  world.write("a.py", "import os\n");
  world.write("b.py", "SIZES = {9: 1}\n");
  EXPECT_EQ(world.outcomes("apply"), "python/import blocked, python/use blocked");
  EXPECT_TRUE(world.said("status").contains(
      "`is_new`, which the edit in b.py uses, is brought by python/import into a.py"));
}

}  // namespace
}  // namespace portpatch::test
