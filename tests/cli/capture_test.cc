#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace portpatch::test {
namespace {

const std::string kLimits = "MiB = 1 << 20\n\nSIZES = {\n    9: 64 * MiB,\n    10: 64 * MiB,\n}\n";
const std::string kLimitsOurs =
    "MiB = 1 << 20\n\nSIZES = {\n    9: 64 * MiB,\n    10: 64 * MiB,\n    12: 256 * MiB,\n}\n";
const std::string
    kCheck = "def check(cc):\n    if cc >= 9:\n        return True\n    return False\n";
const std::string kCheckOurs =
    "def check(cc):\n    if cc >= 9 and cc != 12:\n        return True\n    return False\n";
const std::string kRule =
    "((assignment left: (_) @name right: (dictionary) @table)\n (#eq? @name \"SIZES\")\n "
    "(#in-scope? @table \"\")\n (#ensure-entry! @table \"12\" \"256 * MiB\"))\n"
    "\n"
    "((assignment left: (_) @name right: (call function: (_) @wrapper arguments: (argument_list "
    "(dictionary))) @table)\n (#eq? @name \"SIZES\")\n (#in-scope? @table \"\")\n"
    " (#any-of? @wrapper \"MappingProxyType\" \"types.MappingProxyType\" \"OrderedDict\" \"dict\" "
    "\"frozenset\" \"list\" \"set\" \"tuple\")\n (#ensure-entry! @table \"12\" \"256 * MiB\"))\n";

/// A clone of a small upstream, with two files changed.
class Port {
 public:
  Port() {
    scratch_.write("tree/engine/limits.py", kLimits);
    scratch_.write("tree/engine/check.py", kCheck);
    scratch_.write("tree/data/size.txt", "64\n");
    scratch_.run("cd tree; git init -q -b main; git add -A; git commit -q -m base");
  }
  void change() const {
    write("engine/limits.py", kLimitsOurs);
    write("engine/check.py", kCheckOurs);
  }
  void commit(const std::string& subject) const {
    git("add -A; git commit -q -m '" + subject + "'");
  }
  void write(const std::string& path, const std::string& text) const {
    scratch_.write("tree/" + path, text);
  }
  [[nodiscard]] std::string read(const std::string& path) const { return scratch_.read(path); }
  std::string git(const std::string& arguments) const {
    return scratch_.run("cd tree; git " + arguments);
  }
  [[nodiscard]] bool has(const std::string& path) const { return fs::exists(scratch_.path(path)); }
  [[nodiscard]] Ran run(const std::string& arguments) const {
    return portpatch(scratch_, "-C tree " + arguments);
  }
  [[nodiscard]] Ran capture(const std::string& arguments = "") const {
    return run("capture --pack pack " + arguments);
  }
  [[nodiscard]] const Scratch& scratch() const { return scratch_; }

 private:
  Scratch scratch_;
};

TEST(CommandCapture, TheWorkTreesChangesBecomeRules) {
  const Port port;
  port.change();
  const auto ran = port.capture();
  EXPECT_EQ(ran.error, "");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.out,
            "tree      tree\n"
            "captured  the work tree's changes\n"
            "pack      pack\n"
            "\n"
            "  captured   python/check-check-cc-12  #narrow!  engine/check.py:2\n"
            "  captured   python/limits-sizes-12    #ensure-entry!  engine/limits.py:6\n"
            "\n"
            "2 rules written\n"
            "run RUN; next: read the rules, then pull with: portpatch pull pack; take this back: "
            "portpatch undo\n");
  EXPECT_EQ(port.read("pack/python/limits-sizes-12.scm"), "; A local change.\n" + kRule);
  EXPECT_EQ(port.read("tree/engine/limits.py"), kLimitsOurs);
  EXPECT_EQ(port.git("status --short"), " M engine/check.py\n M engine/limits.py\n");
}

TEST(CommandCapture, APackWhoseRulesWereRetiredTakesNewOnes) {
  const Port port;
  port.change();
  ASSERT_EQ(port.capture().status, 0);
  ASSERT_EQ(port.run("retire --force pack").status, 0);
  const auto ran = port.capture();
  EXPECT_EQ(ran.error, "");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(port.run("status --check pack").status, 0);
}

TEST(CommandCapture, AppliedToTheOldTreeItGivesTheNewOne) {
  const Port port;
  port.change();
  ASSERT_EQ(port.capture().status, 0);
  EXPECT_EQ(port.run("status --check pack").status, 0);
  port.git("checkout -q .");
  EXPECT_EQ(port.run("apply pack").status, 0);
  EXPECT_EQ(port.read("tree/engine/limits.py"), kLimitsOurs);
  EXPECT_EQ(port.read("tree/engine/check.py"), kCheckOurs);
}

TEST(CommandCapture, ACommitAgainstItsParent) {
  const Port port;
  port.change();
  port.commit("Let SM120 in");
  port.write("engine/limits.py", kLimits);
  port.commit("Later");
  const auto ran = port.capture("HEAD~");
  EXPECT_EQ(ran.error, "");
  EXPECT_EQ(ran.status, 0);
  EXPECT_TRUE(ran.out.contains("captured  COMMIT (20")) << ran.out;
  EXPECT_TRUE(ran.out.contains(") Let SM120 in\n")) << ran.out;
  EXPECT_EQ(port.read("pack/python/limits-sizes-12.scm"), "; Let SM120 in\n" + kRule);
  const auto commit = port.git("rev-parse HEAD~2");
  EXPECT_TRUE(port.read("pack/pack.lock")
                  .contains("commit = \"" + commit.substr(0, 40) +
                            "\"\npath = \"engine/limits.py\"\nscope = \"\"\n"))
      << port.read("pack/pack.lock");
  EXPECT_EQ(port.read("pack/pack.toml"),
            "format = 1\nname = \"pack\"\n");  // neither needs the other
  port.git("checkout -q HEAD~2");
  EXPECT_EQ(port.run("apply pack").status, 0);
  EXPECT_EQ(port.git("diff main~"), "");
}

TEST(CommandCapture, ARangeIsOneChange) {
  const Port port;
  port.write("engine/limits.py", kLimitsOurs);
  port.commit("One");
  port.write("engine/check.py", kCheckOurs);
  port.commit("Two");
  const auto ran = port.capture("HEAD~2..HEAD");
  EXPECT_EQ(ran.status, 0);
  EXPECT_TRUE(ran.out.contains("captured  HEAD~2..HEAD, up to COMMIT (20")) << ran.out;
  EXPECT_TRUE(ran.out.contains("2 rules written\n")) << ran.out;
  port.git("checkout -q HEAD~2");
  EXPECT_EQ(port.run("apply pack").status, 0);
  EXPECT_EQ(port.git("diff main"), "");
}

TEST(CommandCapture, OnlyThePathsThatAreNamed) {
  const Port port;
  port.change();
  const auto ran = port.capture("engine/check.py");
  EXPECT_EQ(ran.error, "");
  EXPECT_TRUE(ran.out.contains("1 rule written\n")) << ran.out;
  EXPECT_FALSE(port.has("pack/python/limits-sizes-12.scm"));
  const auto none = port.capture("data");
  EXPECT_EQ(none.status, 2);
  EXPECT_EQ(none.error,
            "error: nothing differs in data [not-changed]\n  help: captured is the work tree's "
            "changes; `git status` lists the files that differ\n");
}

TEST(CommandCapture, ADryRunWritesNothing) {
  const Port port;
  port.change();
  const auto ran = port.capture("--dry-run engine/limits.py");
  EXPECT_EQ(ran.status, 0);
  EXPECT_FALSE(port.has("pack"));
  EXPECT_TRUE(ran.out.contains("+++ b/pack/python/limits-sizes-12.scm\n")) << ran.out;
  EXPECT_TRUE(ran.out.ends_with("1 rule would be written (--dry-run)\n")) << ran.out;
}

TEST(CommandCapture, ExplainNamesTheAnchors) {
  const Port port;
  port.change();
  const auto ran = port.capture("--dry-run --explain engine/limits.py");
  EXPECT_TRUE(
      ran.out.contains("engine/limits.py:6\n             anchor: the only dictionary in such a "
                       "assignment at module level\n"))
      << ran.out;
}

TEST(CommandCapture, ASecondTimeThereIsNothingNew) {
  const Port port;
  port.change();
  ASSERT_EQ(port.capture().status, 0);
  const auto before = state_of(port.scratch().path("pack"));
  const auto ran = port.capture();
  EXPECT_EQ(ran.status, 0);
  EXPECT_TRUE(
      ran.out.contains("  no rule    engine/check.py: the pack's rules say it already\n"
                       "  no rule    engine/limits.py: the pack's rules say it already\n"))
      << ran.out;
  EXPECT_EQ(state_of(port.scratch().path("pack")), before);
}

TEST(CommandCapture, OnlyWhatThePackDoesNotSayIsNew) {
  const Port port;
  port.change();
  ASSERT_EQ(port.capture().status, 0);
  port.write("engine/limits.py", kLimitsOurs + "LIMIT = 7\n");
  const auto ran = port.capture();
  EXPECT_EQ(ran.status, 0);
  EXPECT_TRUE(ran.out.contains("1 rule written\n")) << ran.out;
  EXPECT_EQ(port.read("pack/python/limits-sizes-12.scm"), "; A local change.\n" + kRule);
  port.git("checkout -q .");
  EXPECT_EQ(port.run("apply pack").status, 0);
  EXPECT_EQ(port.read("tree/engine/limits.py"), kLimitsOurs + "LIMIT = 7\n");
}

TEST(CommandCapture, WhatNoRuleSaysIsNamed) {
  const Port port;
  port.change();
  port.write("engine/new.py", "x = 1\n");
  port.write("data/size.txt", "96\n");
  port.git("add engine/new.py");
  port.git("rm -q --cached engine/check.py; rm engine/check.py");
  const auto ran = port.capture();
  EXPECT_EQ(ran.status, 1);
  EXPECT_TRUE(
      ran.out.contains("  not a rule data/size.txt\n             portpatch reads no files of this "
                       "sort; it reads cmake, cpp, json, python, toml, yaml\n"))
      << ran.out;
  EXPECT_TRUE(
      ran.out.contains("  not a rule engine/check.py\n             the whole file is gone: rules "
                       "change what a file says\n"))
      << ran.out;
  EXPECT_TRUE(
      ran.out.contains("  not a rule engine/new.py\n             a new file: rules change files "
                       "that upstream has; keep it beside them\n"))
      << ran.out;
  EXPECT_TRUE(ran.out.contains("1 rule written, 3 pieces not captured: keep them by hand\n"))
      << ran.out;
}

TEST(CommandCapture, BytesThatAreNoTextAreNamed) {
  const Port port;
  port.write("engine/limits.py", std::string("x = 1\0y\n", 8));
  const auto ran = port.capture();
  EXPECT_EQ(ran.error, "");
  EXPECT_EQ(ran.status, 1);
  EXPECT_TRUE(ran.out.contains("  not a rule engine/limits.py")) << ran.out;
}

TEST(CommandCapture, CommentsAndModesNeedNoRule) {
  const Port port;
  port.write("engine/limits.py", "# Ours.\n" + kLimits);
  port.git("update-index -q --refresh || true; chmod +x engine/check.py");
  const auto ran = port.capture();
  EXPECT_EQ(ran.status, 0);
  EXPECT_TRUE(
      ran.out.contains("  no rule    engine/check.py: only its mode differs\n"
                       "  no rule    engine/limits.py: only comments and layout differ\n"))
      << ran.out;
  EXPECT_FALSE(port.has("pack"));
}

TEST(CommandCapture, AFixtureIsWrittenOnDemand) {
  const Port port;
  port.change();
  const auto ran = port.capture("--fixture");
  EXPECT_EQ(ran.error, "");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(port.read("pack/tests/check-check-cc-12/before/engine/limits.py"), kLimits);
  EXPECT_EQ(port.read("pack/tests/check-check-cc-12/after/engine/limits.py"), kLimitsOurs);
  EXPECT_EQ(port.read("pack/tests/check-check-cc-12/after/engine/check.py"), kCheckOurs);
  EXPECT_EQ(portpatch(port.scratch(), "test pack").status, 0);
  // A rule of theirs more is part of the next one.
  port.write("engine/batch.py", "BATCH = 8\n");
  port.commit("Batch");
  port.write("engine/batch.py", "BATCH = 16\n");
  EXPECT_EQ(port.capture("--fixture").status, 0);
  EXPECT_EQ(port.read("pack/tests/batch-batch-16/after/engine/batch.py"), "BATCH = 16\n");
  EXPECT_EQ(portpatch(port.scratch(), "test pack").status, 0);
}

TEST(CommandCapture, ShapesAfterARefactoringAreFound) {
  const Port port;
  port.write("engine/archs.py", "class Engine:\n    ARCHS = [90, 100]\n");
  port.commit("Archs");
  port.write("engine/limits.py", kLimitsOurs);
  port.write("engine/archs.py", "class Engine:\n    ARCHS = [90, 100, 120]\n");
  ASSERT_EQ(port.capture().status, 0);
  port.write("engine/archs.py", "class Engine:\n    ARCHS = frozenset({90, 100})\n");
  port.write(
      "engine/limits.py",
      "MiB = 1 << 20\n\nSIZES = MappingProxyType({\n    9: 64 * MiB,\n    10: 64 * MiB,\n})\n");
  EXPECT_EQ(port.run("apply pack").status, 0);
  EXPECT_EQ(port.read("tree/engine/archs.py"),
            "class Engine:\n    ARCHS = frozenset({90, 100, 120})\n");
  EXPECT_EQ(port.read("tree/engine/limits.py"),
            "MiB = 1 << 20\n\nSIZES = MappingProxyType({\n    9: 64 * MiB,\n    10: 64 * MiB,\n    "
            "12: 256 * MiB,\n})\n");
}

TEST(CommandCapture, NewFilesAreNamed) {
  const Port port;
  port.change();
  port.write("engine/sm120.py", "ARCH = 120\n");
  port.write("pack/notes.txt", "ours\n");
  const auto ran = port.run("capture --pack tree/pack");
  EXPECT_EQ(ran.status, 0);
  EXPECT_TRUE(ran.out.contains(
      "note: 1 file that git does not track is no part of the rules: engine/sm120.py\n"))
      << ran.out;
  const auto named = port.capture("tree/engine/sm120.py");
  EXPECT_EQ(named.status, 2);
  EXPECT_TRUE(named.error.contains("git does not track tree/engine/sm120.py")) << named.error;
}

TEST(CommandCapture, ALinkIsNoReasonToLeaveTheRest) {
  const Port port;
  port.git(
      "config core.symlinks true; ln -s check.py engine/link.py; git add -A; git commit -q -m "
      "link");
  port.change();
  port.git(
      "rm -q --cached engine/link.py; rm engine/link.py; ln -s limits.py engine/link.py; git add "
      "engine/link.py");
  const auto ran = port.capture();
  EXPECT_EQ(ran.error, "");
  EXPECT_EQ(ran.status, 1);
  EXPECT_TRUE(
      ran.out.contains("not a rule engine/link.py\n             the symbolic link engine/link.py "
                       "differs from what HEAD has there\n"))
      << ran.out;
  EXPECT_TRUE(ran.out.contains("2 rules written")) << ran.out;
}

TEST(CommandCapture, RulesThatNeedEachOtherAreAGroup) {
  const Port port;
  port.write(
      "engine/run.py",
      "def f(x):\n    a = 1\n    b = 2\n    return x + a + b\n\n\ndef g(x):\n    return f(x)\n");
  port.commit("Run");
  port.change();
  // f gets a parameter that g hands over; the two edits in f are about one function; the table
  // stands alone.
  port.write("engine/run.py",
             "def f(x, arch=90):\n    a = 3\n    b = 2\n    return x + a + b\n\n\ndef g(x):\n    "
             "return f(x, arch=120)\n");
  const auto ran = port.capture();
  EXPECT_EQ(ran.error, "");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(port.read("pack/pack.toml"),
            "format = 1\nname = \"pack\"\n"
            "\n[rules.\"python/run-f-arch\"]\ngroup = \"run-f-arch\"\n"
            "\n[rules.\"python/run-f-a-3\"]\ngroup = \"run-f-arch\"\n"
            "\n[rules.\"python/run-g-f-arch\"]\ngroup = \"run-f-arch\"\n");
}

TEST(CommandCapture, NothingDiffers) {
  const Port port;
  const auto ran = port.capture();
  EXPECT_EQ(ran.status, 0);
  EXPECT_TRUE(ran.out.ends_with("nothing differs: there is nothing to capture\n")) << ran.out;
}

TEST(CommandCapture, AnImportAndItsUseAreTakenOutTogetherAndPulled) {
  const Port port;
  const std::string before = "import os\nimport sys\n\n\ndef f(x):\n    x.a()\n    return os\n";
  const std::string after =
      "import os\nimport sys\nfrom sys import path\n\n\ndef f(x):\n    x.a()\n    x.b(path)\n    "
      "return os\n";
  port.write("engine/run.py", before);
  port.commit("Run");
  port.scratch().run("git clone -q tree clone 2>&1");
  port.scratch().write("clone/engine/run.py", after);
  ASSERT_EQ(portpatch(port.scratch(), "-C clone capture --pack pack").status, 0);
  EXPECT_EQ(portpatch(port.scratch(), "-C clone unapply pack").status, 0);
  EXPECT_EQ(port.read("clone/engine/run.py"), before);
  EXPECT_EQ(portpatch(port.scratch(), "-C clone apply pack").status, 0);
  EXPECT_EQ(port.read("clone/engine/run.py"), after);
  port.write("engine/run.py", "import io\n" + before);
  port.commit("More");
  const auto ran = portpatch(port.scratch(), "-C clone pull pack");
  EXPECT_EQ(ran.error, "");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(port.read("clone/engine/run.py"), "import io\n" + after);
}

TEST(CommandCapture, WhatARuleDoesNotSayIsTakenBackFromTheBase) {
  const Port port;
  port.write("engine/batch.py", "BATCH = 8\n");
  port.commit("Batch");
  port.change();
  port.write("engine/batch.py", "BATCH = 16\n");
  ASSERT_EQ(port.capture().status, 0);
  port.commit("Ours");
  const auto ran = port.run("unapply pack");
  EXPECT_EQ(ran.error, "");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(port.read("tree/engine/batch.py"), "BATCH = 8\n");
  EXPECT_EQ(port.read("tree/engine/limits.py"), kLimits);
  EXPECT_EQ(port.read("tree/engine/check.py"), kCheck);
}

TEST(CommandCapture, AGroupIsNotTakenBackInPart) {
  const Port port;
  port.write("engine/batch.py", "BATCH = 8\nLIMIT = 1\n");
  port.commit("Batch");
  port.change();
  port.write("engine/batch.py", "BATCH = 16\nLIMIT = 1\n");
  ASSERT_EQ(port.capture().status, 0);
  auto settings = std::string("format = 1\n");
  for (const auto* rule : {"batch-batch-16", "check-check-cc-12", "limits-sizes-12"})
    settings += fmt::format("\n[rules.\"python/{}\"]\ngroup = \"all\"\n", rule);
  port.scratch().write("pack/pack.toml", settings);
  // Nobody knows this version without the rule.
  port.write("engine/batch.py", "BATCH = 16\nLIMIT = 2\n");
  const auto ran = port.run("unapply pack");
  EXPECT_EQ(ran.error, "");
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(port.read("tree/engine/limits.py"), kLimitsOurs);
  EXPECT_EQ(port.read("tree/engine/check.py"), kCheckOurs);
}

TEST(CommandCapture, WhatOtherCodeUsesIsNotTakenOut) {
  const Port port;
  port.write("engine/run.py", "import os\n\n\ndef f(x):\n    x.a()\n    return os\n");
  port.commit("Run");
  const std::string after =
      "import os\nfrom sys import path\n\n\ndef f(x):\n    x.a()\n    x.b(path)\n    return os\n";
  port.write("engine/run.py", after);
  ASSERT_EQ(port.capture().status, 0);
  port.write("engine/run.py", after + "\n\ny = path\n");
  const auto ran = port.run("unapply pack");
  EXPECT_EQ(ran.status, 1);
  EXPECT_TRUE(ran.out.contains("`path`, which the edit would take away, is still used in the file"))
      << ran.out;
  EXPECT_EQ(port.read("tree/engine/run.py"), after + "\n\ny = path\n");
}

TEST(CommandCapture, AmendBringsARuleUpToTheTree) {
  const Port port;
  port.change();
  ASSERT_EQ(port.capture().status, 0);
  const auto settings = port.read("pack/pack.toml");
  auto text = kLimitsOurs;
  text.replace(text.find("256"), 3, "512");
  port.write("engine/limits.py", text);
  const auto ran = port.capture("--amend python/limits-sizes-12");
  EXPECT_EQ(ran.error, "");
  EXPECT_EQ(ran.status, 0);
  auto rule = "; A local change.\n" + kRule;
  for (auto at = rule.find("256"); at != std::string::npos; at = rule.find("256", at))
    rule.replace(at, 3, "512");
  EXPECT_EQ(port.read("pack/python/limits-sizes-12.scm"), rule);
  EXPECT_EQ(port.read("pack/pack.toml"), settings);
  EXPECT_EQ(port.run("status --check pack").status, 0);
  port.git("checkout -q .");
  EXPECT_EQ(port.run("apply pack").status, 0);
  EXPECT_EQ(port.read("tree/engine/limits.py"), text);
}

TEST(CommandCapture, AmendNeedsARuleAndAChange) {
  const Port port;
  port.change();
  ASSERT_EQ(port.capture("engine/limits.py").status, 0);
  const auto unknown = port.capture("--amend python/limits-13");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_TRUE(unknown.error.starts_with(
      "error: the pack pack has no rule python/limits-13 [unknown-rule]\n"))
      << unknown.error;
  port.git("checkout -q .");
  const auto nothing = port.capture("--amend python/limits-sizes-12");
  EXPECT_EQ(nothing.status, 2);
  EXPECT_TRUE(nothing.error.starts_with(
      "error: the tree has no change at the place of python/limits-sizes-12 [nothing-to-amend]\n"))
      << nothing.error;
}

TEST(CommandCapture, EqualEditsAreOneRuleAndPlacesLikeThemAreNamed) {
  const Port port;
  const auto text = [](const std::string& f, const std::string& g, const std::string& h) {
    return "def f(x):\n    run(x" + f + ")\n\n\ndef g(x):\n    run(x" + g +
           ")\n\n\ndef h(x):\n    run(x" + h + ")\n";
  };
  port.write("engine/run.py", text("", "", ""));
  port.commit("Runs");
  port.write("engine/run.py", text(", arch=120", ", arch=120", ""));
  const auto ran = port.capture();
  EXPECT_EQ(ran.status, 0);
  EXPECT_TRUE(ran.out.contains(" and 1 more\n")) << ran.out;
  EXPECT_TRUE(ran.out.contains("note: the change left 1 place like those of ")) << ran.out;
  EXPECT_TRUE(port.read("pack/pack.toml").contains("expect = 2\n")) << port.read("pack/pack.toml");
  port.git("checkout -q .");
  EXPECT_EQ(port.run("apply pack").status, 0);
  EXPECT_EQ(port.read("tree/engine/run.py"), text(", arch=120", ", arch=120", ""));
}

TEST(CommandCapture, NamesakesOfARuleAreNamed) {
  const Port port;
  port.write("engine/other.py", "def f(x):\n    pass\n\n\nWIDTHS = {9: 1}\n");
  port.write("engine/run.py", "ONLY = {9: 1}\nWIDTHS = {9: 1}\n");
  port.commit("Sizes");
  port.write("engine/run.py", "ONLY = {9: 1, 12: 2}\nWIDTHS = {9: 1, 12: 2}\n");
  const auto told = port.capture("--dry-run --explain");
  EXPECT_TRUE(told.out.contains("             in the tree: its query matches nothing else\n"))
      << told.out;
  EXPECT_TRUE(
      told.out.contains("             in the tree: its query also matches engine/other.py:5; the "
                        "path in pack.lock tells them apart\n"))
      << told.out;
  const auto json = port.capture("--dry-run --format json");
  EXPECT_TRUE(json.out.contains(
      "      \"namesakes\": [\n        {\n          \"path\": \"engine/other.py\",\n          "
      "\"line\": 5,\n          \"scope\": \"\"\n        }\n      ],\n"))
      << json.out;
  const auto ran = port.capture();
  EXPECT_EQ(ran.status, 0);
  EXPECT_TRUE(
      ran.out.contains("note: python/run-widths-12 is told from its namesakes by the path in "
                       "pack.lock; its query also matches engine/other.py:5\n"))
      << ran.out;
  EXPECT_FALSE(ran.out.contains("python/run-only-12 is told")) << ran.out;
  port.git("checkout -q .");
  EXPECT_EQ(port.run("apply pack").status, 0);
  EXPECT_EQ(port.read("tree/engine/other.py"), "def f(x):\n    pass\n\n\nWIDTHS = {9: 1}\n");
}

TEST(CommandCapture, UndoTakesThePackBack) {
  const Port port;
  port.scratch().write("pack/pack.toml", "format = 1\nname = \"mine\"\n");
  port.scratch().write("pack/python/mib.scm",
                       "; Mine.\n((assignment left: (_) @name right: (_) @value) (#eq? @name "
                       "\"MiB\") (#replace! @value \"1 << 20\"))\n");
  port.change();
  ASSERT_EQ(port.capture().status, 0);
  EXPECT_TRUE(port.has("pack/python/check-check-cc-12.scm"));
  EXPECT_EQ(port.run("undo").status, 0);
  EXPECT_EQ(port.read("pack/pack.toml"), "format = 1\nname = \"mine\"\n");
  EXPECT_FALSE(port.has("pack/python/limits-sizes-12.scm"));
  EXPECT_FALSE(port.has("pack/pack.lock"));
  EXPECT_EQ(port.read("tree/engine/limits.py"), kLimitsOurs);
}

TEST(CommandCapture, WithoutAPackItAsks) {
  const Port port;
  const auto ran = port.run("capture");
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.error,
            "error: capture must know which pack takes the rules [no-pack]\n  help: portpatch "
            "capture --pack rules/local: a folder that is not there yet becomes a new pack\n");
}

TEST(CommandCapture, ABrokenPackIsLeftAlone) {
  const Port port;
  port.change();
  port.scratch().write("pack/pack.toml", "format = 1\n");
  port.scratch().write("pack/python/bad.scm", "; Bad.\n((identifier) @n (#eq? @n \"a\")\n");
  const auto ran = port.capture();
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(ran.error.starts_with(
      "pack/python/bad.scm:2:1: error: this bracket is never closed [query-syntax]\n"))
      << ran.error;
  EXPECT_FALSE(port.has("pack/python/limits-sizes-12.scm"));
}

TEST(CommandCapture, AnUnknownRevision) {
  const Port port;
  const auto ran = port.capture("no-such-branch");
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(ran.error.contains("no-such-branch")) << ran.error;
  EXPECT_FALSE(port.has("pack"));
  EXPECT_EQ(port.capture("no-such..HEAD").status, 2);
}

TEST(CommandCapture, ARootCommitHasNothingToCompareWith) {
  const Port port;
  const auto ran = port.capture("HEAD");
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.error,
            "error: HEAD has no parent in this repository: there is nothing to compare it with "
            "[no-parent]\n  help: name a later commit, or a range A..B\n");
}

TEST(CommandCapture, InAShallowCloneTheParentMayBeMissing) {
  const Port port;
  port.change();
  port.commit("Ours");
  port.scratch().run("git clone -q --depth 1 file://$PWD/tree shallow 2>&1");
  const auto ran = portpatch(port.scratch(), "-C shallow capture --pack pack HEAD");
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.error,
            "error: HEAD has no parent in this repository: there is nothing to compare it with "
            "[no-parent]\n  help: `git fetch --unshallow` brings the history\n");
  port.scratch().write("shallow/engine/limits.py", kLimits);
  EXPECT_EQ(portpatch(port.scratch(), "-C shallow capture --pack pack").status, 0);
}

TEST(CommandCapture, AnyPlaceButAGitTreeIsRefused) {
  const Port port;
  port.scratch().write("plain/a.py", "x = 1\n");
  const auto ran = portpatch(port.scratch(), "-C plain capture --pack pack");
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.error,
            "error: plain is no git work tree: there is nothing to compare its files with "
            "[no-repository]\n  help: run it in a clone of upstream; write rules for other folders "
            "by hand (rules/README.md)\n");
}

TEST(CommandCapture, ACommitOfABareRepository) {
  const Port port;
  port.change();
  port.commit("Ours");
  port.scratch().run("git clone -q --bare tree bare 2>&1");
  const auto ran = portpatch(port.scratch(), "-C bare capture --pack pack main");
  EXPECT_EQ(ran.error, "");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(port.read("pack/python/limits-sizes-12.scm"), "; Ours\n" + kRule);
}

}  // namespace
}  // namespace portpatch::test
