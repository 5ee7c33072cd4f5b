// A rule that is lost names where its words stand.
#include <regex>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/report/world.h"

namespace portpatch::test {
namespace {

constexpr const char* kRule =
    "; Ours.\n((if_statement condition: (_) @condition consequence: (block (expression_statement "
    "(call arguments: (argument_list (string) @text)))))\n"
    " (#eq? @condition \"not is_supported(device)\")\n (#in-scope? @text \"check\")\n (#replace! "
    "@text \"SM100\" \"SM100 and SM120\"))\n";

/// A function whose warning reads so, in a file with other things.
std::string checking(const std::string& name, const std::string& text) {
  return fmt::format(
      "from log import warn\n\n\ndef {}(device):\n    name = device.name\n    if not "
      "is_supported(device):\n        warn(\"{}\")\n    return name\n",
      name, text);
}

constexpr const char* kBase = "The kernel runs on Blackwell (SM100) devices alone";
constexpr const char* kOurs = "The kernel runs on Blackwell (SM100 and SM120) devices alone";
constexpr const char* kGone = "def check(device):\n    return device.name\n";

/// A clone of an upstream that made `now` of `base` in a commit.
class Lost {
 public:
  Lost(const std::string& rule, const std::map<std::string, std::string>& base,
       const std::map<std::string, std::string>& now)
      : world_({{"pack.toml", "format = 1\n"}, {"python/rule.scm", rule}}, base, true) {
    auto request = world_.request("refresh");
    request.at = "a.py";
    if (!refresh(request)) throw std::runtime_error("no base");
    for (const auto& [path, text] : now) world_.scratch().write("up/" + path, text);
    world_.scratch().run(
        "cd up; git add -A; git commit -q -m 'Move on'; git -C ../tree pull -q --ff-only 2>&1");
  }
  /// The lines about homes.
  [[nodiscard]] std::string homes() const {
    const auto report = run(world_.request("status"));
    if (!report) throw std::runtime_error(report.error()[0].message);
    std::string text(name_of(report->rules[0].outcome));
    for (const auto& home : report->rules[0].homes) {
      text += fmt::format("\n{} at {}:{} in {}: {}", home.what, home.place.path, home.place.line,
                          home.place.scope, home.text);
    }
    return text;
  }
  [[nodiscard]] std::string said() const {
    static const std::regex kDate("[0-9]{4}-[0-9]{2}-[0-9]{2}");
    return std::regex_replace(world_.said("status"), kDate, "DATE");
  }

 private:
  World world_;
};

TEST(Homes, TheReportNamesWhereTheTextStands) {
  const Lost lost(
      kRule, {{"a.py", checking("check", kBase)}},
      {{"a.py", kGone},
       {"b.py", "def other(config):\n    if config.old:\n        warn(\n            \"" +
                    std::string(kBase) + "\",\n        )\n"}});
  EXPECT_EQ(lost.said(),
            "tree      tree\n\n"
            "  lost       pack/python/rule  no place in the tree\n\n"
            "lost pack/python/rule\n"
            "  | Ours.\n"
            "  at the base it was in a.py, scope check\n"
            "  its pattern matches nowhere; 2 files were searched\n"
            "  its text at the base stands word for word at b.py:4 in other\n"
            "    \"The kernel runs on Blackwell (SM100) devices alone\"\n"
            "  it went away in COMMIT (DATE) Move on\n"
            "  next: portpatch explain pack/python/rule\n\n"
            "1 rule: 1 lost\n");
}

TEST(Homes, WhatItWouldWriteComesFirst) {
  const Lost lost(kRule, {{"a.py", checking("check", kBase)}},
                  {{"a.py", kGone},
                   {"b.py", fmt::format("def other(config):\n    warn(\"{}\")\n", kBase)},
                   {"c.py", fmt::format("def third(config):\n    warn(\"{}\")\n", kOurs)}});
  EXPECT_EQ(lost.homes(), fmt::format("lost\nwhat it would write at c.py:2 in third: \"{}\"\nits "
                                      "text at the base at b.py:2 in other: \"{}\"",
                                      kOurs, kBase));
}

TEST(Homes, ACopyThatStoodThereAtTheBaseIsNone) {
  const std::string copy = fmt::format("def other(config):\n    warn(\"{}\")\n", kBase);
  EXPECT_EQ(
      Lost(kRule, {{"a.py", checking("check", kBase)}, {"b.py", copy}}, {{"a.py", kGone}}).homes(),
      "lost");
}

TEST(Homes, AShortTextIsNone) {
  EXPECT_EQ(Lost(kRule, {{"a.py", checking("check", "SM100 only")}},
                 {{"a.py", kGone}, {"b.py", "def other(config):\n    warn(\"SM100 only\")\n"}})
                .homes(),
            "lost");
}

TEST(Homes, APartIsNamedAsOne) {
  const Lost lost(
      "; Ours.\n((if_statement condition: (_) @condition) @ladder\n (#eq? @condition \"not "
      "is_supported(device)\")\n (#in-scope? @ladder \"check\")\n (#ensure-branch! @ladder "
      "\"is_new(device)\" \"use_new_kernel(device)\"))\n",
      {{"a.py", checking("check", kBase)}},
      {{"a.py", kGone}, {"b.py", fmt::format("def other(config):\n    warn(\"{}\")\n", kBase)}});
  EXPECT_EQ(
      lost.homes(),
      fmt::format("lost\na part of its text at the base at b.py:2 in other: warn(\"{}\")", kBase));
}

TEST(Homes, AConflictNamesThemToo) {
  const std::string other = "The kernel runs on devices of the tenth generation";
  const Lost lost(kRule, {{"a.py", checking("check", kBase)}},
                  {{"a.py", checking("check", other)},
                   {"b.py", fmt::format("def other(config):\n    warn(\"{}\")\n", kOurs)}});
  EXPECT_EQ(lost.homes(),
            fmt::format("conflict\nwhat it would write at b.py:2 in other: \"{}\"", kOurs));
}

TEST(Homes, APlaceWithoutAQueryHasALine) {
  const auto text = [](const char* value) {
    return fmt::format(
        "def f(device):\n    name = device.name\n    config = {}\n    return use(name, config)\n",
        value);
  };
  const Lost lost(
      "; Ours.\n((assignment left: (_) @name right: (_) @value) @statement\n (#eq? @name "
      "\"config\")\n (#reads? @value \"[device.old, 1]\")\n (#in-scope? @name \"f\")\n (#replace! "
      "@value \"[device.newer, 2]\"))\n\n"
      "((assignment left: (_) @name right: (_) @value)\n (#eq? @name \"config\")\n (#reads? @value "
      "\"[device.newer, 2]\")\n (#in-scope? @name \"f\")\n (#held! @value))\n",
      {{"a.py", text("[device.old, 1]")}}, {{"a.py", text("[device.other, 3]")}});
  EXPECT_EQ(lost.said(),
            "tree      tree\n\n"
            "  blocked    pack/python/rule  a.py:3\n\n"
            "blocked pack/python/rule\n"
            "  | Ours.\n"
            "  at the base it was in a.py, scope f\n"
            "    a.py:3 in f: the rule's query cannot be rewritten for a.py: #reads? does not hold "
            "there, and what is there does not say the same\n"
            "      write a pattern for this place into the rule, then run `portpatch refresh`\n"
            "  next: portpatch explain pack/python/rule\n\n"
            "1 rule: 1 blocked\n");
}

TEST(Homes, SurvivorsAreSortedAndSayWhatDiffers) {
  const auto table = [](const std::string& name, const std::string& items) {
    return fmt::format("{} = {{\n    9: [2, 4],\n    {}}}\n\n\n", name, items);
  };
  const Lost lost(
      "; Ours.\n((assignment left: (_) @name right: (dictionary) @table)\n (#eq? @name "
      "\"SIZES\")\n (#in-scope? @name \"\")\n (#ensure-entry! @table \"12\" \"[6, 8]\"))\n",
      {{"a.py", table("SIZES", "10: [2, 8],\n    11: [4, 8],\n")}},
      {{"a.py", table("LIMITS", "10: [2, 8],\n    80: [1],\n") +
                    table("BOUNDS", "10: [2, 8],\n    11: [4, 8],\n") +
                    table("WIDTHS", "10: [2, 8],\n    11: [4, 8],\n")}});
  EXPECT_EQ(lost.said(),
            "tree      tree\n\n"
            "  lost       pack/python/rule  no place in the tree\n\n"
            "lost pack/python/rule\n"
            "  | Ours.\n"
            "  at the base it was in a.py\n"
            "  its pattern matches nowhere; 1 file was searched\n"
            "  its text at the base stands word for word at a.py:8\n"
            "    {9: [2, 4], 10: [2, 8], 11: [4, 8], }\n"
            "  its text at the base stands word for word at a.py:15\n"
            "    {9: [2, 4], 10: [2, 8], 11: [4, 8], }\n"
            "  it went away in COMMIT (DATE) Move on\n"
            "  what is left and looks like it, best first:\n"
            "    a.py:1, LIMITS\n"
            "      45 points: 67 % of its items are there (21), at module level, as before (6), "
            "what is around it is 46 % alike (6), the same file (12)\n"
            "      but it was SIZES, 33 % of its items are not there, it reads `{9: [2, 4], 10: "
            "[2, 8], 80: [1], }`\n"
            "  next: portpatch explain pack/python/rule\n\n"
            "1 rule: 1 lost\n");
}

}  // namespace
}  // namespace portpatch::test
