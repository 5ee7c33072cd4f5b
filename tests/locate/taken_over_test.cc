// Upstream makes a rule's edit itself, and then moves the place on.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/report/world.h"

namespace portpatch::test {
namespace {

constexpr const char* kReplace =
    "; Ours.\n((if_statement condition: (_) @condition consequence: (block (return_statement)))\n "
    "(#eq? @condition \"is_hopper()\")\n (#in-scope? @condition \"choose\")\n"
    " (#replace! @condition \"is_hopper() or is_blackwell()\"))\n\n"
    "((if_statement condition: (_) @condition consequence: (block (return_statement)))\n (#eq? "
    "@condition \"is_hopper() or is_blackwell()\")\n (#in-scope? @condition \"choose\")\n"
    " (#held! @condition))\n";
constexpr const char* kRemove =
    "; Ours.\n((function_definition body: (block (expression_statement) @statement))\n (#eq? "
    "@statement \"check(sizes)\")\n (#in-scope? @statement \"choose\")\n (#remove! @statement))\n\n"
    "((function_definition name: (identifier) @name body: (block) @body)\n (#in-scope? @body "
    "\"choose\")\n (#lacks? @body \"check(sizes)\")\n (#held! @body))\n";
constexpr const char* kPart =
    "; Ours.\n((call function: (identifier) @function arguments: (argument_list (string) @text))\n "
    "(#eq? @function \"warn\")\n (#in-scope? @text \"choose\")\n (#replace! @text \"SM100\" "
    "\"Blackwell\"))\n";
constexpr const char* kInsert =
    "; Ours.\n((expression_statement (call function: (identifier) @function)) @statement\n (#eq? "
    "@function \"check\")\n (#in-scope? @statement \"choose\")\n (#insert-after! @statement "
    "\"tune(sizes, limit=4)\"))\n";

std::string function(const std::string& name, const std::string& condition,
                     const std::string& lines) {
  return fmt::format(
      "from arch import is_ada, is_blackwell, is_hopper\n\n\ndef before(value):\n    return "
      "value\n\n\ndef {}(sizes):\n    start = clock.now()\n{}    if {}:\n        return sizes\n    "
      "record(start, clock.now())\n    return None\n",
      name, lines, condition);
}

constexpr const char* kHopper = "is_hopper()";
constexpr const char* kBoth = "is_hopper() or is_blackwell()";

/// What status says after upstream made the file read like one version after the other, each in a
/// commit: "Take it", "Rename it", "Go on".
std::string outcome_after(const char* rule, const std::string& base,
                          const std::vector<std::string>& versions) {
  const World world({{"pack.toml", "format = 1\n"}, {"python/rule.scm", rule}}, {{"a.py", base}},
                    true);
  if (!refresh(world.request("refresh"))) return "no base";
  constexpr const char* kSubjects[] = {"Take it", "Rename it", "Go on"};
  for (std::size_t i = 0; i < versions.size(); ++i) {
    world.scratch().write("up/a.py", versions[i]);
    world.scratch().run(fmt::format(
        "cd up; git add -A; git commit -q -m '{}'; git -C ../tree pull -q --ff-only 2>&1",
        kSubjects[i]));
  }
  const auto report = run(world.request("status"));
  if (!report) return "failed: " + report.error()[0].message;
  const auto& found = report->rules[0];
  return std::string(name_of(found.outcome)) +
         (found.brought ? " since " + found.brought->subject : "");
}

TEST(TakenOver, ATextThatUpstreamReplacedIsFollowed) {
  EXPECT_EQ(outcome_after(kReplace, function("choose", kHopper, ""),
                          {function("choose", kBoth, ""), function("select_sizes", kBoth, "")}),
            "upstreamed since Take it");
}

TEST(TakenOver, WhatUpstreamTookOutIsFollowed) {
  EXPECT_EQ(outcome_after(kRemove, function("choose", kHopper, "    check(sizes)\n"),
                          {function("choose", kHopper, ""), function("select_sizes", kHopper, "")}),
            "upstreamed since Take it");
}

TEST(TakenOver, ATextThatHasLittleOfTheOldOneIsOurs) {
  constexpr const char* kShorter =
      "; Ours.\n((if_statement condition: (_) @condition consequence: (block "
      "(return_statement)))\n "
      "(#in-scope? @condition \"choose\")\n (#replace! @condition \"cc.major >= 12\"))\n";
  const auto base = function("choose", "is_hopper() and sizes.total > 4 and not sizes.lazy", "");
  const auto ours = function("choose", "cc.major >= 12", "");
  EXPECT_EQ(outcome_after(kShorter, base, {ours}), "upstreamed since Take it");
  // What upstream does since then is upstream's, not the taking.
  EXPECT_EQ(outcome_after(kShorter, base, {ours, function("select_sizes", "cc.major >= 12", "")}),
            "upstreamed since Take it");
}

TEST(TakenOver, ASmallTextIsNotTheRulesWhereTheOldOneLivesOn) {
  constexpr const char* kNone =
      "; Ours.\n((assignment left: (identifier) @name right: (_) @value)\n (#eq? @name "
      "\"CACHE\")\n "
      "(#replace! @value \"None\"))\n";
  const std::string table = " = {\"a\": 1, \"b\": 2, \"c\": 3, \"d\": 4}\n";
  const std::string head = "class Server:\n    ", tail = "    name = \"server\"\n    port = 80\n";
  EXPECT_NE(outcome_after(kNone, head + "CACHE" + table + tail,
                          {head + "TABLE" + table + tail + "\n\nCACHE = None\n"}),
            "upstreamed since Take it");
  EXPECT_NE(outcome_after(kNone, "CACHE" + table, {"TABLE" + table + "CACHE = None\n"}),
            "upstreamed since Take it");
}

TEST(TakenOver, APartOfATextIsFollowed) {
  const auto warn = [](const char* what) {
    return fmt::format("    warn(\"only {} has the kernels for these sizes\")\n", what);
  };
  EXPECT_EQ(outcome_after(kPart, function("choose", kHopper, warn("SM100")),
                          {function("choose", kHopper, warn("Blackwell")),
                           function("select_sizes", kHopper, warn("Blackwell"))}),
            "upstreamed since Take it");
}

TEST(TakenOver, AnInsertedStatementIsFollowed) {
  const std::string check =
                        "    check(sizes, is_ada(), start=start, name=\"choose the sizes\", "
                        "limit=None, verbose=False)\n",
                    tune = "    tune(sizes, limit=4)\n";
  EXPECT_EQ(outcome_after(kInsert, function("choose", kHopper, check),
                          {function("choose", kHopper, check + tune),
                           function("select_sizes", kHopper, check + tune)}),
            "upstreamed since Take it");
}

TEST(TakenOver, WhatIsMadeInTheCommitThatMovesItIsAskedAbout) {
  const std::string check =
                        "    check(sizes, is_ada(), start=start, name=\"choose the sizes\", "
                        "limit=None, verbose=False)\n",
                    tune = "    tune(sizes, limit=4)\n";
  EXPECT_EQ(outcome_after(kInsert, function("choose", kHopper, check),
                          {function("select_sizes", kHopper, check + tune)}),
            "moved");
}

TEST(TakenOver, WhatUpstreamChangedAgainIsNotUpstreamed) {
  const std::string other = "is_hopper() or is_ada()";
  EXPECT_EQ(outcome_after(kReplace, function("choose", kHopper, ""),
                          {function("choose", kBoth, ""), function("select_sizes", other, "")}),
            "blocked");
  EXPECT_EQ(outcome_after(kReplace, function("choose", kHopper, ""),
                          {function("choose", kBoth, ""), function("select_sizes", kBoth, ""),
                           function("select_sizes", other, "")}),
            "blocked");
}

TEST(TakenOver, WhatUpstreamTookBackIsNotMadeAgain) {
  EXPECT_EQ(outcome_after(kReplace, function("choose", kHopper, ""),
                          {function("choose", kBoth, ""), function("select_sizes", kHopper, "")}),
            "conflict");
  EXPECT_EQ(outcome_after(kReplace, function("choose", kHopper, ""),
                          {function("choose", kBoth, ""), function("select_sizes", kBoth, ""),
                           function("select_sizes", kHopper, "")}),
            "conflict");
  EXPECT_EQ(outcome_after(kRemove, function("choose", kHopper, "    check(sizes)\n"),
                          {function("choose", kHopper, ""),
                           function("select_sizes", kHopper, "    check(sizes)\n")}),
            "blocked");
}

}  // namespace
}  // namespace portpatch::test
