// Arguments, statements and removals.
#include <gtest/gtest.h>

#include "tests/edit/apply_rule.h"

namespace portpatch::test {
namespace {

std::string on_call(std::string_view name, std::string_view value, const std::string& source) {
  return apply_rule("python",
                    "((call function: (identifier) @name) @node (#eq? @name \"f\") " +
                        directive("ensure-argument!", {name, value}) + ")",
                    source);
}

std::string on_function(const std::string& text, const std::string& source) {
  return apply_rule(
      "python",
      "((function_definition name: (identifier) @name) @node (#eq? @name \"f\") " + text + ")",
      source);
}

std::string on_statement(const std::string& text, const std::string& source) {
  return apply_rule(
      "python",
      "((expression_statement (assignment left: (identifier) @name)) @node (#eq? @name \"X\") " +
          text + ")",
      source);
}

/// `#remove!` of the statement X = ..., which a module or function must then lack.
std::string removed(const std::string& source) {
  return apply_rule(
      "python",
      "((expression_statement (assignment left: (identifier) @name)) @node (#eq? @name \"X\") "
      "(#remove! @node))\n"
      "((module) @node (#in-path? \"file\") (#lacks? @node \"X = 1\") (#held! @node))\n",
      source);
}

TEST(Statement, OnTheLineOfItsNeighbour) {
  const auto before = [](const std::string& code, const std::string& source) {
    return on_statement(directive("insert-before!", {code}), source);
  };
  EXPECT_EQ(before("b = 2", "a = 0; X = 1\n"), "a = 0; b = 2; X = 1\n");
  EXPECT_EQ(before("if b:\n    c()", "a = 0; X = 1\n"),
            "blocked: no-room: `if b:` cannot stand on the same line as its neighbour");
  const auto cpp = [](std::string_view name, const std::string& source) {
    return apply_rule(
        "cpp",
        "((expression_statement (call_expression function: (identifier) @name)) @node "
        "(#eq? @name \"f\") " +
            directive(name, {"g();"}) + ")",
        source);
  };
  EXPECT_EQ(cpp("insert-before!", "void h() { a(); f(); }\n"), "void h() { a(); g(); f(); }\n");
  EXPECT_EQ(cpp("insert-after!", "void h() { f(); a(); }\n"), "void h() { f(); g(); a(); }\n");
}

TEST(Statement, IntoABlockThatHasNone) {
  const auto at_end = [](const std::string& source) {
    return apply_rule("cpp",
                      "((function_definition body: (_) @node) (#in-path? \"file\") " +
                          directive("append!", {"g();"}) + ")",
                      source);
  };
  EXPECT_EQ(at_end("void f() {}\n"), "void f() {\n    g();\n}\n");
  EXPECT_EQ(at_end("void f() {\n  // Nothing yet.\n}\n"),
            "void f() {\n  // Nothing yet.\n  g();\n}\n");
}

TEST(Argument, CallsGetItBehindTheOthers) {
  EXPECT_EQ(on_call("k", "1", "f(a)\n"), "f(a, k=1)\n");
  EXPECT_EQ(on_call("k", "1", "f()\n"), "f(k=1)\n");
  EXPECT_EQ(on_call("k", "1", "f(a, b=2, **rest)\n"), "f(a, b=2, k=1, **rest)\n");
  EXPECT_EQ(on_call("k", "1", "f(a, *rest)\n"), "f(a, *rest, k=1)\n");
  EXPECT_EQ(on_call("k", "1", "f(\n    a,\n    b=2,\n)\n"), "f(\n    a,\n    b=2,\n    k=1,\n)\n");
  EXPECT_EQ(on_call("k", "1", "f(\n    a,  # first\n    b=2\n)\n"),
            "f(\n    a,  # first\n    b=2,\n    k=1\n)\n");
  EXPECT_EQ(on_call("b", "2", "f(a, b=2)\n"), "holds");
}

TEST(Argument, SignaturesToo) {
  const auto text = directive("ensure-argument!", {"k", "None"});
  EXPECT_EQ(on_function(text, "def f(a, b=1):\n    pass\n"), "def f(a, b=1, k=None):\n    pass\n");
  EXPECT_EQ(on_function(text, "def f(self, *args, **kwargs):\n    pass\n"),
            "def f(self, *args, k=None, **kwargs):\n    pass\n");
  EXPECT_EQ(on_function(text, "def f(\n    self,\n    a: int = 1,\n) -> None:\n    pass\n"),
            "def f(\n    self,\n    a: int = 1,\n    k=None,\n) -> None:\n    pass\n");
}

TEST(Append, StandsAtTheEndOfTheBody) {
  const auto text = directive("append!", {"if a:\n  b()"});
  EXPECT_EQ(on_function(text, "def f(a, b):\n    g = 1\n\nx = 2\n"),
            "def f(a, b):\n    g = 1\n    if a:\n        b()\n\nx = 2\n");
  EXPECT_EQ(on_function(directive("append!", {"g = 2"}), "def f(): g = 1\n"),
            "def f(): g = 1; g = 2\n");
  EXPECT_EQ(on_function(directive("append!", {"g = 2"}), "def f():\n    g = 1"),
            "def f():\n    g = 1\n    g = 2");
}

TEST(Insert, DefinesItsOwnNames) {
  EXPECT_EQ(on_statement(directive("insert-after!", {"Y = 1"}), "X = 1\nz = 1\n"),
            "X = 1\nY = 1\nz = 1\n");
  EXPECT_EQ(on_statement(directive("insert-after!", {"Y = 2"}), "X = 1\nz = 3\n"),
            "X = 1\nY = 2\nz = 3\n");
  EXPECT_EQ(on_statement(directive("insert-before!", {"Y = 2"}), "z = 3\nX = 1\n"),
            "z = 3\nY = 2\nX = 1\n");
}

TEST(Insert, KeepsLevelsOfItsText) {
  EXPECT_EQ(on_statement(directive("insert-after!", {"for i in (1, 2):\n  print(\n      i)"}),
                         "if z:\n    X = 1\n"),
            "if z:\n    X = 1\n    for i in (1, 2):\n        print(\n                i)\n");
  EXPECT_EQ(on_statement(directive("insert-after!", {"print(\n        1,\n    )"}), "X = 1\n"),
            "X = 1\nprint(\n    1,\n)\n");
}

TEST(Remove, ItemsLeaveNoBlanksBehind) {
  const auto rule =
      "((list (integer) @node) (#eq? @node \"1\") (#remove! @node))\n"
      "((module) @node (#in-path? \"file\") (#lacks? @node \"1\") (#held! @node))\n";
  EXPECT_EQ(apply_rule("python", rule, "x = [ 1,\n      2\n]\n"), "x = [\n      2\n]\n");
  EXPECT_EQ(apply_rule("python", rule, "x = [0, 1]\n"), "x = [0]\n");
  EXPECT_EQ(apply_rule("python", rule, "x = [\n    0,\n    1  # one\n]\n"),
            "x = [\n    0\n    # one\n]\n");
  EXPECT_EQ(apply_rule("python", rule, "x = [\n    0, 1, \n    # two\n    2,\n]\n"),
            "x = [\n    0,\n    # two\n    2,\n]\n");
  const auto in_enum =
      "((enum_specifier body: (enumerator_list (enumerator name: (_) @name) @node)) (#eq? @name "
      "\"kB\")\n"
      " (#remove! @node))\n"
      "((translation_unit) @node (#in-path? \"file\") (#lacks? @node \"kB\") (#held! @node))\n";
  EXPECT_EQ(apply_rule("cpp", in_enum, "enum E {\n  /* 0 */ kA,\n  /* 1 */ kB, \n  kC\n};\n"),
            "enum E {\n  /* 0 */ kA,\n  /* 1 */\n  kC\n};\n");
  EXPECT_EQ(apply_rule("cpp", in_enum, "enum E {\n  /* 0 */ kB, \n  /* 1 */ kC\n};\n"),
            "enum E {\n  /* 0 */\n  /* 1 */ kC\n};\n");
  EXPECT_EQ(apply_rule("cpp", in_enum, "enum E {\n  /* 0 */ kB /* b */,\n  kC\n};\n"),
            "enum E {\n  /* 0 */  /* b */\n  kC\n};\n");
  EXPECT_EQ(apply_rule("cpp", in_enum, "enum E {\n  kA ,\n  kB /* last */\n};\n"),
            "enum E {\n  kA\n  /* last */\n};\n");
}

TEST(Remove, ImportedNames) {
  const auto rule =
      "((import_from_statement module_name: (_) @module name: (_) @node) (#eq? @module \"a\") "
      "(#eq? "
      "@node \"b\") (#remove! @node))\n"
      "((module) @node (#in-path? \"file\") (#lacks? @node \"b\") (#held! @node))\n";
  EXPECT_EQ(apply_rule("python", rule, "from a import b, c\n"), "from a import c\n");
  EXPECT_EQ(apply_rule("python", rule, "from a import (\n    b,\n    c,  # see\n)\n"),
            "from a import (\n    c,  # see\n)\n");
  EXPECT_EQ(apply_rule("python", rule, "import os\nfrom a import b\n"), "import os\n");
  EXPECT_TRUE(
      apply_rule("python", rule, "from a import c, \\\n    b\n").contains("continued-line"));
}

TEST(Remove, StatementsOfBlocks) {
  EXPECT_EQ(removed("a = 1\nX = 1\nb = 2\n"), "a = 1\nb = 2\n");
  EXPECT_EQ(removed("def f():\n    a = 1\n    X = 1\n\n\nb = 2\n"),
            "def f():\n    a = 1\n\n\nb = 2\n");
  EXPECT_EQ(removed("def f():\n    X = 1\n    a = 1\n"), "def f():\n    a = 1\n");
  EXPECT_EQ(removed("class A:\n    X = 1\n"), "class A:\n    pass\n");
  EXPECT_EQ(removed("a = 1; X = 1\n"), "a = 1\n");
  EXPECT_EQ(removed("a = 1; X = 1;\n"), "a = 1\n");
  EXPECT_EQ(removed("a = 1\nX = 1;\nb = 2\n"), "a = 1\nb = 2\n");
  EXPECT_EQ(removed("a = 1\nX = 1;  # why\nb = 2\n"), "a = 1\n# why\nb = 2\n");
  EXPECT_EQ(removed("X = 1; b = 2\n"), "b = 2\n");
  EXPECT_EQ(removed("class A:\n    a = 1\n\n    # about X\n    X = 1\n\n    # later\n\nb = 2\n"),
            "class A:\n    a = 1\n\n    # about X\n\n    # later\n\nb = 2\n");
  EXPECT_EQ(removed("for i in b:  # each\n    X = 1\n"), "for i in b:  # each\n    pass\n");
  EXPECT_EQ(removed("a = 1\nX = 1  # why\nb = 2\n"), "a = 1\n# why\nb = 2\n");
}

TEST(Statement, LinesOfAStringStayAsTheyAre) {
  const auto rule = [](std::string_view text) {
    return "((expression_statement (call function: (identifier) @name)) @node (#eq? @name "
           "\"use\") " +
           directive("insert-after!", {text}) + ")";
  };
  EXPECT_EQ(
      apply_rule("python", rule("print(f\"\"\"{x}\n{y}\"\"\")"), "def f(x, y):\n    use(x)\n"),
      "def f(x, y):\n    use(x)\n    print(f\"\"\"{x}\n{y}\"\"\")\n");
  EXPECT_EQ(apply_rule("python", rule("print(f\"\"\"{x:\n  >3}\n{y}\"\"\")"),
                       "def f(x, y):\n    use(x)\n"),
            "def f(x, y):\n    use(x)\n    print(f\"\"\"{x:\n  >3}\n{y}\"\"\")\n");
  const auto in_cpp =
      "((expression_statement (call_expression function: (_) @name)) @node (#eq? "
      "@name \"use\") " +
      directive("insert-after!", {"print(R\"(x\n)\");"}) + ")";
  EXPECT_EQ(apply_rule("cpp", in_cpp, "void f() {\n  use(1);\n}\n"),
            "void f() {\n  use(1);\n  print(R\"(x\n)\");\n}\n");
}

}  // namespace
}  // namespace portpatch::test
