// ensure-branch!: where a branch goes on a ladder, how it is written there, how it is taken out.
#include <gtest/gtest.h>

#include "syntax/cc_condition.h"
#include "tests/edit/apply_rule.h"
#include "tests/edit/taken_back.h"

namespace portpatch::test {
namespace {

constexpr const char* kNames = "[defaults]\nnames = [\"a\", \"b\", \"c\", \"cap\", \"major\", \"sm\"]\n";

std::string rule(std::string_view kind, std::string_view condition, std::string_view body, std::string_view pin) {
  return fmt::format("(({}) @node (#match? @node \"\") (#in-path? \"file\") (#ensure-branch! @node {} {}{}))", kind, quoted(condition), quoted(body), pin.empty() ? "" : " " + quoted(pin));
}
std::string python(std::string_view condition, std::string_view body, const std::string& source, std::string_view pin = "") {
  return apply_rule("python", rule("if_statement", condition, body, pin), source, kNames);
}
std::string cpp(std::string_view condition, std::string_view body, const std::string& source, std::string_view pin = "") {
  return apply_rule("cpp", fmt::format("((function_definition body: (compound_statement . (if_statement) @node)) (#in-path? \"file\") (#ensure-branch! @node {} {}{}))", quoted(condition), quoted(body), pin.empty() ? "" : " " + quoted(pin)), source);
}
std::string in_switch(std::string_view value, std::string_view body, const std::string& source) {
  return apply_rule("cpp", rule("switch_statement", value, body, ""), source);
}

TEST(EnsureBranch, GoesBeforeTheRungThatWouldSwallowIt) {
  EXPECT_EQ(python("sm == 120", "x = 1", "if sm == 90:\n    x = 3\nelif sm >= 100:\n    x = 2\nelse:\n    x = 0\n"),
            "if sm == 90:\n    x = 3\nelif sm == 120:\n    x = 1\nelif sm >= 100:\n    x = 2\nelse:\n    x = 0\n");
  EXPECT_EQ(python("major == 12", "x = 1", "if major >= 9:\n    x = 2\n"), "if major == 12:\n    x = 1\nelif major >= 9:\n    x = 2\n");
  EXPECT_EQ(python("sm == 120", "x = 1", "if sm == 90:\n    x = 3\nelse:\n    x = 0\n"), "if sm == 90:\n    x = 3\nelif sm == 120:\n    x = 1\nelse:\n    x = 0\n");
  EXPECT_EQ(python("cap == (12, 0)", "x = 1", "if cap >= (9, 0):\n    x = 2\n"), "if cap == (12, 0):\n    x = 1\nelif cap >= (9, 0):\n    x = 2\n");
  EXPECT_EQ(python("sm == 90", "x = 1", "if sm == 120:\n    x = 2\n"), "if sm == 120:\n    x = 2\nelif sm == 90:\n    x = 1\n");
}

TEST(EnsureBranch, SaysWhyItCannotStandThere) {
  EXPECT_EQ(python("sm >= 90", "x = 1", "if sm == 120:\n    x = 2\n"), "blocked: swallows: nothing would be left for `sm == 120`");
  EXPECT_EQ(python("sm == 120", "x = 1", "if blackwell:\n    x = 2\n"), "blocked: order-unknown: it is not understood whether `blackwell` takes what the new branch is for");
  EXPECT_EQ(python("sm == 120", "x = 1", "if blackwell:\n    x = 2\n", "first"), "if sm == 120:\n    x = 1\nelif blackwell:\n    x = 2\n");
  EXPECT_EQ(python("sm == 120", "x = 1", "if sm >= 90:\n    x = 2\n", "last"), "blocked: unreachable: the branches in front of it take all that it is for");
  EXPECT_EQ(python("b", "x = 1", "if a:\n    x = 2\nelif c:\n    x = 3\n", "before:c"), "if a:\n    x = 2\nelif b:\n    x = 1\nelif c:\n    x = 3\n");
  EXPECT_EQ(python("b", "x = 1", "if a:\n    x = 2\nelif c:\n    x = 3\n", "after:d"), "blocked: no-branch: no branch has the condition `d`");
  EXPECT_EQ(python("b", "x = 1", "if a:\n    x = 2\n", "somewhere").substr(0, 8), "bad rule");
}

TEST(EnsureBranch, KnowsTheHelpersOfThePack) {
  const std::string helpers = "[defaults]\nnames = [\"sm90\", \"sm100\", \"sm120\", \"x\"]\nhelpers = { sm90 = \"9.0\", sm100 = \">=10.0\", sm120 = \"12.0..12.1\" }\n";
  EXPECT_EQ(apply_rule("python", rule("if_statement", "sm120()", "x = 1", ""), "if sm90():\n    x = 3\nelif u.sm100():\n    x = 2\n", helpers),
            "if sm90():\n    x = 3\nelif sm120():\n    x = 1\nelif u.sm100():\n    x = 2\n");
  EXPECT_EQ(apply_rule("python", rule("if_statement", "sm120()", "x = 1", ""), "if x == 90:\n    x = 3\nelif not sm90():\n    x = 2\n", helpers),
            "if x == 90:\n    x = 3\nelif sm120():\n    x = 1\nelif not sm90():\n    x = 2\n");
  EXPECT_EQ(apply_rule("python", rule("if_statement", "sm120()", "x = 1", ""), "if x:\n    x = 3\n", "[defaults]\nhelpers = { sm90 = \"new\" }\n"),
            "bad rule: `sm90` does not say for which compute capabilities it is true");
}

TEST(EnsureBranch, EqualOnesHoldAndOthersConflict) {
  EXPECT_EQ(python("sm == 120", "x = 1", "if sm == 90:\n    x = 2\nelif (sm == 0x78):  # ours\n    x = (1)\n"), "holds");
  EXPECT_EQ(python("sm == 120", "x = 1", "if sm in (100, 120):\n    x = 1\n"), "holds");
  EXPECT_EQ(python("sm == 120", "x = 1", "if sm == 120:\n    x = 2\n"), "conflict: differs: the branch stands there with another body");
}

TEST(EnsureBranch, LooksLikeItsSiblings) {
  EXPECT_EQ(python("b", "x = 1", "if a: x = 2\n"), "if a: x = 2\nelif b: x = 1\n");
  EXPECT_EQ(python("b", "x = 1\ny = 1", "if a:\n  x = 2\n  # why\n# Otherwise.\nelse:\n  x = 3\n"), "if a:\n  x = 2\n  # why\nelif b:\n  x = 1\n  y = 1\n# Otherwise.\nelse:\n  x = 3\n");
  EXPECT_EQ(cpp("b", "g();", "void f() {\n  if (a) {\n    h();\n  } else {\n    i();\n  }\n}\n"), "void f() {\n  if (a) {\n    h();\n  } else if (b) {\n    g();\n  } else {\n    i();\n  }\n}\n");
  EXPECT_EQ(cpp("b", "g();", "void f() {\n  if (a) h();\n}\n"), "void f() {\n  if (a) h();\n  else if (b) g();\n}\n");
  EXPECT_EQ(cpp("b", "g();\nj();", "void f() {\n  if (a)\n    h();\n  else\n    i();\n}\n"), "void f() {\n  if (a)\n    h();\n  else if (b) {\n    g();\n    j();\n  }\n  else\n    i();\n}\n");
  EXPECT_EQ(cpp("sm == 120", "g();", "void f() {\n  if (sm == 90) {\n    h();\n  }\n  else if (sm >= 100) {\n    i();\n  }\n}\n"),
            "void f() {\n  if (sm == 90) {\n    h();\n  }\n  else if (sm == 120) {\n    g();\n  }\n  else if (sm >= 100) {\n    i();\n  }\n}\n");
  EXPECT_EQ(cpp("__CUDA_ARCH__ == 1200", "g();", "void f() {\n  if (__CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1300) {\n    h();\n  }\n}\n"),
            "void f() {\n  if (__CUDA_ARCH__ == 1200) {\n    g();\n  } else if (__CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1300) {\n    h();\n  }\n}\n");
}

TEST(EnsureBranch, CasesDoNotFallThrough) {
  const std::string file = "void f() {\n  switch (sm) {\n    case 90:\n    case 100:\n      a();\n      break;\n    default:\n      b();\n  }\n}\n";
  EXPECT_EQ(in_switch("120", "c();\nbreak;", file), "void f() {\n  switch (sm) {\n    case 90:\n    case 100:\n      a();\n      break;\n    case 120:\n      c();\n      break;\n    default:\n      b();\n  }\n}\n");
  EXPECT_EQ(in_switch("120", "c();", file), "blocked: falls-through: the new case would fall through into the next");
  EXPECT_EQ(in_switch("120", "c();\nbreak;", "void f() {\n  switch (sm) {\n    case 90:\n      a();\n  }\n}\n"), "blocked: falls-through: the case in front of that place falls through into the next");
  EXPECT_EQ(in_switch("100", "a();\nbreak;", file), "holds");
}

TEST(EnsureBranch, BranchesUnderAConditionBlock) {
  EXPECT_EQ(cpp("b", "g();", "void f() {\n  if (a) {\n    h();\n  }\n#ifdef X\n  else if (c) {\n    i();\n  }\n#endif\n}\n"),
            "blocked: conditional: branches of the ladder stand under a condition of the preprocessor");
  EXPECT_EQ(cpp("b", "g();", "void f() {\n  if (a) {\n#ifdef X\n    h();\n#endif\n  }\n}\n"), "void f() {\n  if (a) {\n#ifdef X\n    h();\n#endif\n  } else if (b) {\n    g();\n  }\n}\n");
}

TEST(EnsureBranch, MatchStatements) {
  EXPECT_EQ(apply_rule("python", rule("match_statement", "120", "x = 1", ""), "match sm:\n    case 90:\n        x = 2\n    case _:\n        x = 3\n", kNames),
            "match sm:\n    case 90:\n        x = 2\n    case 120:\n        x = 1\n    case _:\n        x = 3\n");
}

TEST(EnsureBranch, IsTakenBack) {
  for (const std::string file : {"if sm == 90:\n    x = 3\nelif sm >= 100:\n    x = 2\nelse:\n    x = 0\n", "if sm >= 90:\n    x = 2\n", "if sm == 90:\n    x = 2\n", "if sm < 90: x = 2\nelse: x = 1\n"}) {
    EXPECT_EQ(taken_back("python", rule("if_statement", "sm == 120", "x = 1", ""), file, kNames), file);
  }
  for (const std::string file : {"void f() {\n  if (sm == 90) {\n    h();\n  } else if (sm >= 100) {\n    i();\n  }\n}\n", "void f() {\n  if (sm >= 90) {\n    h();\n  }\n}\n"}) {
    EXPECT_EQ(taken_back("cpp", "((function_definition body: (compound_statement . (if_statement) @node)) (#in-path? \"file\") (#ensure-branch! @node \"sm == 120\" \"g();\"))", file), file);
  }
}

TEST(CcCondition, SetsThatRulesName) {
  EXPECT_TRUE(parse_cc_set("12.0")->test(120));
  EXPECT_EQ(parse_cc_set("12.0")->count(), 1u);
  EXPECT_EQ(parse_cc_set("12")->count(), 10u);
  EXPECT_FALSE(parse_cc_set(">=9.0")->test(89));
  EXPECT_EQ(parse_cc_set("10.0..10.3")->count(), 4u);
  EXPECT_FALSE(parse_cc_set("sm"));
}

}  // namespace
}  // namespace portpatch::test
