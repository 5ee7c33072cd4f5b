#include "syntax/code_value.h"

#include <gtest/gtest.h>

#include "tests/syntax/tree.h"

namespace portpatch::test {
namespace {

/// Are the two expressions equal as code in a module that begins with `module`?
bool same(std::string_view a, std::string_view b, std::string_view module = "",
          std::string_view language_name = "python") {
  const auto tree = tree_of(language_name, module);
  CodeEvaluator evaluator(tree);
  const auto parse = [&](std::string_view text) {
    auto fragment = Fragment::parse_any(language(language_name), text);
    if (!fragment) throw std::runtime_error(fragment.error().message);
    return evaluator.canonical(*fragment);
  };
  return parse(a) == parse(b);
}

TEST(CodeValue, NamesThatAModuleDefinesOnceAreEvaluated) {
  EXPECT_TRUE(same("256 * MiB", "268435456", "KiB = 1024\nMiB = KiB * 1024\n"));
  EXPECT_TRUE(same("256 * MiB", "MiB << 8", "MiB: int = 1024 * 1024\n"));
  EXPECT_FALSE(same("256 * MiB", "268435457", "MiB = 1024 * 1024\n"));
  EXPECT_FALSE(same("256 * MiB", "268435456", ""));
}

TEST(CodeValue, NamesThatCouldMeanSomethingElseAreNot) {
  EXPECT_FALSE(same("X", "1", "X = 1\nX = 2\n"));
  EXPECT_FALSE(same("X", "1", "X = 1\nX += 1\n"));
  EXPECT_FALSE(same("X", "1", "X = 1\nfor X in y: pass\n"));
  EXPECT_FALSE(same("X", "1", "X = 1\ndef f():\n    global X\n    X = 2\n"));
  EXPECT_FALSE(same("X", "1", "X = 1\ndef f(X): pass\n"));
  EXPECT_FALSE(same("X", "1", "def f():\n    X = 1\n"));
  EXPECT_FALSE(same("X", "1", "class A:\n    X = 1\n"));
  EXPECT_FALSE(same("X", "1", "X = X\n"));
  EXPECT_FALSE(same("X", "1", "X = f(1)\n"));
  EXPECT_FALSE(same("a.X", "1", "X = 1\n"));
}

TEST(CodeValue, ANameIsWhatItIsWhereItHasNoValue) {
  EXPECT_TRUE(same("f(X, 1)", "f( X,1 )"));
  EXPECT_FALSE(same("X", "Y"));
}

TEST(CodeValue, NumbersAreEqualByKindAndValue) {
  EXPECT_TRUE(same("0x10", "16"));
  EXPECT_TRUE(same("1_000", "1000"));
  EXPECT_TRUE(same("(1)", "1"));
  EXPECT_TRUE(same("-(-1)", "1"));
  EXPECT_TRUE(same("2 ** 10", "1024"));
  EXPECT_TRUE(same("7 // 2", "3"));
  EXPECT_TRUE(same("1.50", "1.5"));
  EXPECT_TRUE(same("1 / 2", "1 /  2"));
  EXPECT_FALSE(same("1", "1.0"));
  EXPECT_FALSE(same("1", "True"));
  EXPECT_FALSE(same("0", "None"));
  EXPECT_FALSE(same("1", "\"1\""));
  EXPECT_FALSE(same("-7 // 2", "-3"));
  EXPECT_FALSE(same("2 ** 64", "0"));
  EXPECT_FALSE(same("9223372036854775807 + 1", "-9223372036854775808"));
  EXPECT_FALSE(same("0.0", "-0.0"));
}

TEST(CodeValue, IntegersBeyond64BitsAreNotRounded) {
  for (const auto* name : {"cpp", "json"}) {
    EXPECT_FALSE(same("12345678901234567890", "12345678901234567891", "", name)) << name;
    EXPECT_FALSE(same("-12345678901234567890", "-12345678901234567891", "", name)) << name;
    EXPECT_TRUE(same("12345678901234567890", "12345678901234567890", "", name)) << name;
    EXPECT_TRUE(same("1e3", "1000.0", "", name)) << name;
  }
  EXPECT_FALSE(same("12345678901234567890L", "12345678901234567891L", "", "cpp"));
}

TEST(CodeValue, StringsAreEqualByContent) {
  EXPECT_TRUE(same("'a'", "\"a\""));
  EXPECT_TRUE(same("'a' 'b'", "\"ab\""));
  EXPECT_TRUE(same("'a' + 'b'", "'''ab'''"));
  EXPECT_TRUE(same("r'\\d'", "'\\\\d'"));
  EXPECT_FALSE(same("'a'", "b'a'"));
  EXPECT_FALSE(same("f'a'", "'a'"));
  EXPECT_FALSE(same("'a' b'b'", "'ab'"));
  EXPECT_FALSE(same("'a'", "'A'"));
  EXPECT_FALSE(same("'\\d'", "'d'"));
  EXPECT_FALSE(same("f'{a}'", "f'{b}'"));
}

TEST(CodeValue, OrderMattersInListsAndTuplesOnly) {
  EXPECT_TRUE(same("{1: 2, 3: 4}", "{3: 4, 1: 2}"));
  EXPECT_TRUE(same("{1, 2}", "{2, 1}"));
  EXPECT_TRUE(same("{1, 1}", "{1}"));
  EXPECT_TRUE(same("frozenset([1, 2])", "frozenset([2, 1])"));
  EXPECT_FALSE(same("[1, 2]", "[2, 1]"));
  EXPECT_FALSE(same("(1, 2)", "(2, 1)"));
  EXPECT_FALSE(same("[1, 2]", "(1, 2)"));
  EXPECT_FALSE(same("[1]", "{1}"));
  EXPECT_FALSE(same("[1, 1]", "[1]"));
  EXPECT_FALSE(same("{1: 2}", "{2: 1}"));
  EXPECT_FALSE(same("(1,)", "(1)"));
  EXPECT_FALSE(same("{**a, 1: 2}", "{1: 2, **a}"));
  EXPECT_FALSE(same("{1: 2, 1: 3}", "{1: 3, 1: 2}"));
}

TEST(CodeValue, LayoutCommentsAndTrailingCommasDoNotMatter) {
  EXPECT_TRUE(same("{\n  1: [2,  # two\n      3,],\n}", "{1: [2, 3]}"));
  EXPECT_TRUE(same("f(a,\n  b=1,\n)", "f(a, b=1)"));
  EXPECT_TRUE(same("(a\n + b)", "a + b"));
}

TEST(CodeValue, TextThatLooksAlikeIsNotEqual) {
  EXPECT_FALSE(same("a.b", "ab"));
  EXPECT_FALSE(same("f(a, b)", "f(ab)"));
  EXPECT_FALSE(same("a - b", "a + b"));
  EXPECT_FALSE(same("a < b", "a <= b"));
  EXPECT_FALSE(same("not a", "a"));
  EXPECT_FALSE(same("a if b else c", "c if b else a"));
  EXPECT_FALSE(same("f(x=1)", "f(y=1)"));
  EXPECT_FALSE(same("f(*a)", "f(**a)"));
  EXPECT_FALSE(same("[*a]", "[a]"));
  EXPECT_FALSE(same("await a", "a"));
  EXPECT_FALSE(same("lambda: a", "lambda a: a"));
  EXPECT_FALSE(same("x: int = 1", "x: float = 1"));
}

TEST(CodeValue, CppLiteralsAndConstants) {
  const auto cpp = [](std::string_view a, std::string_view b, std::string_view module = "") {
    return same(a, b, module, "cpp");
  };
  EXPECT_TRUE(cpp("256 * kMiB", "268435456", "constexpr int kMiB = 1024 * 1024;\n"));
  EXPECT_TRUE(
      cpp("256 * kMiB", "268435456", "namespace a { static const unsigned kMiB = 1 << 20; }\n"));
  EXPECT_TRUE(cpp("0x10", "16u"));
  EXPECT_TRUE(cpp("1'000", "1000"));
  EXPECT_TRUE(cpp("{1, {2, 3}}", "{ 1, { 2, 3 }, }"));
  EXPECT_TRUE(cpp("\"a\" \"b\"", "\"ab\""));
  EXPECT_FALSE(cpp("{1, 2}", "{2, 1}"));
  EXPECT_FALSE(cpp("017", "17"));
  EXPECT_FALSE(cpp("7 / 2", "3"));
  EXPECT_FALSE(cpp("kMiB", "1", "constexpr int kMiB = 1;\nvoid f() { int kMiB = 2; }\n"));
  EXPECT_FALSE(cpp("kMiB", "1", "#define kMiB 2\nconstexpr int kMiB = 1;\n"));
  EXPECT_FALSE(cpp("'a'", "\"a\""));
  EXPECT_FALSE(cpp("true", "1"));
  EXPECT_FALSE(cpp("nullptr", "0"));
  EXPECT_FALSE(cpp("L\"a\"", "\"a\""));
  EXPECT_FALSE(cpp("R\"(a)\"", "\"a\""));
}

TEST(CodeValue, AVariableThatIsNoConstantHasNoValueInCpp) {
  EXPECT_FALSE(same("n", "1", "int n = 1;\nvoid f() { n = 2; }\n", "cpp"));
}

TEST(CodeValue, DataLanguages) {
  EXPECT_TRUE(same("{\"a\": 1, \"b\": [1, 2]}", "{ \"b\": [1,2], \"a\": 1 }", "", "json"));
  EXPECT_FALSE(same("[1, 2]", "[2, 1]", "", "json"));
  EXPECT_FALSE(same("1", "\"1\"", "", "json"));
  EXPECT_FALSE(same("true", "null", "", "json"));
  EXPECT_TRUE(same("{ a = 1, b = 2 }", "{b=2,a=1}", "", "toml"));
  EXPECT_TRUE(same("\"a\"", "'a'", "", "toml"));
  EXPECT_TRUE(same("{a: 1, b: 2}", "{b: 2, a: 1}", "", "yaml"));
  EXPECT_TRUE(same("'a'", "\"a\"", "", "yaml"));
  EXPECT_FALSE(same("a", "b", "", "yaml"));
  EXPECT_FALSE(same("1", "'1'", "", "yaml"));
}

TEST(CodeValue, DeepNestingEnds) {
  const std::string deep = std::string(1900, '[') + std::string(1900, ']');
  EXPECT_TRUE(same(deep, deep));
}

TEST(CodeValue, FindEqualFindsStatementsInARow) {
  const auto tree = tree_of("python", "def f():\n    a = 1\n    b  =  0x2\n    c = 3\n");
  const auto fragment = Fragment::parse(language("python"), "statement", "a = 1\nb = 2\n");
  ASSERT_TRUE(fragment);
  const auto found = find_equal(tree, tree.root(), *fragment);
  ASSERT_TRUE(found);
  EXPECT_EQ(found.text(tree.text()), "a = 1");
  const auto other = Fragment::parse(language("python"), "statement", "a = 1\nc = 3\n");
  EXPECT_FALSE(find_equal(tree, tree.root(), *other));
}

TEST(CodeValue, DefinitionsAreWholeWords) {
  const auto tree = tree_of("python", "ab = 1\na = 2\ndef a(): pass\nx.a = 3\nimport q as a\n");
  EXPECT_EQ(definitions_of(tree, "a").size(), 3u);
}

}  // namespace
}  // namespace portpatch::test
