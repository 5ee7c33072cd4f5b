// widen! and narrow!: the operand, its parentheses, its lines, when it holds, and taking it out
// again.
#include <gtest/gtest.h>

#include "tests/edit/apply_rule.h"

namespace portpatch::test {
namespace {

std::string on_if(std::string_view name, std::string_view operand) {
  return "((if_statement condition: (_) @node) @if (#in-path? \"file\") " +
         directive(name, {operand}) + ")";
}

/// `if CONDITION:` with the directive; only the new condition, or what stands against it.
std::string python(std::string_view name, std::string_view condition,
                   std::string_view operand = "x") {
  const std::string before = "if ", after = ":\n    pass\n",
                    names = "[defaults]\nnames = [\"x\", \"y\"]\n";
  const auto text = apply_rule("python", on_if(name, operand),
                               before + std::string(condition) + after, names);
  return text.starts_with(before)
             ? text.substr(before.size(), text.size() - before.size() - after.size())
             : text;
}

std::string cpp(std::string_view name, std::string_view condition, std::string_view operand = "x") {
  const std::string before = "void f() {\n  if ", after = " return;\n}\n";
  const auto text = apply_rule("cpp", on_if(name, operand),
                               before + std::string(condition) + after);
  return text.starts_with(before)
             ? text.substr(before.size(), text.size() - before.size() - after.size())
             : text;
}

TEST(Widen, AddsTheParenthesesThatPrecedenceNeeds) {
  EXPECT_EQ(python("widen!", "a"), "a or x");
  EXPECT_EQ(python("widen!", "a and b"), "a and b or x");
  EXPECT_EQ(python("widen!", "not a"), "not a or x");
  EXPECT_EQ(python("widen!", "1 < a <= 3"), "1 < a <= 3 or x");
  EXPECT_EQ(python("widen!", "(a)"), "(a or x)");
  EXPECT_EQ(python("widen!", "a if b else c"), "(a if b else c) or x");
  EXPECT_EQ(python("widen!", "lambda: a"), "(lambda: a) or x");
  EXPECT_EQ(python("widen!", "a := b"), "(a := b) or x");
  EXPECT_EQ(python("widen!", "(a := b)"), "((a := b) or x)");
  EXPECT_EQ(python("widen!", "await a"), "await a or x");
  EXPECT_EQ(python("widen!", "any(a for a in b)"), "any(a for a in b) or x");
}

TEST(Widen, PutsParenthesesAroundLooseOperands) {
  EXPECT_EQ(python("widen!", "a", "x and y"), "a or x and y");
  EXPECT_EQ(python("widen!", "a", "x or y"), "a or x or y");
  EXPECT_EQ(python("widen!", "a", "x if y else 0"), "a or (x if y else 0)");
  EXPECT_EQ(python("widen!", "a", "lambda: x"), "a or (lambda: x)");
  EXPECT_EQ(python("widen!", "a", "(b := x)"), "a or (b := x)");
  EXPECT_EQ(python("widen!", "a", "x ==\\\n1"), "a or x ==\\\n1");
  EXPECT_EQ(python("widen!", "a", "x ==\n1"), "a or (x ==\n1)");
}

TEST(Narrow, AddsTheParenthesesThatPrecedenceNeeds) {
  EXPECT_EQ(python("narrow!", "a"), "a and x");
  EXPECT_EQ(python("narrow!", "a or b"), "(a or b) and x");
  EXPECT_EQ(python("narrow!", "(a or b)"), "((a or b) and x)");
  EXPECT_EQ(python("narrow!", "a", "x or y"), "a and (x or y)");
  EXPECT_EQ(python("narrow!", "not a"), "not a and x");
  EXPECT_EQ(python("narrow!", "a and b"), "a and b and x");
}

TEST(Widen, InCppAndInsideOrGetsParentheses) {
  EXPECT_EQ(cpp("widen!", "(a)"), "(a || x)");
  EXPECT_EQ(cpp("widen!", "(a && b)"), "((a && b) || x)");
  EXPECT_EQ(cpp("widen!", "(a)", "x && y"), "(a || (x && y))");
  EXPECT_EQ(cpp("narrow!", "(a || b)"), "((a || b) && x)");
  EXPECT_EQ(cpp("widen!", "(!a)"), "(!a || x)");
  EXPECT_EQ(cpp("widen!", "(a ? b : c)"), "((a ? b : c) || x)");
  EXPECT_EQ(cpp("widen!", "(a = b)"), "((a = b) || x)");
  EXPECT_EQ(cpp("widen!", "(a == 90 ||\n      a == 100)", "a == 120"),
            "(a == 90 ||\n      a == 100 ||\n      a == 120)");
}

TEST(Widen, CopiesTheLinesOfTheCondition) {
  EXPECT_EQ(python("widen!", "(\n    a\n    or b\n)"), "(\n    a\n    or b\n    or x\n)");
  EXPECT_EQ(python("widen!", "(\n    a or\n    b\n)"), "(\n    a or\n    b or\n    x\n)");
  EXPECT_EQ(python("widen!", "(\n    a  # one\n    or b  # two\n)"),
            "(\n    a  # one\n    or b  # two\n    or x\n)");
  EXPECT_EQ(python("widen!", "(\n    a or  # one\n    b  # two\n    # three\n)"),
            "(\n    a or  # one\n    b or  # two\n    x\n    # three\n)");
  EXPECT_EQ(python("widen!", "a \\\n        or b"), "a \\\n        or b \\\n        or x");
  EXPECT_EQ(python("widen!", "a or \\\n        b"), "a or \\\n        b or \\\n        x");
  EXPECT_EQ(python("widen!", "f(\n    a,\n)"), "f(\n    a,\n) or x");
  EXPECT_EQ(python("narrow!", "(\n    a\n    or b\n)"), "(\n    (a\n    or b)\n    and x\n)");
  EXPECT_EQ(python("widen!", "(\r\n    a\r\n    or b\r\n)"),
            "(\r\n    a\r\n    or b\r\n    or x\r\n)");
}

TEST(Widen, OneLineStaysOneLine) {
  const std::string name(60, 'n'), index(40, '1');
  EXPECT_EQ(python("widen!", name, "x[" + index + "]"), name + " or x[" + index + "]");
}

TEST(Widen, HoldsWhenTheOperandIsThere) {
  EXPECT_EQ(python("widen!", "a or x"), "holds");
  EXPECT_EQ(python("widen!", "(a or (x)) or b"), "holds");
  EXPECT_EQ(python("widen!", "x"), "holds");
  EXPECT_EQ(python("widen!", "True"), "holds");
  EXPECT_EQ(python("widen!", "a or y or x", "x or y"), "holds");
  EXPECT_EQ(python("widen!", "a or b == 256", "b == 0x100"), "holds");
  EXPECT_EQ(python("widen!", "a and x"), "a and x or x");
  EXPECT_EQ(python("widen!", "not (a or x)"), "not (a or x) or x");
  EXPECT_EQ(python("narrow!", "a and x"), "holds");
  EXPECT_EQ(python("narrow!", "False"), "holds");
  EXPECT_EQ(python("narrow!", "True"), "True and x");
  EXPECT_EQ(cpp("widen!", "((a) || x)"), "holds");
}

TEST(Widen, HoldsThroughAHelper) {
  const auto rule = on_if("widen!", "is_sm120()");
  const std::string use = "if ok:\n    pass\n", imports = "from arch import is_sm100, is_sm120\n";
  EXPECT_EQ(apply_rule("python", rule, imports + "ok = is_sm100() or is_sm120()\n" + use), "holds");
  EXPECT_EQ(apply_rule("python", rule,
                       imports + "def ok():\n    \"\"\"Either.\"\"\"\n    return is_sm100() or "
                                 "is_sm120()\n\n\nif a and b or ok():\n    pass\n"),
            "holds");
  EXPECT_EQ(
      apply_rule("python", rule, imports + "some = is_sm120()\nok = is_sm100() or some\n" + use),
      "holds");
  // Given twice, given elsewhere, given under a condition's other meaning, or of something that
  // changes.
  EXPECT_EQ(
      apply_rule("python", rule, imports + "ok = is_sm100() or is_sm120()\nok = False\n" + use),
      imports + "ok = is_sm100() or is_sm120()\nok = False\nif ok or is_sm120():\n    pass\n");
  EXPECT_EQ(
      apply_rule("python", rule,
                 imports + "def f():\n    ok = is_sm100() or is_sm120()\n    return ok\n" + use),
      imports +
          "def f():\n    ok = is_sm100() or is_sm120()\n    return ok\nif ok or is_sm120():\n    "
          "pass\n");
  EXPECT_EQ(apply_rule("python", on_if("widen!", "flag"),
                       "flag = f()\nok = a or flag\nflag = True\n" + use),
            "flag = f()\nok = a or flag\nflag = True\nif ok or flag:\n    pass\n");
  EXPECT_EQ(
      apply_rule(
          "python", rule,
          imports + "def ok(n):\n    n += 1\n    return is_sm120()\n\n\nif ok():\n    pass\n"),
      imports +
          "def ok(n):\n    n += 1\n    return is_sm120()\n\n\nif ok() or is_sm120():\n    pass\n");
}

TEST(Widen, AnyExpressionIsACondition) {
  const auto widened = [](const std::string& query, const std::string& source) {
    return apply_rule("python",
                      "(" + query + " (#in-path? \"file\") " + directive("widen!", {"x"}) + ")",
                      source, "[defaults]\nnames = [\"x\"]\n");
  };
  EXPECT_EQ(widened("(while_statement condition: (_) @node)", "while a:\n    pass\n"),
            "while a or x:\n    pass\n");
  EXPECT_EQ(widened("(elif_clause condition: (_) @node)", "if b:\n    pass\nelif a:\n    pass\n"),
            "if b:\n    pass\nelif a or x:\n    pass\n");
  EXPECT_EQ(widened("(assert_statement . (_) @node)", "assert a, 'why'\n"),
            "assert a or x, 'why'\n");
  EXPECT_EQ(widened("(return_statement (_) @node)", "def f():\n    return a and b\n"),
            "def f():\n    return a and b or x\n");
  EXPECT_EQ(widened("(assignment right: (_) @node)", "y = a  # why\n"), "y = a or x  # why\n");
  EXPECT_EQ(widened("(keyword_argument value: (_) @node)", "f(k=a, n=1)\n").substr(0, 8),
            "f(k=a or");
  EXPECT_EQ(widened("(conditional_expression (_) (_) @node (_))", "y = 1 if a else 2\n"),
            "y = 1 if a or x else 2\n");
  EXPECT_EQ(widened("(if_clause (_) @node)", "y = [b for b in c if a]\n"),
            "y = [b for b in c if a or x]\n");
  EXPECT_EQ(widened("(not_operator argument: (_) @node)", "y = not a\n"), "y = not (a or x)\n");
  EXPECT_EQ(widened("(not_operator argument: (_) @node)", "y = not (a and b)\n"),
            "y = not (a and b or x)\n");
  EXPECT_EQ(widened("(boolean_operator left: (_) @node operator: \"and\")", "y = a and b\n"),
            "y = (a or x) and b\n");
  EXPECT_EQ(widened("(argument_list (integer) . (_) @node)", "f(1, (a for a in b))\n"),
            "f(1, (a for a in b) or x)\n");
}

TEST(Widen, WhatIsNoExpressionOfItsOwnIsBlocked) {
  const auto widened = [](const std::string& query, const std::string& source) {
    return apply_rule("python",
                      "(" + query + " (#in-path? \"file\") " + directive("widen!", {"x"}) + ")",
                      source, "[defaults]\nnames = [\"x\"]\n")
        .substr(0, 16);
  };
  EXPECT_EQ(widened("(call arguments: (generator_expression) @node)", "f(a for a in b)\n"),
            "blocked: no-room");
  EXPECT_EQ(widened("(assignment right: (expression_list) @node)", "y = a, b\n"),
            "blocked: no-room");
  EXPECT_EQ(widened("(if_statement) @node", "if a:\n    pass\n"), "blocked: no-room");
  EXPECT_EQ(widened("(list_splat) @node", "f(*a)\n"), "blocked: no-room");
  EXPECT_EQ(widened("(assignment left: (_) @node)", "y = a\n"), "blocked: no-room");
}

TEST(Widen, UnseenNamesAndCommentsAreBlocked) {
  EXPECT_EQ(apply_rule("python", on_if("widen!", "is_sm120()"), "if a:\n    pass\n"),
            "blocked: unseen-name: `is_sm120`, which the edit uses, is not defined in the file");
  EXPECT_EQ(python("widen!", "a", "x  # ours"),
            "blocked: comment-in-code: a comment cannot come along into a condition");
}

TEST(Widen, PreprocessorAndCheckMacros) {
  const auto rule = "((preproc_if condition: (_) @node) (#in-path? \"file\") " +
                    directive("widen!", {"defined(B)"}) + ")";
  EXPECT_EQ(apply_rule("cpp", rule, "#if A\nint a;\n#endif\n"),
            "#if A || defined(B)\nint a;\n#endif\n");
  EXPECT_EQ(apply_rule("cpp", rule, "#if defined(A) && \\\n    A > 1\nint a;\n#endif\n"),
            "#if (defined(A) && \\\n    A > 1) || \\\n    defined(B)\nint a;\n#endif\n");
  EXPECT_EQ(apply_rule("cpp", rule, "#if A  // why\nint a;\n#endif\n"),
            "#if A || defined(B)  // why\nint a;\n#endif\n");
  const auto check =
      "((call_expression function: (identifier) @f arguments: (argument_list . (_) @node)) (#eq? "
      "@f \"TORCH_CHECK\") " +
      directive("widen!", {"sm == 120"}) + ")";
  EXPECT_EQ(apply_rule("cpp", check, "void f() {\n  TORCH_CHECK(sm == 90, \"only\");\n}\n"),
            "void f() {\n  TORCH_CHECK(sm == 90 || sm == 120, \"only\");\n}\n");
}

/// What `unapply` makes of a text.
std::string reverted(std::string_view language, std::string_view name, std::string_view operand,
                     const std::string& source) {
  return revert_rule(language, on_if(name, operand), source);
}

TEST(Widen, RevertTakesTheOperandOutAgain) {
  for (const std::string condition :
       {"a", "a and b", "(a)", "a if b else c", "(\n    a\n    or b\n)", "(\n    a or\n    b\n)",
        "a \\\n        or b", "(\n    a  # one\n    or b  # two\n)",
        "(\n    a or  # one\n    b  # two\n)", "(a and b)", "((a))"}) {
    for (const std::string name : {"widen!", "narrow!"}) {
      const auto source = "x = 1\nif " + condition + ":\n    pass\n";
      const auto with = apply_rule("python", on_if(name, "x"), source);
      EXPECT_NE(with, source);
      EXPECT_EQ(reverted("python", name, "x", with), source);
    }
  }
  EXPECT_EQ(reverted("cpp", "widen!", "x", "void f() {\n  if ((a && b) || x) return;\n}\n"),
            "void f() {\n  if (a && b) return;\n}\n");
}

TEST(Widen, RevertKeepsParenthesesThatAreNotOurs) {
  EXPECT_EQ(reverted("python", "widen!", "x", "x = 1\nif (a and b) or x:\n    pass\n"),
            "x = 1\nif (a and b):\n    pass\n");
  EXPECT_EQ(reverted("python", "widen!", "x", "x = 1\nif a or b:\n    pass\n"), "holds");
  EXPECT_EQ(reverted("python", "widen!", "x", "x = 1\nif x:\n    pass\n"), "holds");
  EXPECT_EQ(reverted("python", "widen!", "x or y", "x = y = 1\nif a or x or y:\n    pass\n"),
            "x = y = 1\nif a:\n    pass\n");
}

std::string defined_condition(std::string_view name, std::string_view operand,
                              const std::string& source) {
  return apply_rule("cpp",
                    fmt::format("([(preproc_ifdef name: (_) @node) (preproc_if condition: (_) "
                                "@node)] (#in-path? \"file\") (#{} @node {}))",
                                name, quoted(operand)),
                    source);
}

TEST(WidenDefined, SpellsTheConditionOut) {
  EXPECT_EQ(
      defined_condition("widen!", "defined(B)",
                        "#ifdef A  // one\nint a;\n#elif C\nint c;\n#else\nint b;\n#endif\n"),
      "#if defined(A) || defined(B)  // one\nint a;\n#elif C\nint c;\n#else\nint b;\n#endif\n");
  EXPECT_EQ(
      defined_condition("widen!", "B && C > 1", "void f() {\n  # ifndef A\n  a();\n  # endif\n}\n"),
      "void f() {\n  # if !defined(A) || (B && C > 1)\n  a();\n  # endif\n}\n");
  EXPECT_EQ(defined_condition("narrow!", "__CUDA_ARCH__ >= 900", "#ifdef A\nint a;\n#endif\n"),
            "#if defined(A) && __CUDA_ARCH__ >= 900\nint a;\n#endif\n");
  EXPECT_EQ(defined_condition("widen!", "defined(A)", "#ifdef A\nint a;\n#endif\n"), "holds");
}

TEST(WidenDefined, LeavesIncludeGuards) {
  EXPECT_EQ(defined_condition("widen!", "defined(B)", "#ifndef A_H\n#define A_H\nint a;\n#endif\n"),
            "blocked: include-guard: this is the include guard of the file");
}

TEST(WidenDefined, IsFoundAgainOnlyByARuleThatKnowsBothSpellings) {
  EXPECT_EQ(
      apply_rule(
          "cpp",
          "((preproc_ifdef name: (_) @node) (#in-path? \"file\") (#widen! @node \"defined(B)\"))",
          "#ifdef A\nint a;\n#endif\n")
          .substr(0, 8),
      "blocked:");
}

}  // namespace
}  // namespace portpatch::test
