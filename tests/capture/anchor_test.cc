#include "capture/anchor.h"

#include <gtest/gtest.h>

#include "capture/tree_diff.h"
#include "tests/syntax/tree.h"

namespace portpatch::test {
namespace {

/// What points at the node that reads `text` (the `number`-th of that kind): pattern, predicates,
/// scope; "(old)" where it reads what the change replaces; "nothing".
std::string anchor(const std::string& before, const std::string& after, const std::string& kind,
                   const std::string& text, const std::string& language_name = "python",
                   std::size_t number = 0) {
  const auto a = tree_of(language_name, before), b = tree_of(language_name, after);
  const TreeContent one(a), two(b);
  const std::string path = "a.py";
  const auto diff = compare_trees(one, two);
  for (const auto& node : one.nodes_of_kind(kind)) {
    if (node.text(a.text()) != text || number-- > 0) continue;
    auto found = find_anchor({path, one, two}, {node, diff.match_of(node)});
    if (!found) return "nothing";
    name_captures(found->pattern, "x");
    auto out = print(found->pattern, 1);
    for (const auto& predicate : predicates_of(found->pattern)) out += " " + predicate;
    return out +
           (found->path.empty() ? " in \"" + join(found->scopes, "\", \"") + "\""
                                : " at " + found->path) +
           (found->reads_old_text ? " (old)" : "");
  }
  return "no such node";
}

TEST(Anchor, AContainerIsKnownByItsName) {
  EXPECT_EQ(anchor("A = {1: 2, 3: 4}\nB = {1: 2, 3: 4}\n",
                   "A = {1: 2, 3: 4, 5: 6}\nB = {1: 2, 3: 4}\n", "dictionary", "{1: 2, 3: 4}"),
            "(assignment left: (_) @name right: (dictionary) @x) (#eq? @name \"A\") in \"\"");
}

TEST(Anchor, NamesakesInOtherScopesDoNotCount) {
  const std::string one =
      "class A:\n    def f(self):\n        g(1)\n\n\nclass B:\n    def f(self):\n        g(1)\n";
  EXPECT_EQ(anchor(one, one + "x = 1\n", "call", "g(1)"),
            "(call function: (_) @function) @x (#eq? @function \"g\") in \"A.f\"");
  EXPECT_EQ(anchor(one, one + "x = 1\n", "call", "g(1)", "python", 1),
            "(call function: (_) @function) @x (#eq? @function \"g\") in \"B.f\"");
}

TEST(Anchor, OfNamesakesInOneScopeByTheirTextOrWhatIsAroundThem) {
  const std::string text = "def f(a):\n    g(a, 1)\n    g(a, 2)\n";
  EXPECT_EQ(anchor(text, text + "x = 1\n", "call", "g(a, 2)"),
            "(call) @x (#eq? @x \"g(a, 2)\") in \"f\"");
  const std::string around = "def f(a):\n    b = g(a)\n    c = g(a)\n";
  EXPECT_EQ(anchor(around, around + "x = 1\n", "call", "g(a)", "python", 1),
            "(assignment left: (_) @name right: (call) @x) (#eq? @name \"c\") in \"f\"");
}

TEST(Anchor, OfTwinsByTheirNeighbour) {
  const std::string text = "def f(a):\n    b()\n    g(a)\n    c()\n    g(a)\n";
  const auto found = anchor(text, text + "x = 1\n", "expression_statement", "g(a)", "python", 1);
  EXPECT_TRUE(found.contains(" . (expression_statement")) << found;
  EXPECT_TRUE(found.contains("\"c\"")) << found;
}

TEST(Anchor, WhatNothingTellsApartHasNone) {
  const std::string text = "def f(a):\n    g(a)\n    g(a)\n    g(a)\n";
  EXPECT_EQ(anchor(text, text + "x = 1\n", "call", "g(a)", "python", 1), "nothing");
}

TEST(Anchor, MayReadWhatTheChangeTakesAway) {
  EXPECT_EQ(anchor("def f(a):\n    assert a\n    b()\n", "def f(a):\n    b()\n", "assert_statement",
                   "assert a"),
            "(assert_statement) @x (#eq? @x \"assert a\") in \"f\" (old)");
}

TEST(Anchor, PositionIsNeverOne) {
  // The one that changes is the first, but nothing says so by a name.
  EXPECT_EQ(anchor("x = [1, 1, 2]\n", "x = [1, 1, 1, 2]\n", "integer", "1"), "nothing");
}

TEST(Anchor, TheFileIsKnownByItsPath) {
  EXPECT_EQ(anchor("x = 1\n", "x = 1\ny = 2\n", "module", "x = 1\n"), "(module) @x at a.py");
}

TEST(Anchor, OfCpp) {
  const std::string text = "namespace n {\nint a[] = {80, 90};\nint b[] = {80, 90};\n}\n";
  EXPECT_EQ(anchor(text, text + "int c;\n", "initializer_list", "{80, 90}", "cpp", 1),
            "(init_declarator\n   declarator: (array_declarator declarator: (_) @name)\n   value: "
            "(initializer_list) @x) (#eq? @name \"b\") in \"n\"");
}

}  // namespace
}  // namespace portpatch::test
