// ensure-definition!: what counts as the same, where a new one goes, how it is taken back.
#include <gtest/gtest.h>

#include "tests/edit/apply_rule.h"
#include "tests/edit/taken_back.h"

namespace portpatch::test {
namespace {

std::string scoped(std::string_view pattern, std::string_view text) {
  return fmt::format("(({}) @node (#in-path? \"file\") (#ensure-definition! @node {}))", pattern,
                     quoted(text));
}
std::string python(std::string_view text, const std::string& source) {
  return apply_rule("python", scoped("module", text), source);
}
std::string in_class(std::string_view text, const std::string& source) {
  return apply_rule("python", scoped("class_definition", text), source);
}
std::string cpp(std::string_view text, const std::string& source) {
  return apply_rule("cpp", scoped("translation_unit", text), source);
}
std::string in_namespace(std::string_view text, const std::string& source) {
  return apply_rule("cpp", scoped("namespace_definition", text), source);
}

constexpr std::string_view kF = "def f(x):\n    return x";

TEST(EnsureDefinition, FunctionsGoToTheEnd) {
  EXPECT_EQ(python(kF, "a = 1\n\n\ndef g():\n    pass\n"),
            "a = 1\n\n\ndef g():\n    pass\n\n\ndef f(x):\n    return x\n");
  EXPECT_EQ(python(kF, "a = 1\n\n\nif __name__ == \"__main__\":\n    a()\n"),
            "a = 1\n\n\ndef f(x):\n    return x\n\n\nif __name__ == \"__main__\":\n    a()\n");
  EXPECT_EQ(python(kF, "a = 1\nif __name__ == \"__main__\":\n    a()\n"),
            "a = 1\n\n\ndef f(x):\n    return x\n\n\nif __name__ == \"__main__\":\n    a()\n");
  EXPECT_EQ(python(kF, "def g():\n    pass\n\ndef h():\n    pass\n"),
            "def g():\n    pass\n\ndef h():\n    pass\n\ndef f(x):\n    return x\n");
}

TEST(EnsureDefinition, FunctionsGoBeforeTheirUse) {
  EXPECT_EQ(python(kF, "import a\n\n\n# About b.\nb = f(1)\n"),
            "import a\n\n\ndef f(x):\n    return x\n\n\n# About b.\nb = f(1)\n");
  EXPECT_EQ(python(kF, "def g():\n    return f(1)\n"),
            "def g():\n    return f(1)\n\n\ndef f(x):\n    return x\n");
  EXPECT_EQ(cpp("int f() { return 1; }", "int a() { return 2; }\n\nint g() { return f(); }\n"),
            "int a() { return 2; }\n\nint f() { return 1; }\n\nint g() { return f(); }\n");
}

TEST(EnsureDefinition, ConstantsGoToTheTop) {
  EXPECT_EQ(python("C = 3", "import a\n\nA = 1\nB = 2\n\n\ndef g():\n    D = 1\n"),
            "import a\n\nA = 1\nB = 2\nC = 3\n\n\ndef g():\n    D = 1\n");
  EXPECT_EQ(python("C = 3", "import a\n\n\ndef g():\n    pass\n"),
            "import a\n\nC = 3\n\n\ndef g():\n    pass\n");
  EXPECT_EQ(python("C = 3", "def g():\n    pass\n"), "C = 3\n\n\ndef g():\n    pass\n");
}

TEST(EnsureDefinition, MethodsGoToTheEndOfTheirClass) {
  EXPECT_EQ(in_class("@property\ndef f(self):\n    return 1",
                     "class A:\n    x = 1\n\n    def g(self):\n        pass\n\n\nb = A()\n"),
            "class A:\n    x = 1\n\n    def g(self):\n        pass\n\n    @property\n    def "
            "f(self):\n        return 1\n\n\nb = A()\n");
  EXPECT_EQ(in_class("y = 2", "class A:\n    x = 1\n\n    def g(self):\n        pass\n"),
            "class A:\n    x = 1\n    y = 2\n\n    def g(self):\n        pass\n");
}

TEST(EnsureDefinition, OverrideWritesOursOverTheirs) {
  constexpr const char* kOverride = "[defaults]\non-conflict = \"override\"\n";
  EXPECT_EQ(
      apply_rule("python", scoped("module", kF),
                 "# Theirs.\n@cache\ndef f(x):\n    # twice\n    return 2 * x\n\n\nb = f(1)\n",
                 kOverride),
      "# Theirs.\ndef f(x):\n    return x\n\n\nb = f(1)\n");
  EXPECT_EQ(apply_rule("python", scoped("class_definition", kF),
                       "class A:\n    def f(x):\n        y = x\n        return y\n", kOverride),
            "class A:\n    def f(x):\n        return x\n");
  EXPECT_EQ(apply_rule("cpp", scoped("translation_unit", "struct A {\n  int x;\n};"),
                       "struct A { long x; };\nA a;\n", kOverride),
            "struct A {\n  int x;\n};\nA a;\n");
  EXPECT_EQ(apply_rule("python", scoped("module", kF),
                       "def f(x):\n    return 2 * x\n\n\ndef f(x):\n    return 3 * x\n", kOverride),
            "conflict: differs: `f` stands there otherwise");
}

TEST(EnsureDefinition, InAFunctionGoesBeforeWhatMayUseIt) {
  const auto in_function = [](std::string_view text, const std::string& source) {
    return apply_rule("python",
                      fmt::format("((function_definition name: (_) @name) @node (#eq? @name \"g\") "
                                  "(#ensure-definition! @node {}))",
                                  quoted(text)),
                      source);
  };
  EXPECT_EQ(
      in_function(kF,
                  "def g(a):\n    \"\"\"Says a.\"\"\"\n    import b\n\n    # Now.\n    return a\n"),
      "def g(a):\n    \"\"\"Says a.\"\"\"\n    import b\n\n    def f(x):\n        return x\n\n    "
      "# "
      "Now.\n    return a\n");
  EXPECT_EQ(in_function("C = 3", "def g(a):\n    import b\n"),
            "def g(a):\n    import b\n\n    C = 3\n");
}

TEST(EnsureDefinition, StandsBehindItsNeighbour) {
  const auto rule = [](std::string_view text) {
    return fmt::format(
        "((module (function_definition name: (_) @name) @g) @node (#eq? @name \"g\") "
        "(#ensure-definition! @node {} @g))",
        quoted(text));
  };
  EXPECT_EQ(apply_rule("python", rule(kF), "def g():\n    pass\n\n\ndef h():\n    pass\n"),
            "def g():\n    pass\n\n\ndef f(x):\n    return x\n\n\ndef h():\n    pass\n");
  EXPECT_EQ(apply_rule("python", rule(kF), "def g():\n    pass\nx = 1\n"),
            "def g():\n    pass\n\n\ndef f(x):\n    return x\n\n\nx = 1\n");
}

TEST(EnsureDefinition, EqualBodiesHold) {
  EXPECT_EQ(python(kF, "def f( x ):  # ours\n\n    return (x)\n"), "holds");
  EXPECT_EQ(python("X = 0x10", "X = 16\n"), "holds");
  EXPECT_EQ(python(kF, "try:\n    def f(x):\n        return x\nfinally:\n    pass\n"), "holds");
  EXPECT_EQ(cpp("#define X 1", "#ifdef A\n#define X 1\n#endif\n"), "holds");
}

TEST(EnsureDefinition, OtherBodiesAreAConflict) {
  EXPECT_EQ(python(kF, "def f(x):\n    return 2\n"),
            "conflict: differs: `f` stands there otherwise");
  EXPECT_EQ(python(kF, "@cache\ndef f(x):\n    return x\n"),
            "conflict: differs: `f` stands there otherwise");
  EXPECT_EQ(python(kF, "from a import f\n"), "conflict: differs: `f` stands there otherwise");
  EXPECT_EQ(python(kF, "def g():\n    def f(x):\n        return 3\n"),
            "def g():\n    def f(x):\n        return 3\n\n\ndef f(x):\n    return x\n");
  EXPECT_EQ(python(kF, "if a():\n    def f(x):\n        return 3\n"),
            "conflict: differs: `f` stands there otherwise");
  EXPECT_EQ(cpp("#define X 1", "#define X 2\n"), "conflict: differs: `X` stands there otherwise");
}

TEST(EnsureDefinition, OverloadsAreNone) {
  EXPECT_EQ(cpp("int f(float a) { return 1; }", "int f(int a) { return 2; }\n"),
            "int f(int a) { return 2; }\n\nint f(float a) { return 1; }\n");
  EXPECT_EQ(cpp("int f(int b) { return 1; }", "int f(int a) { return 2; }\n"),
            "conflict: differs: `f` stands there otherwise");
}

TEST(EnsureDefinition, CppScopes) {
  EXPECT_EQ(in_namespace("__global__ void k(int* a) {\n  a[0] = 1;\n}",
                         "namespace n {\n\nint f() { return 1; }\n\n}  // namespace n\n"),
            "namespace n {\n\nint f() { return 1; }\n\n__global__ void k(int* a) {\n  a[0] = "
            "1;\n}\n\n}  // namespace n\n");
  EXPECT_EQ(
      in_namespace("struct S {\n  int a;\n};", "namespace n {\nstruct T {\n  int b;\n};\n}\n"),
      "namespace n {\nstruct T {\n  int b;\n};\n\nstruct S {\n  int a;\n};\n}\n");
  EXPECT_EQ(
      in_namespace("constexpr int kB = 2;",
                   "namespace n {\nconstexpr int kA = 1;\n\nint f() { return 1; }\n}\n"),
      "namespace n {\nconstexpr int kA = 1;\nconstexpr int kB = 2;\n\nint f() { return 1; }\n}\n");
  EXPECT_EQ(cpp("#define B 2", "#define A 1\n\nint f() { return 1; }\n"),
            "#define A 1\n#define B 2\n\nint f() { return 1; }\n");
  EXPECT_EQ(cpp("template <typename T>\nT f(T a) {\n  return a;\n}",
                "#include <a>\n\nint g() { return 1; }\n"),
            "#include <a>\n\nint g() { return 1; }\n\ntemplate <typename T>\nT f(T a) {\n  return "
            "a;\n}\n");
}

TEST(EnsureDefinition, StandsUnderNoCondition) {
  EXPECT_EQ(
      in_namespace(
          "int f() { return 1; }",
          "namespace n {\nint a() { return 1; }\n#ifdef A\nint b() { return 1; }\n#endif\n}\n"),
      "namespace n {\nint a() { return 1; }\n\nint f() { return 1; }\n#ifdef A\nint b() { return "
      "1; }\n#endif\n}\n");
  EXPECT_EQ(in_namespace("int f() { return 1; }",
                         "namespace n {\nint a() { return 1; }\n#ifdef A\nint b() { return 1; "
                         "}\n#else\nint f() { return 2; }\n#endif\n}\n"),
            "conflict: differs: `f` stands there otherwise");
  EXPECT_EQ(in_namespace("int f() { return 1; }",
                         "namespace n {\n#ifdef A\nint b() { return 1; }\n#else\nint f() { return "
                         "1; }\n#endif\n}\n"),
            "holds");
}

TEST(EnsureDefinition, RefusesWhatIsNoDefinition) {
  EXPECT_EQ(python("f(1)", "x = 1\n").substr(0, 8), "bad rule");
  EXPECT_EQ(python("a = 1\nb = 2", "x = 1\n").substr(0, 8), "bad rule");
  EXPECT_EQ(python("def f(x):\n    return unknown(x)", "x = 1\n"),
            "blocked: unseen-name: `unknown`, which the edit uses, is not defined in the file");
}

TEST(EnsureDefinition, IsTakenBack) {
  for (const std::string file :
       {"a = 1\n\n\ndef g():\n    pass\n", "a = 1\n\n\nif __name__ == \"__main__\":\n    a()\n",
        "import b\n\n\ndef g():\n    pass\n\n\nclass A:\n    pass\n"}) {
    EXPECT_EQ(taken_back("python", scoped("module", "# Ours.\ndef f(x):\n    return x"), file),
              file);
    EXPECT_EQ(taken_back("python", scoped("module", "C = 3"), file), file);
  }
  EXPECT_EQ(taken_back("python", scoped("class_definition", "def f(self):\n    return 1"),
                       "class A:\n    x = 1\n\n\nb = 1\n"),
            "class A:\n    x = 1\n\n\nb = 1\n");
  for (const std::string file : {"namespace n {\n\nint g() { return 1; }\n\n}  // namespace n\n",
                                 "namespace n {\nstruct T {\n  int b;\n};\n}\n"}) {
    EXPECT_EQ(taken_back("cpp", scoped("namespace_definition", "struct S {\n  int a;\n};"), file),
              file);
    EXPECT_EQ(taken_back("cpp", scoped("namespace_definition", "__global__ void k() {}"), file),
              file);
  }
}

}  // namespace
}  // namespace portpatch::test
