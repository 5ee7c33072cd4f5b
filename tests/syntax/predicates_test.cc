// The predicates as tree-sitter's Rust host evaluates them, and ours.
#include <gtest/gtest.h>

#include "tests/syntax/tree.h"

namespace portpatch::test {
namespace {

constexpr std::string_view kText = "a = b\na = a\nb = b\n";

/// Which of the three assignments of kText match, as "ab aa bb".
std::string which(const std::string& predicate) {
  return matches("python", "((assignment left: (_) @l right: (_) @r) " + predicate + ")", kText);
}

TEST(Predicates, EqComparesWithAStringOrACapture) {
  EXPECT_EQ(which("(#eq? @l \"a\")"), "0: @l a @r b\n0: @l a @r a\n");
  EXPECT_EQ(which("(#eq? @l a)"), "0: @l a @r b\n0: @l a @r a\n");
  EXPECT_EQ(which("(#not-eq? @l \"a\")"), "0: @l b @r b\n");
  EXPECT_EQ(which("(#eq? @l @r)"), "0: @l a @r a\n0: @l b @r b\n");
  EXPECT_EQ(which("(#not-eq? @l @r)"), "0: @l a @r b\n");
}

TEST(Predicates, MatchSearchesARegularExpression) {
  EXPECT_EQ(which("(#match? @r \"^[ac]$\")"), "0: @l a @r a\n");
  EXPECT_EQ(which("(#not-match? @r \"^[ac]$\")"), "0: @l a @r b\n0: @l b @r b\n");
  EXPECT_EQ(
      matches("python", "((string) @s (#match? @s \"\\xC3\\xA4|\\\\x41\"))", "x = ['A', 'B']"),
      "0: @s 'A'\n");
}

TEST(Predicates, MatchSeesBytesThatAreNotUtf8) {
  EXPECT_EQ(matches("python", "((string) @s (#match? @s \"b\"))",
                    "x = '\xff\xfe"
                    "b'"),
            "0: @s '\xff\xfe"
            "b'\n");
}

TEST(Predicates, AnyOfAndNotAnyOf) {
  EXPECT_EQ(which("(#any-of? @l \"b\" \"c\")"), "0: @l b @r b\n");
  EXPECT_EQ(which("(#not-any-of? @l \"b\" \"c\")"), "0: @l a @r b\n0: @l a @r a\n");
}

TEST(Predicates, SeveralMustAllHold) {
  EXPECT_EQ(which("(#eq? @l \"a\") (#eq? @r \"b\")"), "0: @l a @r b\n");
}

TEST(Predicates, PropertiesDecideNothing) {
  EXPECT_EQ(which("(#is? local) (#is-not? local) (#set! a b) (#eq? @l b)"), "0: @l b @r b\n");
}

/// Which of the functions aa, ab, bb, none match: their bodies are these statements.
std::string which_bodies(const std::string& predicate) {
  return matches("python",
                 "((function_definition name: (_) @f body: (block (expression_statement)* @x)) " +
                     predicate + ")",
                 "def aa():\n    a\n    a\ndef ab():\n    a\n    b\ndef bb():\n    b\n    b\ndef "
                 "none():\n    pass\n");
}

constexpr std::string_view kAa = "0: @f aa @x a @x a\n", kAb = "0: @f ab @x a @x b\n",
                           kBb = "0: @f bb @x b @x b\n", kNone = "0: @f none\n";

std::string all(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const auto part : parts) text += part;
  return text;
}

TEST(Predicates, OfAQuantifiedCaptureEveryNodeMustPass) {
  EXPECT_EQ(which_bodies("(#eq? @x \"a\")"), all({kAa, kNone}));
  EXPECT_EQ(which_bodies("(#not-eq? @x \"a\")"), all({kBb, kNone}));
  EXPECT_EQ(which_bodies("(#match? @x \"a\")"), all({kAa, kNone}));
  EXPECT_EQ(which_bodies("(#not-match? @x \"a\")"), all({kBb, kNone}));
  EXPECT_EQ(which_bodies("(#any-of? @x \"a\" \"c\")"), all({kAa, kNone}));
  EXPECT_EQ(which_bodies("(#not-any-of? @x \"a\" \"c\")"), all({kBb, kNone}));
}

TEST(Predicates, OfTheAnyFormsOneNodeIsEnough) {
  EXPECT_EQ(which_bodies("(#any-eq? @x \"a\")"), all({kAa, kAb, kNone}));
  EXPECT_EQ(which_bodies("(#any-not-eq? @x \"a\")"), all({kAb, kBb, kNone}));
  EXPECT_EQ(which_bodies("(#any-match? @x \"a\")"), all({kAa, kAb, kNone}));
  EXPECT_EQ(which_bodies("(#any-not-match? @x \"a\")"), all({kAb, kBb, kNone}));
}

TEST(Predicates, ACaptureThatIsNotBoundPasses) {
  constexpr std::string_view text = "def f(): pass\ndef g() -> int: pass\ndef h() -> str: pass\n";
  const auto which_of = [&](const std::string& predicate) {
    return matches("python",
                   "((function_definition name: (_) @f return_type: (_)? @t) " + predicate + ")",
                   text);
  };
  EXPECT_EQ(which_of("(#eq? @t \"int\")"), "0: @f f\n0: @f g @t int\n");
  EXPECT_EQ(which_of("(#not-eq? @t \"int\")"), "0: @f f\n0: @f h @t str\n");
  EXPECT_EQ(which_of("(#any-of? @t \"int\")"), "0: @f f\n0: @f g @t int\n");
}

TEST(Predicates, TwoCapturesAreComparedNodeByNode) {
  const auto which_ifs = [](const std::string& predicate) {
    return matches("python",
                   "((if_statement consequence: (block (expression_statement)* @a) alternative: "
                   "(else_clause body: (block (expression_statement)* @b))) " +
                       predicate + ")",
                   "if x:\n    a\n    b\nelse:\n    a\n    b\nif x:\n    a\n    b\nelse:\n    b\n  "
                   "  a\nif x:\n    a\n    b\nelse:\n    a\n    a\n"
                   "if x:\n    a\nelse:\n    a\n    b\n");
  };
  EXPECT_EQ(which_ifs("(#eq? @a @b)"), "0: @a a @a b @b a @b b\n");
  EXPECT_EQ(which_ifs("(#not-eq? @a @b)"), "0: @a a @a b @b b @b a\n");
  EXPECT_EQ(which_ifs("(#any-eq? @a @b)"),
            "0: @a a @a b @b a @b b\n0: @a a @a b @b a @b a\n0: @a a @b a @b b\n");
}

constexpr std::string_view kScopes = R"(X = 1
class A:
    X = 2
    class B:
        def f(self):
            X = 3
            return lambda: [X for _ in (X := 4,)]
def f():
    X = 5
)";

std::string in_scope(const std::string& patterns) {
  return matches(
      "python",
      "((assignment left: (identifier) @x right: (_) @v) (#in-scope? @x " + patterns + "))",
      kScopes);
}

TEST(Predicates, InScopeNamesTheScopesAround) {
  EXPECT_EQ(in_scope("\"\""), "0: @x X @v 1\n");
  EXPECT_EQ(in_scope("\"A\""), "0: @x X @v 2\n");
  EXPECT_EQ(in_scope("\"A.B.f\""), "0: @x X @v 3\n");
  EXPECT_EQ(in_scope("\"f\""), "0: @x X @v 5\n");
  EXPECT_EQ(in_scope("\"B.f\""), "");
  EXPECT_EQ(in_scope("\"A\" \"f\""), "0: @x X @v 2\n0: @x X @v 5\n");
}

TEST(Predicates, InScopeTakesOneStarForOneScopeAndTwoForAny) {
  EXPECT_EQ(in_scope("\"*\""), "0: @x X @v 2\n0: @x X @v 5\n");
  EXPECT_EQ(in_scope("\"A.*.f\""), "0: @x X @v 3\n");
  EXPECT_EQ(in_scope("\"A.*\""), "");
  EXPECT_EQ(in_scope("\"**.f\""), "0: @x X @v 3\n0: @x X @v 5\n");
  EXPECT_EQ(in_scope("\"A.**\""), "0: @x X @v 3\n");
  EXPECT_EQ(in_scope("\"**\""), "0: @x X @v 1\n0: @x X @v 2\n0: @x X @v 3\n0: @x X @v 5\n");
  EXPECT_EQ(in_scope("\"[AZ]\""), "0: @x X @v 2\n");
}

TEST(Predicates, InScopeKnowsNamespacesAndMembersDefinedOutside) {
  constexpr std::string_view text = R"(int x0 = 0;
namespace a { int x1 = 1; namespace { int x2 = 2; } struct S { void f() { int x3 = 3; } }; }
namespace a::b { int x4 = 4; }
void a::S::g() { int x5 = 5; }
int* A::h() { int x6 = 6; return 0; }
extern "C" { int x7 = 7; }
)";
  const auto in = [&](const std::string& scope) {
    return matches(
        "cpp", "((init_declarator declarator: (identifier) @x) (#in-scope? @x \"" + scope + "\"))",
        text);
  };
  EXPECT_EQ(in(""), "0: @x x0\n0: @x x7\n");
  EXPECT_EQ(in("a"), "0: @x x1\n0: @x x2\n");
  EXPECT_EQ(in("a.S.f"), "0: @x x3\n");
  EXPECT_EQ(in("a.b"), "0: @x x4\n");
  EXPECT_EQ(in("a.S.g"), "0: @x x5\n");
  EXPECT_EQ(in("A.h"), "0: @x x6\n");
  EXPECT_EQ(in("a::S::g"), "0: @x x5\n");
}

TEST(Predicates, InPathTakesGlobs) {
  const auto in = [&](const std::string& globs, std::string_view path) {
    return matches("python", "((identifier) @x (#in-path? " + globs + "))", "x\n", path) != "";
  };
  EXPECT_TRUE(in("\"a/b.py\"", "a/b.py"));
  EXPECT_TRUE(in("\"b.py\"", "a/b.py"));
  EXPECT_TRUE(in("\"**/b.py\"", "b.py"));
  EXPECT_TRUE(in("\"x\" \"a/**\"", "a/b/c.py"));
  EXPECT_FALSE(in("\"a/*\"", "a/b/c.py"));
  EXPECT_FALSE(in("\"c/b.py\"", "a/b.py"));
}

TEST(Predicates, LacksLooksForEqualCodeAtOrBelow) {
  constexpr std::string_view
      text = "MiB = 1024 * 1024\ndef f():\n    g(1)\ndef h():\n    x = 2 * MiB\n";
  const auto lacks = [&](const std::string& code) {
    return matches(
        "python", "((function_definition name: (_) @f body: (_) @b) (#lacks? @b \"" + code + "\"))",
        text);
  };
  EXPECT_EQ(lacks("g( 1 )"), "0: @f h @b x = 2 * MiB\n");
  EXPECT_EQ(lacks("x = 2097152"), "0: @f f @b g(1)\n");
  EXPECT_EQ(lacks("k()"), "0: @f f @b g(1)\n0: @f h @b x = 2 * MiB\n");
}

TEST(Predicates, TableListsEachOnceWithItsMeaning) {
  std::string names;
  for (const auto& row : predicate_table()) {
    names += std::string(row.name) + " ";
    EXPECT_FALSE(row.summary.empty()) << row.name;
  }
  EXPECT_EQ(names,
            "eq? not-eq? any-eq? any-not-eq? match? not-match? any-match? any-not-match? any-of? "
            "not-any-of? is? "
            "is-not? in-scope? in-path? reads? lacks? ");
}

/// Which value of `x = ...` or `y = ...` reads the text.
std::string reading(const std::string& text, const std::string& source) {
  return matches(
      "python",
      "((assignment left: (_) @name right: (_) @value) (#reads? @value \"" + text + "\"))", source);
}

TEST(Reads, LayoutAndCommentsDoNotMatter) {
  EXPECT_EQ(reading("f(a, b)", "x = f(a, b)\n"), "0: @name x @value f(a, b)\n");
  EXPECT_EQ(reading("f(a, b)", "x = f(\n  a,  # first\n  b,\n)\n"),
            "0: @name x @value f(\n  a,  # first\n  b,\n)\n");
  EXPECT_EQ(reading("[\\n  1,\\n  'b',\\n]", "x = [1, \"b\"]\n"), "0: @name x @value [1, \"b\"]\n");
  EXPECT_EQ(reading("f(a, b)", "x = f(b, a)\ny = f(a)\n"), "");
  EXPECT_EQ(reading("f(a, b)", "x = g(f(a, b))\n"), "");
}

TEST(Reads, NamesAreNotLookedUp) {
  EXPECT_EQ(reading("64 * MiB", "MiB = 1 << 20\nx = 64 * MiB\n"), "0: @name x @value 64 * MiB\n");
  EXPECT_EQ(reading("67108864", "MiB = 1 << 20\nx = 64 * MiB\n"), "");
  EXPECT_EQ(reading("MiB", "MiB = 7\nx = 7\n"), "");
}

TEST(Reads, EveryNodeOfTheCaptureMust) {
  const auto rule =
      "((function_definition body: (block (expression_statement)+ @x)) (#reads? @x \"f(1)\"))";
  EXPECT_EQ(matches("python", rule, "def a():\n    f(1)\n    f( 1 )\n"), "0: @x f(1) @x f( 1 )\n");
  EXPECT_EQ(matches("python", rule, "def a():\n    f(1)\n    f(2)\n"), "");
}

TEST(Reads, InCppToo) {
  EXPECT_EQ(matches("cpp", "((if_statement) @x (#reads? @x \"if (a) {\\n  f();\\n}\"))",
                    "void g() {\n  if (a) { f(); }  // why\n  if (b) { f(); }\n}\n"),
            "0: @x if (a) { f(); }\n");
}

}  // namespace
}  // namespace portpatch::test
