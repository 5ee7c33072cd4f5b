// ensure-branch!: where a branch goes on a ladder, how it is written there, how it is taken out.
#include <gtest/gtest.h>

#include "syntax/cc_condition.h"
#include "tests/edit/apply_rule.h"
#include "tests/edit/taken_back.h"

namespace portpatch::test {
namespace {

constexpr const char*
    kNames = "[defaults]\nnames = [\"a\", \"b\", \"c\", \"cap\", \"major\", \"sm\", \"Arch\"]\n";

std::string rule(std::string_view kind, std::string_view condition, std::string_view body,
                 std::string_view pin) {
  return fmt::format(
      "(({}) @node (#match? @node \"\") (#in-path? \"file\") (#ensure-branch! @node {} {}{}))",
      kind, quoted(condition), quoted(body), pin.empty() ? "" : " " + quoted(pin));
}
std::string python(std::string_view condition, std::string_view body, const std::string& source,
                   std::string_view pin = "") {
  return apply_rule("python", rule("if_statement", condition, body, pin), source, kNames);
}
std::string cpp(std::string_view condition, std::string_view body, const std::string& source,
                std::string_view pin = "") {
  return apply_rule(
      "cpp",
      fmt::format("((function_definition body: (compound_statement . (if_statement) @node)) "
                  "(#in-path? \"file\") (#ensure-branch! @node {} {}{}))",
                  quoted(condition), quoted(body), pin.empty() ? "" : " " + quoted(pin)),
      source);
}
std::string in_switch(std::string_view value, std::string_view body, const std::string& source) {
  return apply_rule("cpp", rule("switch_statement", value, body, ""), source);
}

TEST(EnsureBranch, GoesBeforeTheRungThatWouldSwallowIt) {
  EXPECT_EQ(python("sm == 120", "x = 1",
                   "if sm == 90:\n    x = 3\nelif sm >= 100:\n    x = 2\nelse:\n    x = 0\n"),
            "if sm == 90:\n    x = 3\nelif sm == 120:\n    x = 1\nelif sm >= 100:\n    x = "
            "2\nelse:\n    x = 0\n");
  EXPECT_EQ(python("major == 12", "x = 1", "if major >= 9:\n    x = 2\n"),
            "if major == 12:\n    x = 1\nelif major >= 9:\n    x = 2\n");
  EXPECT_EQ(python("sm == 120", "x = 1", "if sm == 90:\n    x = 3\nelse:\n    x = 0\n"),
            "if sm == 90:\n    x = 3\nelif sm == 120:\n    x = 1\nelse:\n    x = 0\n");
  EXPECT_EQ(python("cap == (12, 0)", "x = 1", "if cap >= (9, 0):\n    x = 2\n"),
            "if cap == (12, 0):\n    x = 1\nelif cap >= (9, 0):\n    x = 2\n");
  EXPECT_EQ(python("sm == 90", "x = 1", "if sm == 120:\n    x = 2\n"),
            "if sm == 120:\n    x = 2\nelif sm == 90:\n    x = 1\n");
}

TEST(EnsureBranch, OverrideWritesOurStatementsOverTheirs) {
  const auto overridden = [](std::string_view body, const std::string& source) {
    return apply_rule("python", rule("if_statement", "sm == 120", body, ""), source,
                      std::string(kNames) + "on-conflict = \"override\"\n");
  };
  EXPECT_EQ(
      overridden("x = 1\ny = 2",
                 "if sm == 120:  # ours?\n    # three\n    x = 3\n    z = 4\nelse:\n    x = 0\n"),
      "if sm == 120:  # ours?\n    # three\n    x = 1\n    y = 2\nelse:\n    x = 0\n");
  EXPECT_EQ(overridden("x = 1", "if sm == 120: x = 3\nelse: x = 0\n"),
            "if sm == 120: x = 1\nelse: x = 0\n");
  EXPECT_EQ(overridden("x = 1\ny = 2", "if sm == 120: x = 3\nelse: x = 0\n"),
            "conflict: differs: the branch stands there with another body");
  EXPECT_EQ(apply_rule("cpp", rule("if_statement", "sm == 120", "g();\nh();", ""),
                       "void f() {\n  if (sm == 120) {\n    k();\n  }\n}\n",
                       std::string(kNames) + "on-conflict = \"override\"\n"),
            "void f() {\n  if (sm == 120) {\n    g();\n    h();\n  }\n}\n");
}

TEST(EnsureBranch, TheMajorNumberIsAskedByWholeDivision) {
  EXPECT_EQ(python("sm // 10 == 12", "x = 1", "if sm >= 90:\n    x = 2\n"),
            "if sm // 10 == 12:\n    x = 1\nelif sm >= 90:\n    x = 2\n");
  EXPECT_EQ(python("sm == 121", "x = 1", "if sm / 10 == 12:\n    x = 2\n"),
            "blocked: order-unknown: it is not understood whether `sm / 10 == 12` takes what the "
            "new branch is for");
  EXPECT_EQ(cpp("sm == 121", "g();", "void f() {\n  if (sm / 10 >= 12) {\n    h();\n  }\n}\n"),
            "void f() {\n  if (sm == 121) {\n    g();\n  } else if (sm / 10 >= 12) {\n    h();\n  "
            "}\n}\n");
}

TEST(EnsureBranch, SaysWhyItCannotStandThere) {
  EXPECT_EQ(python("sm >= 90", "x = 1", "if sm == 120:\n    x = 2\n"),
            "blocked: swallows: nothing would be left for `sm == 120`");
  EXPECT_EQ(python("sm == 120", "x = 1", "if blackwell:\n    x = 2\n"),
            "blocked: order-unknown: it is not understood whether `blackwell` takes what the new "
            "branch is for");
  EXPECT_EQ(python("sm == 120", "x = 1", "if blackwell:\n    x = 2\n", "first"),
            "if sm == 120:\n    x = 1\nelif blackwell:\n    x = 2\n");
  EXPECT_EQ(python("sm == 120", "x = 1", "if sm >= 90:\n    x = 2\n", "last"),
            "blocked: unreachable: the branches in front of it take all that it is for");
  EXPECT_EQ(python("b", "x = 1", "if a:\n    x = 2\nelif c:\n    x = 3\n", "before:c"),
            "if a:\n    x = 2\nelif b:\n    x = 1\nelif c:\n    x = 3\n");
  EXPECT_EQ(python("b", "x = 1", "if a:\n    x = 2\nelif c:\n    x = 3\n", "after:d"),
            "blocked: no-branch: no branch has the condition `d`");
  EXPECT_EQ(python("b", "x = 1", "if a:\n    x = 2\n", "somewhere").substr(0, 8), "bad rule");
}

TEST(EnsureBranch, KnowsTheHelpersOfThePack) {
  const std::string helpers =
      "[defaults]\nnames = [\"sm90\", \"sm100\", \"sm120\", \"x\"]\nhelpers = { sm90 = \"9.0\", "
      "sm100 = \">=10.0\", sm120 = \"12.0..12.1\" }\n";
  EXPECT_EQ(apply_rule("python", rule("if_statement", "sm120()", "x = 1", ""),
                       "if sm90():\n    x = 3\nelif u.sm100():\n    x = 2\n", helpers),
            "if sm90():\n    x = 3\nelif sm120():\n    x = 1\nelif u.sm100():\n    x = 2\n");
  EXPECT_EQ(apply_rule("python", rule("if_statement", "sm120()", "x = 1", ""),
                       "if x == 90:\n    x = 3\nelif not sm90():\n    x = 2\n", helpers),
            "if x == 90:\n    x = 3\nelif sm120():\n    x = 1\nelif not sm90():\n    x = 2\n");
  EXPECT_EQ(apply_rule("python", rule("if_statement", "sm120()", "x = 1", ""),
                       "if x.y[0].sm90():\n    x = 3\nelif u.sm100:\n    x = 2\n", helpers),
            "if x.y[0].sm90():\n    x = 3\nelif sm120():\n    x = 1\nelif u.sm100:\n    x = 2\n");
  for (const auto* more_than_a_helper :
       {"sm90() if x else sm120()", "x if x else sm90", "x|u.sm90", "x>>sm90"}) {
    EXPECT_EQ(
        apply_rule("python", rule("if_statement", "sm120()", "x = 1", ""),
                   fmt::format("if {}:\n    x = 3\n", more_than_a_helper), helpers),
        fmt::format("blocked: order-unknown: it is not understood whether `{}` takes what the "
                    "new branch is for",
                    more_than_a_helper));
  }
  EXPECT_EQ(apply_rule("python", rule("if_statement", "sm120()", "x = 1", ""), "if x:\n    x = 3\n",
                       "[defaults]\nhelpers = { sm90 = \"new\" }\n"),
            "bad rule: `sm90` does not say for which compute capabilities it is true");
}

TEST(EnsureBranch, EqualOnesHoldAndOthersConflict) {
  EXPECT_EQ(python("sm == 120", "x = 1",
                   "if sm == 90:\n    x = 2\nelif (sm == 0x78):  # ours\n    x = (1)\n"),
            "holds");
  EXPECT_EQ(python("sm == 120", "x = 1", "if sm in (100, 120):\n    x = 1\n"), "holds");
  EXPECT_EQ(python("sm == 120", "x = 1", "if sm == 120:\n    x = 2\n"),
            "conflict: differs: the branch stands there with another body");
}

TEST(EnsureBranch, LooksLikeItsSiblings) {
  EXPECT_EQ(python("b", "x = 1", "if a: x = 2\n"), "if a: x = 2\nelif b: x = 1\n");
  EXPECT_EQ(python("b", "x = 1\ny = 1", "if a:\n  x = 2\n  # why\n# Otherwise.\nelse:\n  x = 3\n"),
            "if a:\n  x = 2\n  # why\nelif b:\n  x = 1\n  y = 1\n# Otherwise.\nelse:\n  x = 3\n");
  EXPECT_EQ(cpp("b", "g();", "void f() {\n  if (a) {\n    h();\n  } else {\n    i();\n  }\n}\n"),
            "void f() {\n  if (a) {\n    h();\n  } else if (b) {\n    g();\n  } else {\n    i();\n "
            " }\n}\n");
  EXPECT_EQ(cpp("b", "g();", "void f() {\n  if (a) h();\n}\n"),
            "void f() {\n  if (a) h();\n  else if (b) g();\n}\n");
  EXPECT_EQ(cpp("b", "g();\nj();", "void f() {\n  if (a)\n    h();\n  else\n    i();\n}\n"),
            "void f() {\n  if (a)\n    h();\n  else if (b) {\n    g();\n    j();\n  }\n  else\n    "
            "i();\n}\n");
  EXPECT_EQ(cpp("sm == 120", "g();",
                "void f() {\n  if (sm == 90) {\n    h();\n  }\n  else if (sm >= 100) {\n    i();\n "
                " }\n}\n"),
            "void f() {\n  if (sm == 90) {\n    h();\n  }\n  else if (sm == 120) {\n    g();\n  "
            "}\n  else if (sm >= 100) {\n    i();\n  }\n}\n");
  EXPECT_EQ(
      cpp("__CUDA_ARCH__ == 1200", "g();",
          "void f() {\n  if (__CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1300) {\n    h();\n  }\n}\n"),
      "void f() {\n  if (__CUDA_ARCH__ == 1200) {\n    g();\n  } else if (__CUDA_ARCH__ >= 900 && "
      "__CUDA_ARCH__ < 1300) {\n    h();\n  }\n}\n");
}

// Somewhere in a file that does not parse all through, or in CMake anywhere.
TEST(EnsureBranch, BesideABranchWithoutStatements) {
  EXPECT_EQ(apply_rule("cmake", rule("if_block", "B", "set(X 1)", ""), "if(A)\nendif()\n"),
            "if(A)\nelseif(B)\n    set(X 1)\nendif()\n");
  EXPECT_EQ(apply_rule("cmake", rule("if_block", "B", "set(X 1)", ""),
                       "if(A)\nelseif(C)\n  set(X 2)\nelse()\nendif()\n"),
            "if(A)\nelseif(C)\n  set(X 2)\nelseif(B)\n  set(X 1)\nelse()\nendif()\n");
  EXPECT_EQ(python("b", "x = 1", "def f(a):\n    if a:\n    return 1\n"),
            "def f(a):\n    if a:\n    elif b:\n        x = 1\n    return 1\n");
}

TEST(EnsureBranch, CasesDoNotFallThrough) {
  const std::string file =
      "void f() {\n  switch (sm) {\n    case 90:\n    case 100:\n      a();\n      break;\n    "
      "default:\n      b();\n  }\n}\n";
  EXPECT_EQ(in_switch("120", "c();\nbreak;", file),
            "void f() {\n  switch (sm) {\n    case 90:\n    case 100:\n      a();\n      break;\n  "
            "  case 120:\n      c();\n      break;\n    default:\n      b();\n  }\n}\n");
  EXPECT_EQ(in_switch("120", "c();", file),
            "blocked: falls-through: the new case would fall through into the next");
  EXPECT_EQ(in_switch("120", "c();\nbreak;",
                      "void f() {\n  switch (sm) {\n    case 90:\n      a();\n  }\n}\n"),
            "blocked: falls-through: the case in front of that place falls through into the next");
  EXPECT_EQ(in_switch("100", "a();\nbreak;", file), "holds");
}

TEST(EnsureBranch, BranchesUnderAConditionBlock) {
  EXPECT_EQ(
      cpp("b", "g();",
          "void f() {\n  if (a) {\n    h();\n  }\n#ifdef X\n  else if (c) {\n    i();\n  "
          "}\n#endif\n}\n"),
      "blocked: conditional: branches of the ladder stand under a condition of the preprocessor");
  EXPECT_EQ(
      cpp("b", "g();", "void f() {\n  if (a) {\n#ifdef X\n    h();\n#endif\n  }\n}\n"),
      "void f() {\n  if (a) {\n#ifdef X\n    h();\n#endif\n  } else if (b) {\n    g();\n  }\n}\n");
}

TEST(EnsureBranch, MatchStatements) {
  EXPECT_EQ(
      apply_rule("python", rule("match_statement", "120", "x = 1", ""),
                 "match sm:\n    case 90:\n        x = 2\n    case _:\n        x = 3\n", kNames),
      "match sm:\n    case 90:\n        x = 2\n    case 120:\n        x = 1\n    case _:\n        "
      "x = 3\n");
}

std::string in_match(std::string_view pattern, std::string_view body, const std::string& source,
                     std::string_view pin = "") {
  return apply_rule("python", rule("match_statement", pattern, body, pin), source, kNames);
}

TEST(EnsureBranch, PatternsThatListSeveralValues) {
  EXPECT_EQ(in_match("12", "x = 1",
                     "match sm:\n    case 9:\n        x = 2\n    case 12 | 13:\n        x = 3\n"),
            "match sm:\n    case 9:\n        x = 2\n    case 12:\n        x = 1\n    case 12 | "
            "13:\n        x = 3\n");
  EXPECT_EQ(in_match("12", "x = 1", "match sm:\n    case 12 | 13:\n        x = 1\n"), "holds");
  EXPECT_EQ(in_match("13 | 12", "x = 1", "match sm:\n    case 12 | 13:\n        x = 1\n"), "holds");
  EXPECT_EQ(in_match("13 | 12", "x = 1", "match sm:\n    case 12 | 13:\n        x = 2\n"),
            "conflict: differs: the branch stands there with another body");
  EXPECT_EQ(in_match("12 | 13", "x = 1", "match sm:\n    case 12:\n        x = 3\n"),
            "blocked: swallows: nothing would be left for `case 12`");
  EXPECT_EQ(in_match("12 | 13", "x = 1", "match sm:\n    case 12:\n        x = 3\n", "last"),
            "match sm:\n    case 12:\n        x = 3\n    case 12 | 13:\n        x = 1\n");
  EXPECT_EQ(in_match("12", "x = 1", "match sm:\n    case 12 | 13:\n        x = 3\n", "last"),
            "blocked: unreachable: the cases in front of it take all that it is for");
  // 12 | 13 is 13 as an expression, not as a pattern.
  EXPECT_EQ(in_match("12 | 13", "x = 1", "match sm:\n    case 13:\n        x = 1\n", "last"),
            "match sm:\n    case 13:\n        x = 1\n    case 12 | 13:\n        x = 1\n");
}

TEST(EnsureBranch, PatternsThatAreNotUnderstood) {
  EXPECT_EQ(in_match("12", "x = 1", "match sm:\n    case int():\n        x = 2\n"),
            "blocked: order-unknown: it is not understood whether `case int()` takes what the new "
            "case is for");
  EXPECT_EQ(in_match("12", "x = 1", "match sm:\n    case Arch.SM90:\n        x = 2\n"),
            "blocked: order-unknown: it is not understood whether `case Arch.SM90` takes what the "
            "new case is for");
  EXPECT_EQ(
      in_match("Arch.SM120", "x = 1",
               "match sm:\n    case Arch.SM90:\n        x = 2\n    case other:\n        x = 3\n"),
      "match sm:\n    case Arch.SM90:\n        x = 2\n    case Arch.SM120:\n        x = 1\n    "
      "case other:\n        x = 3\n");
  EXPECT_EQ(in_match("Arch.SM120", "x = 1",
                     "match sm:\n    case Arch.SM90 | Arch.SM120:\n        x = 2\n"),
            "match sm:\n    case Arch.SM120:\n        x = 1\n    case Arch.SM90 | Arch.SM120:\n    "
            "    x = 2\n");
  EXPECT_EQ(in_match("other", "x = 1", "match sm:\n    case 9:\n        x = 2\n"),
            "blocked: swallows: `other` takes everything");
  EXPECT_EQ(
      in_match("12", "x = 1", "match sm:\n    case 9 if a:\n        x = 2\n"),
      "blocked: no-ladder: the captured match_statement has no branches that could become more");
}

TEST(EnsureBranch, CasesOfOneGroupShareTheirBody) {
  const std::string file =
      "void f() {\n  switch (sm) {\n    case 90:\n    case 100:\n      a();\n      break;\n    "
      "case 110:\n    default:\n      b();\n  }\n}\n";
  EXPECT_EQ(in_switch("90", "a();\nbreak;", file), "holds");
  EXPECT_EQ(in_switch("110", "b();", file), "holds");
  EXPECT_EQ(in_switch("90", "c();\nbreak;", file),
            "conflict: differs: the branch stands there with another body");
}

std::string function_rule(std::string_view condition, std::string_view body, std::string_view pin) {
  return fmt::format(
      "((function_definition body: (block . (if_statement) @node)) (#in-path? \"file\") "
      "(#ensure-branch! @node {} {}{}))",
      quoted(condition), quoted(body), pin.empty() ? "" : " " + quoted(pin));
}
std::string in_function(std::string_view condition, std::string_view body,
                        const std::string& source, std::string_view pin = "") {
  return apply_rule("python", function_rule(condition, body, pin), source, kNames);
}

TEST(EnsureBranch, RunsOfIfsThatLeave) {
  EXPECT_EQ(in_function("sm == 120", "return 1",
                        "def f():\n    if sm == 90:\n        return 3\n    # Blackwell\n    if sm "
                        ">= 100:\n        return 2\n    return 0\n"),
            "def f():\n    if sm == 90:\n        return 3\n    if sm == 120:\n        return 1\n   "
            " # Blackwell\n    if sm >= 100:\n        return 2\n    return 0\n");
  EXPECT_EQ(in_function("sm == 120", "return 1",
                        "def f():\n    if sm == 90:\n        return 3\n    return 0\n"),
            "def f():\n    if sm == 90:\n        return 3\n    if sm == 120:\n        return 1\n   "
            " return 0\n");
  EXPECT_EQ(
      in_function("sm == 120", "return 1", "def f():\n    if sm >= 90: return 3\n    return 0\n"),
      "def f():\n    if sm == 120: return 1\n    if sm >= 90: return 3\n    return 0\n");
  EXPECT_EQ(in_function("sm == 120", "raise a",
                        "def f():\n    if sm == 90:\n        return 3\n\n    if sm == 100:\n       "
                        " return 2\n\n    return 0\n"),
            "def f():\n    if sm == 90:\n        return 3\n\n    if sm == 100:\n        return "
            "2\n\n    if sm == 120:\n        raise a\n\n    return 0\n");
  EXPECT_EQ(cpp("sm == 120", "return 1;",
                "int f() {\n  if (sm == 90) return 3;\n  if (sm >= 100) return 2;  // new\n  "
                "return 0;\n}\n"),
            "int f() {\n  if (sm == 90) return 3;\n  if (sm == 120) return 1;\n  if (sm >= 100) "
            "return 2;  // new\n  return 0;\n}\n");
  EXPECT_EQ(cpp("sm == 120", "g();\nreturn 1;",
                "int f() {\n  if constexpr (sm == 90) {\n    return 3;\n  }\n  if constexpr (sm == "
                "100) {\n    return 2;\n  }\n  return 0;\n}\n"),
            "int f() {\n  if constexpr (sm == 90) {\n    return 3;\n  }\n  if constexpr (sm == "
            "100) {\n    return 2;\n  }\n  if constexpr (sm == 120) {\n    g();\n    return 1;\n  "
            "}\n  return 0;\n}\n");
}

TEST(EnsureBranch, RunsKeepTheOrderRules) {
  const std::string file =
      "def f():\n    if sm == 90:\n        return 3\n    if sm == 120:\n        return 2\n    "
      "return 0\n";
  EXPECT_EQ(in_function("sm == 120", "return 2", file), "holds");
  EXPECT_EQ(in_function("sm == 120", "return 1", file),
            "conflict: differs: the branch stands there with another body");
  EXPECT_EQ(in_function("sm >= 100", "return 1", file),
            "blocked: swallows: nothing would be left for `sm == 120`");
  EXPECT_EQ(in_function("sm >= 100", "return 1", file, "last").substr(0, 3), "def");
  EXPECT_EQ(
      in_function("sm == 120", "return 1",
                  "def f():\n    if sm >= 90:\n        return 3\n    if b:\n        return 2\n",
                  "after:b"),
      "blocked: unreachable: the branches in front of it take all that it is for");
  EXPECT_EQ(
      in_function("sm == 120", "x = 1",
                  "def f():\n    if sm == 90:\n        return 3\n    if b:\n        return 2\n",
                  "last"),
      "blocked: falls-through: each `if` of this run leaves, and BODY does not");
  // Alone it may as well be a branch of its own ladder.
  EXPECT_EQ(in_function("sm == 120", "x = 1",
                        "def f():\n    if sm >= 90:\n        return 3\n    return 0\n"),
            "def f():\n    if sm == 120:\n        x = 1\n    elif sm >= 90:\n        return 3\n    "
            "return 0\n");
}

TEST(EnsureBranch, SeesIfsThatDecideTheSameBeside) {
  const std::string mixed =
      "blocked: mixed-ladder: `sm == 120`, which is no branch of this ladder, takes of the same "
      "before or behind it";
  EXPECT_EQ(in_function("sm == 120", "return 1",
                        "def f():\n    if sm == 90:\n        return 3\n    if sm == 120:\n        "
                        "x = 2\n    else:\n        x = 1\n    return x\n"),
            mixed);
  EXPECT_EQ(in_function("sm == 120", "return 1",
                        "def f():\n    if sm == 90:\n        return 3\n    elif sm == 100:\n       "
                        " return 4\n    if sm == 120:\n        return 2\n"),
            mixed);
  // What goes on below is no part of the run, and what it asks is nothing to it.
  EXPECT_EQ(
      in_function(
          "sm == 120", "return 1",
          "def f():\n    if sm == 90:\n        return 3\n    if b:\n        x = 2\n    return x\n"),
      "def f():\n    if sm == 90:\n        return 3\n    if sm == 120:\n        return 1\n    if "
      "b:\n        x = 2\n    return x\n");
  EXPECT_EQ(
      cpp("sm == 120", "return 1;",
          "int f() {\n  if (sm == 90) return 3;\n#ifdef X\n  if (sm == 120) return 2;\n#endif\n  "
          "return 0;\n}\n"),
      "blocked: conditional: branches of the ladder stand under a condition of the preprocessor");
  // An arm of the preprocessor may not be there to leave.
  EXPECT_EQ(
      cpp("sm == 120", "return 1;",
          "int f() {\n  if (sm == 90) {\n#ifdef X\n    return 3;\n#endif\n  }\n  return 0;\n}\n"),
      "blocked: conditional: branches of the ladder stand under a condition of the preprocessor");
}

TEST(EnsureBranch, RunsAreTakenBack) {
  for (const std::string file : {"def f():\n    if sm == 90:\n        return 3\n    # new\n    if "
                                 "sm >= 100:\n        return 2\n    return 0\n",
                                 "def f():\n    if sm >= 90: return 3\n    return 0\n",
                                 "def f():\n    if sm == 90:\n        return 3\n\n    if sm >= "
                                 "100:\n        return 2\n\n    return 0\n",
                                 "def f():\n    if sm == 90:\n        return 3\n"}) {
    EXPECT_EQ(taken_back("python", function_rule("sm == 120", "return 1", ""), file, kNames), file);
  }
}

std::string choice(std::string_view condition, std::string_view body, const std::string& source,
                   std::string_view pin = "") {
  return apply_rule(
      "python",
      fmt::format(
          "((assignment right: (_) @node) (#in-path? \"file\") (#ensure-branch! @node {} {}{}))",
          quoted(condition), quoted(body), pin.empty() ? "" : " " + quoted(pin)),
      source, kNames);
}
constexpr const char* kCppChoice =
    "((init_declarator value: (_) @node) (#in-path? \"file\") (#ensure-branch! @node {} {}{}))";
std::string cpp_choice(std::string_view condition, std::string_view body, const std::string& source,
                       std::string_view pin = "") {
  return apply_rule("cpp",
                    fmt::format(fmt::runtime(kCppChoice), quoted(condition), quoted(body),
                                pin.empty() ? "" : " " + quoted(pin)),
                    source);
}

TEST(EnsureBranch, ChainsOfConditionalExpressions) {
  EXPECT_EQ(choice("sm == 120", "1", "x = 3 if sm == 90 else 2 if sm >= 100 else 0\n"),
            "x = 3 if sm == 90 else 1 if sm == 120 else 2 if sm >= 100 else 0\n");
  EXPECT_EQ(choice("sm == 120", "1", "x = (\n    3\n    if sm >= 90\n    else 0  # none\n)\n"),
            "x = (\n    1\n    if sm == 120\n    else 3\n    if sm >= 90\n    else 0  # none\n)\n");
  EXPECT_EQ(choice("sm == 120", "1", "x = 3 if sm == 90 else (2 if sm >= 100 else 0)\n"),
            "x = 3 if sm == 90 else (1 if sm == 120 else 2 if sm >= 100 else 0)\n");
  EXPECT_EQ(choice("b", "lambda: 1", "x = 3 if a else lambda: 0\n"),
            "x = 3 if a else (lambda: 1) if b else lambda: 0\n");
  EXPECT_EQ(choice("a if b else c", "1 if a else 2", "x = 3 if a else 0\n"),
            "x = 3 if a else (1 if a else 2) if (a if b else c) else 0\n");
  EXPECT_EQ(cpp_choice("sm == 120", "1", "int x = sm == 90 ? 3 : sm >= 100 ? 2 : 0;\n"),
            "int x = sm == 90 ? 3 : sm == 120 ? 1 : sm >= 100 ? 2 : 0;\n");
  EXPECT_EQ(
      cpp_choice("sm == 120", "1", "int x = (sm == 90) ? 3\n      : (sm == 100) ? 2\n      : 0;\n"),
      "int x = (sm == 90) ? 3\n      : (sm == 100) ? 2\n      : (sm == 120) ? 1\n      : 0;\n");
  EXPECT_EQ(cpp_choice("b", "f(a = 1), 2", "int x = a ? 3 : 0;\n"),
            "int x = a ? 3 : b ? (f(a = 1), 2) : 0;\n");
  EXPECT_EQ(cpp_choice("b = 1", "a ? 1 : 2", "int x = a ? 3 : 0;\n"),
            "int x = a ? 3 : (b = 1) ? (a ? 1 : 2) : 0;\n");
}

TEST(EnsureBranch, ChainsKeepTheOrderRules) {
  EXPECT_EQ(choice("sm == 120", "1", "x = 3 if sm == 90 else 1 if sm == 120 else 0\n"), "holds");
  EXPECT_EQ(choice("sm == 120", "1", "x = 3 if sm == 90 else 2 if sm == 120 else 0\n"),
            "conflict: differs: the branch stands there with another body");
  EXPECT_EQ(choice("sm >= 100", "1", "x = 3 if sm == 90 else 2 if sm == 120 else 0\n"),
            "blocked: swallows: nothing would be left for `sm == 120`");
  EXPECT_EQ(choice("sm == 120", "1", "x = 3 if a else 2 if sm == 120 else 0\n"),
            "conflict: differs: the branch stands there with another body");
  EXPECT_EQ(
      choice("sm == 120", "1", "x = 3 if a else 0\n"),
      "blocked: order-unknown: it is not understood whether `a` takes what the new branch is for");
  EXPECT_EQ(choice("sm == 120", "1", "x = 3 if a else 0\n", "first"),
            "x = 1 if sm == 120 else 3 if a else 0\n");
  EXPECT_EQ(choice("sm == 120", "x = 1", "x = 3 if a else 0\n").substr(0, 17), "blocked: bad-code");
  EXPECT_EQ(choice("sm == 120", "1", "x = 3\n").substr(0, 18), "blocked: no-ladder");
}

TEST(EnsureBranch, ConditionsThatAreSubscripts) {
  EXPECT_EQ(python("a[0]", "x = 1", "if a[0]:\n    x = 1\n"), "holds");
  EXPECT_EQ(python("a", "x = 1", "if a[0]:\n    x = 1\n"),
            "if a[0]:\n    x = 1\nelif a:\n    x = 1\n");
}

std::string conditional(std::string_view condition, std::string_view body,
                        const std::string& source, std::string_view pin = "") {
  return apply_rule(
      "cpp",
      fmt::format("([(preproc_if) (preproc_ifdef)] @node (#in-path? \"file\") (#ensure-branch! "
                  "@node {} {}{}))",
                  quoted(condition), quoted(body), pin.empty() ? "" : " " + quoted(pin)),
      source);
}

TEST(EnsureBranch, ConditionalsOfThePreprocessor) {
  EXPECT_EQ(conditional("__CUDA_ARCH__ >= 1200", "c();",
                        "void f() {\n#if __CUDA_ARCH__ >= 900\n  a();\n#else\n  b();\n#endif\n}\n"),
            "void f() {\n#if __CUDA_ARCH__ >= 1200\n  c();\n#elif __CUDA_ARCH__ >= 900\n  "
            "a();\n#else\n  b();\n#endif\n}\n");
  EXPECT_EQ(conditional("defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 1200", "c();",
                        "void f() {\n#if (defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 900))\n  "
                        "a();\n#elif (__CUDA_ARCH__ >= 1000)  // new\n  b();\n#endif\n}\n"),
            "void f() {\n#if (defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 900))\n  a();\n#elif "
            "defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 1200\n  c();\n#elif (__CUDA_ARCH__ >= "
            "1000)  // new\n  b();\n#endif\n}\n");
  EXPECT_EQ(conditional("defined(B)", "#define X 2\nint y;", "#ifdef A\n#define X 1\n#endif\n"),
            "#ifdef A\n#define X 1\n#elif defined(B)\n#define X 2\nint y;\n#endif\n");
  EXPECT_EQ(conditional("defined(B)", "b();",
                        "void f() {\n  # ifdef A  // one\n  a();\n  # else\n  c();\n  # endif\n}\n",
                        "first"),
            "void f() {\n  # if defined(B)\n  b();\n  # elif defined(A)  // one\n  a();\n  # "
            "else\n  c();\n  # endif\n}\n");
  EXPECT_EQ(conditional("B > 1", "b();", "void f() {\n#ifndef A\n  a();\n#endif\n}\n", "first"),
            "void f() {\n#if B > 1\n  b();\n#elif !defined(A)\n  a();\n#endif\n}\n");
}

TEST(EnsureBranch, ConditionalsKeepTheOrderRules) {
  const std::string
      file = "void f() {\n#if __CUDA_ARCH__ >= 900\n  a();\n#elif defined A\n  b();\n#endif\n}\n";
  EXPECT_EQ(conditional("defined(A)", "b();", file), "holds");
  EXPECT_EQ(conditional("defined(A)", "c();", file),
            "conflict: differs: the branch stands there with another body");
  EXPECT_EQ(conditional("__CUDA_ARCH__ == 1200", "a();", file), "holds");
  EXPECT_EQ(conditional("__CUDA_ARCH__ == 1200", "c();", file, "last"),
            "blocked: unreachable: the branches in front of it take all that it is for");
  EXPECT_EQ(conditional("__CUDA_ARCH__ >= 800", "c();", file),
            "blocked: swallows: nothing would be left for `__CUDA_ARCH__ >= 900`");
  EXPECT_EQ(conditional("__CUDA_ARCH__ == 800", "c();", file),
            "blocked: order-unknown: it is not understood whether `defined A` takes what the new "
            "branch is for");
  // Without a GPU the macro is not defined, and no number.
  EXPECT_EQ(conditional("defined(__CUDA_ARCH__)", "c();",
                        "void f() {\n#if __CUDA_ARCH__ < 900\n  a();\n#endif\n}\n")
                .substr(0, 4),
            "void");
  EXPECT_EQ(conditional("__CUDA_ARCH__ < 1300", "c();",
                        "void f() {\n#ifdef __CUDA_ARCH__\n  a();\n#endif\n}\n"),
            "void f() {\n#if __CUDA_ARCH__ < 1300\n  c();\n#elif defined(__CUDA_ARCH__)\n  "
            "a();\n#endif\n}\n");
  EXPECT_EQ(conditional("B", "int b;", "#ifndef A_H\n#define A_H\nint a;\n#endif\n").substr(0, 18),
            "blocked: no-ladder");
}

TEST(EnsureBranch, ConditionalsInAFileThatDoesNotParseAsAWhole) {
  EXPECT_EQ(conditional("__CUDA_ARCH__ >= 1200", "c();",
                        "void f() {\n#if __CUDA_ARCH__ >= 900\n  a();\n#endif\n}\nvoid g() {\n  "
                        "h(1,\n    2, FOO BAR baz);\n}\n"),
            "void f() {\n#if __CUDA_ARCH__ >= 1200\n  c();\n#elif __CUDA_ARCH__ >= 900\n  "
            "a();\n#endif\n}\nvoid g() {\n  h(1,\n    2, FOO BAR baz);\n}\n");
}

TEST(EnsureBranch, ChainsAndConditionalsAreTakenBack) {
  for (const std::string file :
       {"x = 3 if sm == 90 else 2 if sm >= 100 else 0\n",
        "x = (\n    3\n    if sm >= 90\n    else 0  # none\n)\n",
        "x = 3 if sm == 90 else (2 if sm >= 100 else 0)\n", "x = 3 if sm == 90 else 0\n"}) {
    EXPECT_EQ(taken_back("python",
                         "((assignment right: (_) @node) (#in-path? \"file\") (#ensure-branch! "
                         "@node \"sm == 120\" \"1\"))",
                         file, kNames),
              file);
  }
  for (const std::string file :
       {"void f() {\n#if __CUDA_ARCH__ >= 900\n  a();\n#else\n  b();\n#endif\n}\n",
        "void f() {\n#if __CUDA_ARCH__ == 900\n  a();\n#endif\n}\n"}) {
    EXPECT_EQ(taken_back("cpp",
                         "([(preproc_if) (preproc_ifdef)] @node (#in-path? \"file\") "
                         "(#ensure-branch! @node \"__CUDA_ARCH__ == 1200\" \"c();\"))",
                         file),
              file);
  }
}

TEST(EnsureBranch, IsTakenBack) {
  for (const std::string file :
       {"if sm == 90:\n    x = 3\nelif sm >= 100:\n    x = 2\nelse:\n    x = 0\n",
        "if sm >= 90:\n    x = 2\n", "if sm == 90:\n    x = 2\n",
        "if sm < 90: x = 2\nelse: x = 1\n"}) {
    EXPECT_EQ(taken_back("python", rule("if_statement", "sm == 120", "x = 1", ""), file, kNames),
              file);
  }
  for (const std::string file :
       {"void f() {\n  if (sm == 90) {\n    h();\n  } else if (sm >= 100) {\n    i();\n  }\n}\n",
        "void f() {\n  if (sm >= 90) {\n    h();\n  }\n}\n"}) {
    EXPECT_EQ(taken_back("cpp",
                         "((function_definition body: (compound_statement . (if_statement) @node)) "
                         "(#in-path? \"file\") (#ensure-branch! @node \"sm == 120\" \"g();\"))",
                         file),
              file);
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
