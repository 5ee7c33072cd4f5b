#include "capture/tree_diff.h"

#include <gtest/gtest.h>

#include "tests/syntax/tree.h"

namespace portpatch::test {
namespace {

using namespace std::string_literals;

/// The changes, a line each: "in KIND: - GONE + CAME", code on one line.
std::string changes(const std::string& before, const std::string& after,
                    const std::string& language_name = "python") {
  const auto a = tree_of(language_name, before), b = tree_of(language_name, after);
  const TreeContent one(a), two(b);
  std::string out;
  for (const auto& change : compare_trees(one, two).changes) {
    out += "in " + std::string(change.old_parent.kind()) + ":";
    for (const auto& node : change.removed) out += " - " + std::string(node.text(a.text()));
    for (const auto& node : change.inserted) out += " + " + std::string(node.text(b.text()));
    out += "\n";
  }
  return out;
}

TEST(TreeDiff, EqualCodeHasNoChange) {
  EXPECT_EQ(changes("x = [1, 2]  # a\n", "# b\nx = [\n    1,\n    2,\n]\n"), "");
}

TEST(TreeDiff, ItemsComeAndGoOneByOne) {
  EXPECT_EQ(changes("x = {9: 1, 10: 2}\n", "x = {9: 1, 10: 2, 12: 3}\n"),
            "in dictionary: + 12: 3\n");
  EXPECT_EQ(changes("x = [1, 2, 3]\n", "x = [1, 3]\n"), "in list: - 2\n");
  EXPECT_EQ(changes("f(a, b)\n", "f(a, c, b)\n"), "in argument_list: + c\n");
}

TEST(TreeDiff, StatementsOfABlock) {
  EXPECT_EQ(changes("a()\nb()\nc()\n", "a()\nd()\nb()\n"), "in module: + d()\nin module: - c()\n");
  EXPECT_EQ(changes("def f():\n    a()\n", "def f():\n    a()\n    b()\n    c()\n"),
            "in block: + b() + c()\n");
}

TEST(TreeDiff, AValueIsToldWithoutItsStatement) {
  EXPECT_EQ(changes("x = 1\ny = 2\n", "x = 1\ny = 3\n"), "in assignment: - 2 + 3\n");
  EXPECT_EQ(changes("f(a, b=1)\n", "f(a, b=2)\n"), "in keyword_argument: - 1 + 2\n");
}

TEST(TreeDiff, ADefinitionIsKnownByItsName) {
  EXPECT_EQ(changes("def f():\n    a(1)\n    b(2)\n\n\ndef g():\n    c(3)\n",
                    "def g():\n    c(3)\n\n\ndef f():\n    a(1)\n    b(2)\n"),
            changes("def f():\n    a(1)\n    b(2)\n\n\ndef g():\n    c(3)\n",
                    "def g():\n    c(3)\n\n\ndef f():\n    a(1)\n    b(2)\n"));
  EXPECT_EQ(changes("def f():\n    a(1)\n", "def f():\n    x(7, 8)\n    while y:\n        z()\n"),
            "in block: - a(1) + x(7, 8) + while y:\n        z()\n");
}

TEST(TreeDiff, ManyChangedNeighboursAreToldOneByOne) {
  std::string before, after, told;
  for (int i = 0; i < 120; ++i) {
    const auto front = "def f" + std::to_string(i) + "():\n    return g(";
    before += front + "1)\n";
    after += front + "2)\n";
    told += "in argument_list: - 1 + 2\n";
  }
  EXPECT_EQ(changes(before, after), told);
  // One that went to the end takes no other with it.
  const auto moved = "def moved():\n    return h("s;
  EXPECT_EQ(changes(moved + "1)\n" + before, after + moved + "2)\n"),
            "in module: - " + moved + "1)\n" + told + "in module: + " + moved + "2)\n");
}

TEST(TreeDiff, WhatGetsSomethingAroundItIsReplacedWhole) {
  EXPECT_EQ(changes("if a(b):\n    c()\n", "if a(b) or d:\n    c()\n"),
            "in if_statement: - a(b) + a(b) or d\n");
}

TEST(TreeDiff, AClauseMayCome) {
  EXPECT_EQ(changes("if a:\n    b()\n", "if a:\n    b()\nelif c:\n    d()\n"),
            "in if_statement: + elif c:\n    d()\n");
}

TEST(TreeDiff, MatchesLeadFromOldToNew) {
  const auto a = tree_of("python", "def f():\n    return g(1)\n"),
             b = tree_of("python", "x = 1\n\n\ndef f():\n    return g(1)\n");
  const TreeContent one(a), two(b);
  const auto diff = compare_trees(one, two);
  const auto call = one.nodes_of_kind("call").at(0);
  EXPECT_EQ(diff.match_of(call).range().begin, b.text().find("g(1)"));
}

TEST(TreeDiff, TokensBetweenIsTheSizeOfWhatCameAndWent) {
  const auto distance = [](const std::string& one, const std::string& two) {
    const auto a = tree_of("python", one), b = tree_of("python", two);
    return tokens_between(TreeContent(a), TreeContent(b));
  };
  EXPECT_EQ(distance("x = 1\n", "x = 1  # same\n"), 0u);
  EXPECT_EQ(distance("x = [1]\n", "x = [1, 2]\n"), 1u);
  EXPECT_EQ(distance("x = {1: 2, 3: 4}\n", "x = {1: 2, 3: 4, 9: 1}\n"), 3u);
}

TEST(TreeDiff, Cpp) {
  EXPECT_EQ(changes("int a[] = {80, 90};\n", "int a[] = {80, 90, 120};\n", "cpp"),
            "in initializer_list: + 120\n");
  EXPECT_EQ(changes("#if A\nint x;\n#endif\n", "#if A || B\nint x;\n#endif\n", "cpp"),
            "in preproc_if: - A + A || B\n");
}

}  // namespace
}  // namespace portpatch::test
