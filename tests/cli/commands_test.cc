#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "tests/cli/program.h"

namespace portpatch::test {
namespace {

using Json = nlohmann::json;

const std::string kRule =
    "; Measured.\n((assignment left: (identifier) @n right: (dictionary) @d)\n (#eq? @n "
    "\"TABLE\")\n (#ensure-entry! @d \"12\" \"[6, 8]\"))\n";

World small_world(const std::string& text = "TABLE = {9: [4]}\n") {
  return World({{"python/table.scm", kRule}}, {{"a.py", text}});
}

TEST(CommandLine, ExitStatusSaysWhetherAPersonIsNeeded) {
  const auto world = small_world();
  const auto status = [&](const std::string& arguments) {
    return portpatch(world.scratch(), arguments).status;
  };
  EXPECT_EQ(status("-C tree status pack"), 0);
  EXPECT_EQ(status("-C tree status --check pack"), 1);
  EXPECT_EQ(status("-C tree apply --dry-run pack"), 0);
  EXPECT_EQ(world.file("a.py"), "TABLE = {9: [4]}\n");
  EXPECT_EQ(status("-C tree apply pack"), 0);
  EXPECT_EQ(world.file("a.py"), "TABLE = {9: [4], 12: [6, 8]}\n");
  EXPECT_EQ(status("-C tree status --check pack"), 0);
  world.write("a.py", "TABLE = {12: [4]}\n");
  EXPECT_EQ(status("-C tree status pack"), 1);
  EXPECT_EQ(status("-C tree apply pack"), 1);
  world.write("a.py", "OTHER = {}\n");
  EXPECT_EQ(status("-C tree status pack"), 1);
  EXPECT_EQ(status("-C tree status nowhere"), 2);
  EXPECT_EQ(status("-C nowhere status pack"), 2);
  EXPECT_EQ(status("-C tree status"), 2);
  EXPECT_EQ(status("-C tree frobnicate"), 2);
  EXPECT_EQ(status("-C tree status --frobnicate pack"), 2);
  EXPECT_EQ(status("--format xml -C tree status pack"), 2);
  EXPECT_EQ(status(""), 2);
  EXPECT_EQ(status("--help"), 0);
}

TEST(CommandLine, AFormatThatACommandHasNotIsAMistake) {
  const World world({{"python/table.scm", kRule}}, {{"a.py", "TABLE = {}\n"}});
  const auto ran = portpatch(world.scratch(), "--format html -C tree apply pack");
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(world.file("a.py"), "TABLE = {}\n");
  EXPECT_TRUE(portpatch(world.scratch(), "--format html -C tree status pack")
                  .out.starts_with("<!doctype html>"));
}

TEST(CommandLine, VersionSaysWhatTheProgramIsMadeOf) {
  const Scratch scratch;
  scratch.write("portpatch-cc", "#!/bin/sh\n");
  scratch.run("chmod +x portpatch-cc");
  const auto lines = [&](const std::string& environment) {
    std::vector<std::string> found;
    const auto ran = portpatch(scratch, "--version", ".", environment);
    for (const auto line : split_lines(ran.out)) found.emplace_back(line);
    return found;
  };
  const auto with = lines("PORTPATCH_CC=./portpatch-cc");
  EXPECT_EQ(with.front(), "portpatch 0.1.0");
  EXPECT_EQ(with.back(), "portpatch-cc  ./portpatch-cc");
  std::string names;
  for (const auto& line : with) names += line.substr(0, line.find(' ')) + " ";
  EXPECT_TRUE(names == "portpatch commit build libgit2 tree-sitter grammars portpatch-cc " ||
              names == "portpatch build libgit2 tree-sitter grammars portpatch-cc ")
      << names;  // the latter: no checkout
  EXPECT_EQ(lines("PORTPATCH_CC=./nothing").back(),
            "portpatch-cc  none (PORTPATCH_CC is ./nothing, which is no program); to read C++ with "
            "Clang, correct or unset it");
}

TEST(CommandLine, UnknownCommandsNameTheNearest) {
  const Scratch scratch;
  EXPECT_EQ(portpatch(scratch, "frobnicate").error,
            R"(error: `frobnicate` is no command of portpatch [unknown-command]
  help: commands are: apply, status, unapply, undo, explain, refresh, retire, timeline, capture, query, test, check, audit, review, pull, hook; see portpatch --help
)");
  EXPECT_EQ(portpatch(scratch, "frobnicate").out, "");
  EXPECT_EQ(portpatch(scratch, "aply pack").error,
            R"(error: `aply` is no command of portpatch [unknown-command]
  help: did you mean `portpatch apply`?
)");
  EXPECT_EQ(portpatch(scratch, "").error, R"(A subcommand is required
Run with --help for more information.
)");
  EXPECT_EQ(portpatch(scratch, "status").error, R"(PACK is required
Run with --help for more information.
)");
}

TEST(CommandLine, HelpNamesEveryCommandAndItsOptions) {
  const Scratch scratch;
  const auto help = portpatch(scratch, "--help").out;
  const std::map<Flag, std::string> names = {{Flag::kDryRun, "--dry-run"},
                                             {Flag::kDiff, "--diff"},
                                             {Flag::kAcceptMoves, "--accept-moves"},
                                             {Flag::kAllOrNothing, "--all-or-nothing"},
                                             {Flag::kCheck, "--check"},
                                             {Flag::kList, "--list"},
                                             {Flag::kForce, "--force"},
                                             {Flag::kNoMemory, "--no-memory"},
                                             {Flag::kAt, "--at"},
                                             {Flag::kRev, "--rev"},
                                             {Flag::kBase, "--base"},
                                             {Flag::kHead, "--head"},
                                             {Flag::kShard, "--shard"},
                                             {Flag::kMerge, "--merge"},
                                             {Flag::kKeep, "--keep"},
                                             {Flag::kPack, "--pack"},
                                             {Flag::kExplain, "--explain"},
                                             {Flag::kAmend, "--amend"},
                                             {Flag::kLanguage, "--language"},
                                             {Flag::kRule, "--rule"},
                                             {Flag::kUpdate, "--update"},
                                             {Flag::kHistory, "--history"},
                                             {Flag::kFixture, "--fixture"},
                                             {Flag::kFix, "--fix"},
                                             {Flag::kCc, "--cc"},
                                             {Flag::kSince, "--since"},
                                             {Flag::kSyntaxOnly, "--syntax-only"},
                                             {Flag::kVerbose, "--verbose"},
                                             {Flag::kBuild, "-p"},
                                             {Flag::kInclude, "-I"},
                                             {Flag::kCudaPath, "--cuda-path"}};
  for (const auto& command : command_table()) {
    EXPECT_NE(help.contains(command.summary), command.is_hidden) << command.name;
    if (command.is_hidden) continue;
    EXPECT_TRUE(help.contains(command.name)) << command.name;
    const auto ran = portpatch(scratch, command.name + " --help");
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.error, "");
    for (const auto flag : command.flags)
      EXPECT_TRUE(ran.out.contains(names.at(flag))) << command.name << " " << names.at(flag);
    EXPECT_TRUE(ran.out.contains(command.help.substr(0, 40))) << command.name;
  }
  EXPECT_EQ(portpatch(scratch, "apply --help").out, R"(make every rule of the packs hold in the tree
Usage: portpatch apply [OPTIONS] PACK...

Positionals:
  PACK TEXT ... REQUIRED      rule packs: folders with a pack.toml, or one rule as PACK/LANGUAGE/RULE

Options:
  -h,--help                   Print this help message and exit
  --dry-run                   plan and verify, write nothing
  --diff                      print the edits as a unified diff
  --accept-moves              apply rules also where their place has moved, and record it in pack.lock
  --all-or-nothing            write nothing unless every rule can be written
  --no-memory                 do not answer from the hashes of the last run

Finds each rule's place, plans the edits in the style of the file, verifies them, backs the files
up and writes all of them or none. A second run changes nothing. Rules that are not certain are
left alone and reported.
)");
}

TEST(CommandLine, PackPathsAreRelativeToWhereTheCommandIsTyped) {
  const auto world = small_world();
  world.scratch().run("mkdir -p tree/sub");
  EXPECT_EQ(portpatch(world.scratch(), "-C tree status pack").status, 0);
  EXPECT_EQ(portpatch(world.scratch(), "status -C tree pack").status, 0);
  EXPECT_EQ(portpatch(world.scratch(), "status ../pack", "tree").status, 0);
  EXPECT_EQ(portpatch(world.scratch(), "status pack", "tree").status, 2);
  EXPECT_EQ(portpatch(world.scratch(), "-C ../tree status .", "pack").status, 0);
}

TEST(CommandLine, ATreeIsFoundFromAFolderInIt) {
  const auto world = small_world();
  world.write("sub/b.py", "");
  world.clone();
  const auto ran = portpatch(world.scratch(), "apply ../../pack", "tree/sub");
  EXPECT_EQ(ran.status, 0) << ran.error;
  EXPECT_EQ(world.file("a.py"), "TABLE = {9: [4], 12: [6, 8]}\n");
}

TEST(CommandLine, JsonIsOneDocumentOfTheDocumentedForm) {
  const auto world = small_world("TABLE = {12: [4]}\n");
  const auto ran = portpatch(world.scratch(), "--format json -C tree status pack");
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.error, "");
  EXPECT_EQ(Json::parse(ran.out), Json::parse(R"json({
    "format": 1, "command": "status pack", "tree": "tree", "exit_status": 1, "dry_run": false,
    "upstream": {"ref": "", "commit": "", "unknown_because": "the tree is no git work tree"},
    "rules": [{"pack": "pack", "rule": "python/table", "outcome": "conflict", "needs_person": true, "reason": "Measured.",
               "expect": "1", "notes": [], "next": "portpatch explain pack/python/table",
               "sites": [{"outcome": "conflict", "path": "a.py", "line": 1, "column": 10, "scope": "", "code": "differs",
                          "reason": "the key 12 stands there with another value",
                          "remedy": "decide which one is right: change the rule, or set on-conflict in pack.toml",
                          "ours": "[6, 8]", "theirs": "[4]"}]}],
    "resting": [], "skipped": [], "files": [], "notes": []})json"))
      << ran.out;
}

TEST(CommandLine, JsonOfEveryCommandCanBeRead) {
  const auto world = small_world();
  for (const auto* arguments :
       {"status pack", "apply --dry-run pack", "apply pack", "explain pack/python/table",
        "refresh --dry-run pack", "undo --list", "undo", "unapply pack", "status nowhere",
        "undo nowhere"}) {
    const auto ran = portpatch(world.scratch(), std::string("--format json -C tree ") + arguments);
    ASSERT_TRUE(Json::accept(ran.out)) << arguments << "\n" << ran.out << ran.error;
    EXPECT_EQ(Json::parse(ran.out).at("format"), 1) << arguments;
  }
}

TEST(CommandLine, JsonHoldsTextThatIsNotUtf8) {
  const World world({{"python/table.scm", kRule}},
                    {{"a\xff.py", "TABLE = {12: '\xff\x1b[31m'}\n"}});
  const auto ran = portpatch(world.scratch(), "--format json -C tree status pack");
  ASSERT_TRUE(Json::accept(ran.out)) << ran.out;
  EXPECT_FALSE(ran.out.contains('\x1b'));
}

TEST(CommandLine, ErrorsAreJsonOnStandardOutputToo) {
  const World world(PackText{{"python/a.scm", "((identifer) @n (#eq? @n \"a\"))\n"}});
  const auto ran = portpatch(world.scratch(), "--format json -C tree status pack");
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(Json::parse(ran.out), Json::parse(R"({"format": 1, "exit_status": 2, "errors": [
    {"code": "unknown-node-type", "message": "Python has no node type `identifer`", "remedy": "did you mean `identifier`?",
     "place": {"path": "pack/python/a.scm", "line": 1, "column": 3}}]})"))
      << ran.out;
}

TEST(CommandLine, PipesGetNoColour) {
  const auto world = small_world("TABLE = {12: [4]}\n");
  const auto ran = portpatch(world.scratch(), "-C tree status pack");
  EXPECT_FALSE(ran.out.contains('\x1b'));
  EXPECT_FALSE(portpatch(world.scratch(), "-C tree status nowhere").error.contains('\x1b'));
}

TEST(CommandLine, ATerminalGetsColourUnlessNoColorIsSet) {
  if (std::system("command -v script >/dev/null") != 0)
    GTEST_SKIP() << "needs `script` for a terminal";
  const auto world = small_world("TABLE = {12: [4]}\n");
  const auto in_terminal = [&](const std::string& environment) {
    return world.scratch().run("script -qec \"" + environment +
                               " TERM=xterm " PORTPATCH_PROGRAM
                               " -C tree status pack\" /dev/null </dev/null || true");
  };
  EXPECT_TRUE(in_terminal("NO_COLOR=").contains("\x1b[31mconflict\x1b[0m"));
  EXPECT_FALSE(in_terminal("NO_COLOR=1").contains('\x1b'));
}

TEST(CommandLine, NothingFromATreeReachesTheTerminalRaw) {
  const std::string evil =
      "\x1b]0;evil\x07\xc2\x9b"
      "31m\xe2\x80\xae";
  const World world({{"python/table.scm", "; " + evil + "\n" + kRule},
                     {"pack.toml", "format = 1\n[defaults]\nexpect = \"all\"\n"}},
                    {{"a" + evil + ".py", "TABLE = {12: '" + evil + "'}\n"},
                     {"b.py", "def f():\n    if get_device_sm() == 90 and g('" + evil +
                                  "'):\n        return '" + evil + "'\n"}});
  for (const auto* arguments :
       {"status pack", "explain pack/python/table", "apply pack", "--format json status pack",
        "audit --cc 12.0 --verbose", "--format json audit --cc 12.0", "query '(string) @s'",
        "--format json query '(string) @s'"}) {
    const auto ran = portpatch(world.scratch(), std::string("-C tree ") + arguments);
    for (const auto* raw : {"\x1b", "\x07", "\xc2\x9b", "\xe2\x80\xae"}) {
      EXPECT_FALSE((ran.out + ran.error).contains(raw)) << arguments << "\n" << ran.out;
    }
  }
}

TEST(CommandLine, UndoGivesTheTreeBackAndIsUndoable) {
  const auto world = small_world();
  EXPECT_EQ(portpatch(world.scratch(), "-C tree apply pack").status, 0);
  EXPECT_EQ(portpatch(world.scratch(), "-C tree undo --list").out, R"(RUN  apply pack
    a.py
put one back with: portpatch undo RUN
)");
  EXPECT_EQ(portpatch(world.scratch(), "-C tree undo").out, R"(  restored  a.py

undo RUN: 1 file restored; take it back with: portpatch undo
)");
  EXPECT_EQ(world.file("a.py"), "TABLE = {9: [4]}\n");
  EXPECT_EQ(portpatch(world.scratch(), "-C tree undo").status, 0);
  EXPECT_EQ(world.file("a.py"), "TABLE = {9: [4], 12: [6, 8]}\n");
}

TEST(CommandLine, UndoDoesNotOverwriteLaterWorkUnlessForced) {
  const auto world = small_world();
  EXPECT_EQ(portpatch(world.scratch(), "-C tree undo").error,
            R"(error: portpatch has not written to this tree [nothing-to-undo]
  help: with -C DIR another tree is meant
)");
  EXPECT_EQ(portpatch(world.scratch(), "-C tree apply pack").status, 0);
  world.write("a.py", "TABLE = {}\n");
  const auto ran = portpatch(world.scratch(), "-C tree undo");
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.error, R"(error: files have been changed since run RUN (apply pack) [later-work]
  note: changed since: a.py
  help: `portpatch undo --force` puts back the files as they were before that run, and can itself be undone
)");
  EXPECT_EQ(world.file("a.py"), "TABLE = {}\n");
  EXPECT_EQ(portpatch(world.scratch(), "-C tree undo --force").status, 0);
  EXPECT_EQ(world.file("a.py"), "TABLE = {9: [4]}\n");
  EXPECT_EQ(portpatch(world.scratch(), "-C tree undo --force 20000101T000000-0001").error,
            R"(error: there is no run RUN [unknown-run]
  help: `portpatch undo --list` shows the runs
)");
}

TEST(CommandLine, RefreshRecordsTheBase) {
  const auto world = small_world();
  world.clone();
  const auto ran = portpatch(world.scratch(), "-C tree refresh pack");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.out, R"(diff --git a/pack/pack.lock b/pack/pack.lock
index BLOBS 100644
--- a/pack/pack.lock
+++ b/pack/pack.lock
@@ -0,0 +1,9 @@
+# The base of this pack: where each site was when it was last confirmed, and what upstream
+# said there. Written by `portpatch refresh`; commit it with the pack.
+format = 1
+
+[[rules."python/table"]]
+commit = "COMMIT"
+path = "a.py"
+scope = ""
+text = "{9: [4]}"

tree      tree

  pending    pack/python/table  a.py:1

1 rule: 1 pending
backup RUN; take it back with: portpatch undo
)");
  EXPECT_TRUE(world.scratch().read("pack/pack.lock").contains("path = \"a.py\""));
  EXPECT_EQ(portpatch(world.scratch(), "-C tree undo").status, 0);
  EXPECT_FALSE(fs::exists(world.scratch().path("pack/pack.lock")));
}

TEST(CommandLine, AHooksCountOfArgumentsIsChecked) {
  const World world({{"python/table.scm", kRule}});
  for (const std::string count : {"1", "18446744073709551615"}) {
    const auto ran = portpatch(world.scratch(), "-C tree hook run post-merge " + count);
    EXPECT_EQ(ran.status, 2);
    EXPECT_TRUE(ran.error.contains("[bad-arguments]")) << ran.error;
  }
}

TEST(CommandLine, RefreshAtTakesTheNamedPlaceAmongSeveral) {
  const World world({{"python/table.scm", kRule}},
                    {{"a.py", "TABLE = {9: [4]}\n"}, {"b.py", "x = 1\nTABLE = {9: [4]}\n"}});
  EXPECT_EQ(portpatch(world.scratch(), "-C tree status pack").status, 1);
  EXPECT_EQ(portpatch(world.scratch(), "-C tree refresh --at c.py pack").error,
            R"(error: python/table matches nothing at c.py [no-site]
  help: `portpatch explain pack/python/table` lists the places
)");
  EXPECT_EQ(portpatch(world.scratch(), "-C tree refresh --at b.py:1 pack").status, 2);
  for (const std::string line : {"b.py:0", "b.py:99999999999999999999", ":1"}) {
    EXPECT_EQ(portpatch(world.scratch(), "-C tree refresh --at " + line + " pack").error,
              "error: python/table matches nothing at " + line +
                  " [no-site]\n  help: `portpatch explain pack/python/table` lists the places\n");
  }
  EXPECT_EQ(portpatch(world.scratch(), "-C tree refresh --at b.py:2 pack").status, 0);
  EXPECT_EQ(portpatch(world.scratch(), "-C tree apply pack").status, 0);
  EXPECT_EQ(world.file("a.py"), "TABLE = {9: [4]}\n");
  EXPECT_EQ(world.file("b.py"), "x = 1\nTABLE = {9: [4], 12: [6, 8]}\n");
}

TEST(CommandLine, ExplainShowsEveryStage) {
  const auto world = small_world();
  EXPECT_EQ(portpatch(world.scratch(), "-C tree explain pack/python/table").out,
            R"(rule      pack/python/table.scm
          | Measured.
language  Python
expect    1 site(s)
shape 1   ensure-entry! @d
          only in files that contain TABLE
base      none: pack.lock does not know this rule; record one with `portpatch refresh`
found     in the whole tree, as often as expected
          the search read 1 files and parsed the 1 that hold the literals
site      a.py:1:9, by shape 1
          @n identifier: TABLE
          @d dictionary: {9: [4]}
plan      wants an edit, which was verified
outcome   pending

diff --git a/a.py b/a.py
index BLOBS 100644
--- a/a.py
+++ b/a.py
@@ -1 +1 @@
-TABLE = {9: [4]}
+TABLE = {9: [4], 12: [6, 8]}
)");
  EXPECT_EQ(world.file("a.py"), "TABLE = {9: [4]}\n");
}

TEST(CommandLine, DiffComesBeforeTheReport) {
  const auto world = small_world();
  EXPECT_EQ(portpatch(world.scratch(), "-C tree apply --dry-run --diff pack").out,
            R"(diff --git a/a.py b/a.py
index BLOBS 100644
--- a/a.py
+++ b/a.py
@@ -1 +1 @@
-TABLE = {9: [4]}
+TABLE = {9: [4], 12: [6, 8]}

tree      tree
upstream  not known: the tree is no git work tree

  pending    pack/python/table  a.py:1

1 rule: 1 pending (dry run, nothing was written)
)");
}

}  // namespace
}  // namespace portpatch::test
