// replace! and remove! where upstream's text is no longer what the base has a copy of.
#include <gtest/gtest.h>

#include "tests/report/world.h"

namespace portpatch::test {
namespace {

const std::string kReplace =
    "; Ours.\n((assignment left: (_) @name right: (_) @value) (#eq? @name \"LIMIT\") (#replace! "
    "@value \"96\"))\n";
const std::string kRemove =
    "; Ours.\n((function_definition name: (_) @name body: (block (assert_statement) @check)) (#eq? "
    "@name \"f\") (#remove! @check))\n"
    "((function_definition name: (_) @name body: (block) @body) (#eq? @name \"f\") (#lacks? @body "
    "\"assert cc < 12\") (#lacks? @body \"assert cc < 13\") (#held! @body))\n";

/// The outcome with the reason, or the file where it was edited: the base has `base` as the site's
/// text.
std::string with_base(const std::string& rule, const std::string& base, const std::string& file,
                      const std::string& settings = "", const std::string& scope = "") {
  const World world(
      {{"python/rule.scm", rule},
       {"pack.toml", "format = 1\n" + settings},
       {"pack.lock", "format = 1\n[[rules.\"python/rule\"]]\npath = \"a.py\"\nscope = \"" + scope +
                         "\"\ntext = '''" + base + "'''\n"}},
      {{"a.py", file}});
  const auto report = run(world.request("apply"));
  if (!report) return report.error()[0].message;
  const auto& ruled = report->rules[0];
  if (ruled.outcome == Outcome::kEdited) return world.file("a.py");
  return std::string(name_of(ruled.outcome)) +
         (ruled.sites.empty() || ruled.sites[0].reason.empty() ? "" : ": " + ruled.sites[0].reason);
}

const std::string kChanged = "conflict: upstream says something else there than at the base";

TEST(ChangedUpstream, ReplaceIsAConflict) {
  EXPECT_EQ(with_base(kReplace, "64", "LIMIT = 64\n"), "LIMIT = 96\n");
  EXPECT_EQ(with_base(kReplace, "64", "LIMIT = 128\n"), kChanged);
  EXPECT_EQ(with_base(kReplace, "64", "LIMIT = 96\n"), "held");
}

TEST(ChangedUpstream, EqualAsCodeIsNoChange) {
  EXPECT_EQ(with_base(kReplace, "f(a, b)", "LIMIT = f(\n    a,  # one\n    b,\n)\n"),
            "LIMIT = 96\n");
  EXPECT_EQ(with_base(kReplace, "64", "LIMIT = 0x40\n"), "LIMIT = 96\n");
}

TEST(ChangedUpstream, OverrideWritesOursOverIt) {
  EXPECT_EQ(with_base(kReplace, "64", "LIMIT = 128\n", "[defaults]\non-conflict = \"override\"\n"),
            "LIMIT = 96\n");
  EXPECT_EQ(
      with_base(kReplace, "64", "LIMIT = 128\n", "[defaults]\non-conflict = \"keep-upstream\"\n"),
      "held: upstream says something else there than at the base");
}

TEST(ChangedUpstream, AnArgumentIsOverriddenInTheHousesWay) {
  const std::string rule =
      "; Ours.\n((call function: (_) @name) @call (#eq? @name \"f\") "
      "(#ensure-argument! @call \"c\" \"'x'  # ours\"))\n";
  const World world({{"python/rule.scm", rule},
                     {"pack.toml", "format = 1\n[defaults]\non-conflict = \"override\"\n"}},
                    {{"a.py", "f(\"a\", \"b\", c=\"y\")\n"}});
  EXPECT_EQ(world.outcomes("apply"), "python/rule edited");
  EXPECT_EQ(world.file("a.py"), "f(\"a\", \"b\", c=\"x\")\n");
}

TEST(ChangedUpstream, RemoveIsAConflictToo) {
  const auto file = [](const std::string& check) {
    return "def f(cc):\n    g(cc)\n    " + check + "\n";
  };
  EXPECT_EQ(with_base(kRemove, "assert cc < 12", file("assert cc < 12"), "", "f"),
            "def f(cc):\n    g(cc)\n");
  EXPECT_EQ(with_base(kRemove, "assert cc < 12", file("assert cc < 13"), "", "f"), kChanged);
  EXPECT_EQ(with_base(kRemove, "assert cc < 12", file("assert cc < 13"),
                      "[defaults]\non-conflict = \"override\"\n", "f"),
            "def f(cc):\n    g(cc)\n");
}

TEST(ChangedUpstream, WithoutABaseNothingIsCompared) {
  const World world({{"python/rule.scm", kReplace}}, {{"a.py", "LIMIT = 128\n"}});
  EXPECT_EQ(world.outcomes("apply"), "python/rule edited");
  EXPECT_EQ(world.file("a.py"), "LIMIT = 96\n");
}

}  // namespace
}  // namespace portpatch::test
