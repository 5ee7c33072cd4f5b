#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace portpatch::test {
namespace {

const World& tree() {
  static const World world(
      {{"python/table.scm",
        "; Ours.\n((assignment left: (identifier) @n right: (dictionary) @d)\n (#eq? @n "
        "\"SIZES\")\n (#ensure-entry! @d \"12\" \"1\"))\n"}},
      {{"a.py", "TORCH_SIZES = {\n    9: 1,\n}\n\n\nclass C:\n    LIMITS = dict(a=1)\n"},
       {"b/c.py", "def f(x):\n    return g(x, size=3)\n"},
       {"d.json", "{\"a\": 1}\n"}});
  return world;
}

Ran query(const std::string& arguments) {
  return portpatch(tree().scratch(), "query " + arguments, "tree");
}

TEST(CommandQuery, ShowsMatchesWithCapturesAndScope) {
  const auto ran = query("'(assignment left: (_) @name right: (_) @value)'");
  EXPECT_EQ(ran.error, "");
  EXPECT_EQ(ran.out,
            "a.py:1:1\n"
            "  @name identifier: TORCH_SIZES\n"
            "  @value dictionary: { 9: 1, }\n"
            "a.py:7:5  in C\n"
            "  @name identifier: LIMITS\n"
            "  @value call: dict(a=1)\n"
            "2 matches in 1 of 2 files (python)\n");
  EXPECT_EQ(ran.status, 0);
}

TEST(CommandQuery, AFolderWhoseNameBeginsWithDotsIsInTheTree) {
  const World world({}, {{"..x/a.py", "A = 1\n"}});
  EXPECT_EQ(portpatch(world.scratch(), "query '(assignment) @a' ..x", "tree").out,
            "..x/a.py:1:1\n  @a assignment: A = 1\n1 match in 1 of 1 file (python)\n");
}

TEST(CommandQuery, APatternWithoutCaptureShowsItsMatch) {
  EXPECT_EQ(
      query("'(keyword_argument)' b").out,
      "b/c.py:2:17  in f\n  @match keyword_argument: size=3\n1 match in 1 of 1 file (python)\n");
}

TEST(CommandQuery, APathThatIsNotThereIsAMistake) {
  const auto ran = query("'(keyword_argument)' nope");
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.error,
            "error: nope is not there [no-such-path]\n  help: name files or folders of the tree, "
            "relative to -C\n");
}

TEST(CommandQuery, DirectivesAreNotRun) {
  const auto ran = query("'((assignment right: (dictionary) @d) (#ensure-entry! @d \"1\" \"2\"))'");
  EXPECT_EQ(ran.out,
            "a.py:1:15\n  @d dictionary: { 9: 1, }\nnot run: #ensure-entry!\n1 match in 1 of 2 "
            "files (python)\n");
  EXPECT_EQ(tree().file("a.py").find("\"1\""), std::string::npos);
}

TEST(CommandQuery, ANameThatIsNearIsShown) {
  const auto ran = query(
      "'((assignment left: (identifier) @name right: (dictionary)) (#eq? @name \"SIZES\"))'");
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.out,
            "nearest: a.py:1:1\n"
            "  1 | TORCH_SIZES = {\n"
            "    | ^^^^^^^^^^^\n"
            "  `(#eq? @name \"SIZES\")` fails: @name reads `TORCH_SIZES`\n"
            "no match in 2 files (python)\n");
}

TEST(CommandQuery, ANodeOfAnotherKindIsShown) {
  const auto ran = query(
      "'((assignment left: (identifier) @name right: (dictionary)) (#eq? @name \"LIMITS\"))'");
  EXPECT_EQ(ran.out,
            "nearest: a.py:7:14 in C\n"
            "  7 |     LIMITS = dict(a=1)\n"
            "    |              ^^^^^^^^^\n"
            "  `(dictionary)` fails: call stands there\n"
            "no match in 2 files (python)\n");
}

TEST(CommandQuery, AnotherScopeIsShown) {
  const auto ran = query(
      "'((assignment left: (_) @name) (#eq? @name \"LIMITS\") (#in-scope? @name \"D\"))'");
  EXPECT_EQ(ran.out,
            "nearest: a.py:7:5 in C\n"
            "  7 |     LIMITS = dict(a=1)\n"
            "    |     ^^^^^^\n"
            "  `(#in-scope? @name \"D\")` fails: @name is in C\n"
            "no match in 2 files (python)\n");
}

TEST(CommandQuery, APartThatIsNotThereIsShown) {
  const auto ran = query(
      "'((call function: (_) @f (argument_list (keyword_argument) (comment))) (#eq? @f \"g\"))'");
  EXPECT_EQ(ran.out,
            "nearest: b/c.py:2:12 in f\n"
            "  2 |     return g(x, size=3)\n"
            "    |            ^\n"
            "  `(comment)` fails: it is not there\n"
            "no match in 2 files (python)\n");
}

TEST(CommandQuery, NothingIsNear) {
  EXPECT_EQ(query("'(lambda)'").out,
            "no place has most of the pattern\nno match in 2 files (python)\n");
}

TEST(CommandQuery, ABadPatternIsExplainedWithACaret) {
  const auto ran = query("'(asignment)' a.py");
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.error,
            "pattern:1:2: error: Python has no node type `asignment` [unknown-node-type]\n"
            "  1 | (asignment)\n"
            "    |  ^^^^^^^^^\n"
            "  help: did you mean `assignment`?\n");
}

TEST(CommandQuery, ThePatternMayFitSeveralLanguages) {
  const auto ran = query("'(string) @s'");
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.error,
            "error: the pattern is one of json, python [which-language]\n  help: say --language "
            "json, or name files of one language\n");
  EXPECT_EQ(query("'(string) @s' --language json").out,
            "d.json:1:2\n  @s string: \"a\"\n1 match in 1 of 1 file (json)\n");
}

TEST(CommandQuery, ARulesPatternsAreRun) {
  const auto ran = query("--rule ../pack/python/table");
  EXPECT_EQ(ran.status, 1);
  EXPECT_TRUE(ran.out.contains("`(#eq? @n \"SIZES\")` fails: @n reads `TORCH_SIZES`\n")) << ran.out;
  const auto explained = portpatch(tree().scratch(), "explain ../pack/python/table", "tree");
  EXPECT_TRUE(
      explained.out.contains("          nearest: a.py:1:1\n            1 | TORCH_SIZES = {\n"))
      << explained.out;
}

TEST(CommandQuery, OutsideTheTreeIsAnError) {
  const auto ran = query("'(string) @s' ../pack");
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(ran.error.contains("[outside-tree]")) << ran.error;
}

}  // namespace
}  // namespace portpatch::test
