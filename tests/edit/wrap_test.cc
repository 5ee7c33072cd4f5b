// wrap!: expressions and statements inside TEXT, held when they are, and taken out again.
#include <gtest/gtest.h>

#include "tests/edit/apply_rule.h"

namespace portpatch::test {
namespace {

constexpr const char* kNames =
    "[defaults]\nnames = [\"cast\", \"dtype\", \"ok\", \"guard\", \"log\", \"a\", \"b\"]\n";

std::string wrapped(const std::string& language, const std::string& pattern,
                    const std::string& text, const std::string& source) {
  return apply_rule(language,
                    "(" + pattern + " (#in-path? \"file\") " + directive("wrap!", {text}) + ")",
                    source, kNames);
}

std::string unwrapped(const std::string& language, const std::string& pattern,
                      const std::string& text, const std::string& source) {
  return revert_rule(language,
                     "(" + pattern + " (#in-path? \"file\") " + directive("wrap!", {text}) + ")",
                     source);
}

/// The text with the wrap; taken out again it must be `source`.
std::string there_and_back(const std::string& language, const std::string& pattern,
                           const std::string& text, const std::string& source) {
  const auto with = wrapped(language, pattern, text, source);
  const auto back = unwrapped(language, pattern, text, with);
  return back == source ? with : with + "\nBACK: " + back;
}

const std::string kCall = "(call function: (identifier) @f) @node (#eq? @f \"load\")";
const std::string
    kStatement = "(expression_statement (call function: (identifier) @f)) @node (#eq? @f \"load\")";
const std::string kCpp =
    "(expression_statement (call_expression function: (identifier) @f)) @node (#eq? @f \"load\")";

TEST(Wrap, AnExpressionStandsAtTheMark) {
  EXPECT_EQ(there_and_back("python", kCall, "cast(${node}, dtype)", "x = load(a)\n"),
            "x = cast(load(a), dtype)\n");
  EXPECT_EQ(there_and_back("python", kCall, "${node}.to(dtype)", "x = [load(a), b]  # why\n"),
            "x = [load(a).to(dtype), b]  # why\n");
  EXPECT_EQ(there_and_back("python", kCall, "not ${node}", "if load(a):\n    pass\n"),
            "if not load(a):\n    pass\n");
  EXPECT_EQ(there_and_back("python", kCall, "cast(${node})", "x = load(\n    a,  # one\n)\n"),
            "x = cast(load(\n    a,  # one\n))\n");
  EXPECT_EQ(there_and_back("python", kCall, "x = ${node}", "load(a)\n"), "x = load(a)\n");
}

TEST(Wrap, ParenthesesWherePrecedenceNeedsThem) {
  const auto on_value = [](const std::string& text, const std::string& source) {
    return there_and_back("python", "(assignment right: (_) @node)", text, source).substr(4);
  };
  const auto on_operand = [](const std::string& text, const std::string& source) {
    return there_and_back("python", "(binary_operator left: (identifier) @node)", text, source);
  };
  EXPECT_EQ(there_and_back("python", "(not_operator argument: (_) @node)", "${node} and ok",
                           "x = not a\n"),
            "x = not (a and ok)\n");
  EXPECT_EQ(on_operand("${node} + 1", "x = a * b\n"), "x = (a + 1) * b\n");
  EXPECT_EQ(on_operand("${node} * 2", "x = a * b\n"), "x = a * 2 * b\n");
  EXPECT_EQ(on_value("not ${node}", "x = a or b\n"), "not (a or b)\n");
  EXPECT_EQ(on_value("${node}.to(ok)", "x = lambda: a\n"), "(lambda: a).to(ok)\n");
  EXPECT_EQ(on_value("not ${node}", "x = lambda: a\n"), "not (lambda: a)\n");
  EXPECT_EQ(on_value("cast(${node})", "x = lambda: a\n"), "cast(lambda: a)\n");
}

TEST(Wrap, OtherCapturesComeAlong) {
  EXPECT_EQ(wrapped("python",
                    "(call function: (identifier) @f arguments: (argument_list . (_) @x)) @node "
                    "(#eq? @f \"load\")",
                    "cast(${node}, ${x}.dtype)", "y = load(a)\n"),
            "y = cast(load(a), a.dtype)\n");
  EXPECT_EQ(wrapped("python",
                    "(call function: (identifier) @f arguments: (argument_list . (_) @x)) @node "
                    "(#eq? @f \"load\")",
                    "cast(${node}, ${x}.dtype)", "y = load(a + b)\n"),
            "y = cast(load(a + b), (a + b).dtype)\n");
}

TEST(Wrap, StatementsAreIndented) {
  const auto text = "if ok():\n    ${node}";
  EXPECT_EQ(there_and_back("python", kStatement, text, "# first\nload(a)  # why\nz = 1\n"),
            "# first\nif ok():\n    load(a)  # why\nz = 1\n");
  EXPECT_EQ(there_and_back("python", kStatement, text,
                           "def f():\n  load(\n    a,\n\n    # one\n    b)\n  z = 1\n"),
            "def f():\n  if ok():\n    load(\n      a,\n\n      # one\n      b)\n  z = 1\n");
  EXPECT_EQ(there_and_back("python", kStatement, text,
                           "if b:\n    pass\nload(\"\"\"one\n  two\n\"\"\", a)\n"),
            "if b:\n    pass\nif ok():\n    load(\"\"\"one\n  two\n\"\"\", a)\n");
  EXPECT_EQ(there_and_back("python", kStatement, "try:\n    ${node}\nexcept OSError:\n    log()",
                           "def f():\n    load(a)\n    z = 1\n"),
            "def f():\n    try:\n        load(a)\n    except OSError:\n        log()\n    z = 1\n");
  EXPECT_EQ(there_and_back("python", kStatement, "if ok():\n    log()\nelse:\n    ${node}",
                           "load(a)  # why\n"),
            "if ok():\n    log()\nelse:\n    load(a)  # why\n");
  EXPECT_EQ(
      there_and_back("python", kStatement, "log(1)\n${node}\nlog(2)", "def f():\n    load(a)\n"),
      "def f():\n    log(1)\n    load(a)\n    log(2)\n");
  EXPECT_EQ(
      there_and_back("python", kStatement, text, "def f():\r\n    load(a)  # why\r\n    z = 1\r\n"),
      "def f():\r\n    if ok():\r\n        load(a)  # why\r\n    z = 1\r\n");
}

TEST(Wrap, ADefinitionGetsADecoratorOrATemplate) {
  const std::string
      definition = "(function_definition name: (identifier) @f) @node (#eq? @f \"load\")";
  EXPECT_EQ(there_and_back("python", definition, "@guard(1)\n${node}",
                           "x = 1\n\n\n# why\ndef load(a):\n    return a\n"),
            "x = 1\n\n\n# why\n@guard(1)\ndef load(a):\n    return a\n");
  EXPECT_EQ(there_and_back("python", definition, "@guard\n${node}",
                           "class C:\n    def load(self):\n        pass\n"),
            "class C:\n    @guard\n    def load(self):\n        pass\n");
  EXPECT_EQ(
      wrapped("python", definition, "@guard(1)\n${node}", "@guard( 1 )\ndef load(a): return a\n"),
      "holds");
  EXPECT_EQ(wrapped("python", definition, "@guard\n${node}", "@log\ndef load(a):\n    return a\n"),
            "blocked: no-room: something else stands around the definition already");
  EXPECT_EQ(wrapped("python", definition, "@missing\n${node}", "def load(a):\n    return a\n"),
            "blocked: unseen-name: `missing`, which the edit uses, is not defined in the file");
  EXPECT_EQ(wrapped("python", kCall, "@guard\n${node}", "x = load(a)\n"),
            "blocked: bad-code: TEXT is no code with its mark and captures filled in");
  EXPECT_EQ(there_and_back("cpp",
                           "(function_definition declarator: (function_declarator declarator: "
                           "(identifier) @f)) @node (#eq? @f \"load\")",
                           "template <typename T>\n${node}", "void load(int a) {\n  g(a);\n}\n"),
            "template <typename T>\nvoid load(int a) {\n  g(a);\n}\n");
}

TEST(Wrap, NeighboursAreWrappedTogether) {
  EXPECT_EQ(
      wrapped("python",
              "(function_definition body: (block . (_) @node . (_) @node (return_statement)))",
              "with guard():\n    ${node}", "def f():\n    load(a)\n    load(b)\n    return 1\n"),
      "blocked: not-found-again: after the edit the rule matches 0 places instead of 1");
  EXPECT_EQ(there_and_back(
                "python", "(block . (expression_statement (call) @c)+ @node) (#match? @c \"load\")",
                "with guard():\n    ${node}", "def f():\n    load(a)\n    load(b)\n    return 1\n"),
            "def f():\n    with guard():\n        load(a)\n        load(b)\n    return 1\n");
  EXPECT_EQ(there_and_back(
                "python",
                "(block . (expression_statement) @node . (comment) . (expression_statement) @node)",
                "with guard():\n    ${node}",
                "def f():\n    load(a)\n    # two\n    load(b)\n    return 1\n"),
            "def f():\n    with guard():\n        load(a)\n        # two\n        load(b)\n    "
            "return 1\n");
  EXPECT_EQ(
      wrapped("python", "(module . (expression_statement) @node (_) (expression_statement) @node)",
              "with guard():\n    ${node}", "load(a)\nx = 1\nload(b)\n"),
      "blocked: no-room: the captured nodes are no statements one behind the other");
}

TEST(Wrap, InCppBracesConditionalsAndMacros) {
  const std::string source = "void f() {\n  load(a);  // why\n  g();\n}\n";
  EXPECT_EQ(there_and_back("cpp", kCpp, "if (ok) {\n  ${node}\n}", source),
            "void f() {\n  if (ok) {\n    load(a);  // why\n  }\n  g();\n}\n");
  EXPECT_EQ(wrapped("cpp", kCpp, "if (ok) { ${node} }", source),
            "void f() {\n  if (ok) { load(a); }  // why\n  g();\n}\n");
  EXPECT_EQ(wrapped("cpp", kCpp, "if (ok) { ${node} }", "void f() {\n  load(\n    a);\n}\n"),
            "void f() {\n  if (ok) {\n    load(\n      a);\n  }\n}\n");
  EXPECT_EQ(there_and_back("cpp", kCpp, "#if SM120\n${node}\n#endif", source),
            "void f() {\n#if SM120\n  load(a);  // why\n#endif\n  g();\n}\n");
  EXPECT_EQ(there_and_back("cpp", kCpp, "#ifdef SM120\nlog();\n#else\n${node}\n#endif", source),
            "void f() {\n#ifdef SM120\n  log();\n#else\n  load(a);  // why\n#endif\n  g();\n}\n");
  EXPECT_EQ(
      there_and_back("cpp", "(call_expression function: (identifier) @f) @node (#eq? @f \"load\")",
                     "static_cast<int>(${node})", "int x = load(a);\n"),
      "int x = static_cast<int>(load(a));\n");
}

TEST(Wrap, HoldsInsideAnEqualWrap) {
  EXPECT_EQ(wrapped("python", kCall, "cast(${node}, dtype)", "x = cast( (load(a)), dtype )\n"),
            "holds");
  EXPECT_EQ(wrapped("python", kStatement, "if ok():\n    ${node}", "if ok(): load(a)\n"), "holds");
  EXPECT_EQ(
      wrapped("python", kStatement, "if ok():\n    ${node}", "if ok():\n    log()\n    load(a)\n"),
      "if ok():\n    log()\n    if ok():\n        load(a)\n");
  EXPECT_EQ(
      wrapped("python", "(identifier) @node (#eq? @node \"a\")", "a + ${node}", "x = b\ny = a\n"),
      "blocked: not-found-again: after the edit the rule matches 2 places instead of 1");
}

TEST(Wrap, WhatDoesNotFitIsBlocked) {
  EXPECT_EQ(wrapped("python", kStatement, "if ok():\n    ${node}", "z = 1; load(a)\n"),
            "blocked: no-room: the statement shares its line with others");
  EXPECT_EQ(wrapped("python", kCall, "if ok():\n    ${node}", "x = load(a)\n"),
            "blocked: no-room: TEXT wraps statements, and what is captured is none");
  EXPECT_EQ(wrapped("python", kCall, "cast(${node}, missing)", "x = load(a)\n"),
            "blocked: unseen-name: `missing`, which the edit uses, is not defined in the file");
  EXPECT_EQ(wrapped("python", kCall, "log('${node}')", "x = load(a)\n"),
            "blocked: bad-mark: the mark stands inside a string or a comment of TEXT");
  EXPECT_EQ(wrapped("python", kCall, "${node}", "x = load(a)\n"),
            "blocked: bad-mark: TEXT is nothing but its mark");
  EXPECT_EQ(wrapped("python", kCall, "cast(dtype)", "x = load(a)\n"),
            "bad rule: TEXT does not have the mark ${node} once");
  EXPECT_EQ(wrapped("python", kCall, "cast(${node}, ${node})", "x = load(a)\n"),
            "bad rule: TEXT does not have the mark ${node} once");
  EXPECT_EQ(
      wrapped("python", "(call arguments: (argument_list) @node)", "cast(${node})", "x = load(a)\n")
          .substr(0, 16),
      "blocked: no-room");
}

TEST(Wrap, RevertKeepsWhatIsNotItsOwn) {
  EXPECT_EQ(unwrapped("python", kStatement, "if ok():\n    ${node}", "load(a)\n"), "holds");
  EXPECT_EQ(unwrapped("python", kStatement, "if ok():\n    ${node}",
                      "if ok():\n    # mine\n    load(a)\n")
                .substr(0, 7),
            "no-room");
  EXPECT_EQ(there_and_back("python", kStatement, "# ours\nif ok():\n    ${node}", "load(a)\n"),
            "# ours\nif ok():\n    load(a)\n");
}

}  // namespace
}  // namespace portpatch::test
