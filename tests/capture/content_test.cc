#include "capture/content.h"

#include <gtest/gtest.h>

#include "tests/syntax/tree.h"

namespace portpatch::test {
namespace {

/// Do the two files say the same?
bool same(const std::string& one, const std::string& two,
          const std::string& language_name = "python") {
  const auto a = tree_of(language_name, one), b = tree_of(language_name, two);
  return same_content(TreeContent(a), a.root(), TreeContent(b), b.root());
}

TEST(TreeContent, CommentsAndLayoutSayNothing) {
  EXPECT_TRUE(same("f(a, b)\n", "f(\n    a,  # first\n    b,\n)\n"));
  EXPECT_TRUE(same("x = 1\n", "# why\n\nx   =  1  # one\n"));
  EXPECT_TRUE(same("if a:\n    b()\n", "if a:\n  b()\n"));
}

TEST(TreeContent, GroupingParenthesesAndQuotesSayNothing) {
  EXPECT_TRUE(same("x = a or b\n", "x = (\n    a\n    or b\n)\n"));
  EXPECT_TRUE(same("x = 'a'\n", "x = \"a\"\n"));
  EXPECT_TRUE(same("x = [1, 2]\n", "x = [1, 2,]\n"));
}

TEST(TreeContent, NothingIsEvaluated) {
  EXPECT_FALSE(same("x = 64\n", "x = 0x40\n"));
  EXPECT_FALSE(same("x = {1: a, 2: b}\n", "x = {2: b, 1: a}\n"));
  EXPECT_FALSE(same("x = 'a'\n", "x = b'a'\n"));
  EXPECT_FALSE(same("x = 'a\\n'\n", "x = r'a\\n'\n"));
}

TEST(TreeContent, ATupleOfOneIsNoGroup) { EXPECT_FALSE(same("x = (a,)\n", "x = (a)\n")); }

TEST(TreeContent, BlocksEndWhereTheyEnd) {
  EXPECT_FALSE(same("if a:\n    b()\n    c()\n", "if a:\n    b()\nc()\n"));
}

TEST(TreeContent, SizeCountsTokens) {
  const auto tree = tree_of("python", "f(a, b)  # no token\n");
  EXPECT_EQ(TreeContent(tree).size(tree.root()), 6u);
  const auto text = tree_of("python", "x = \"one token\"\n");
  EXPECT_EQ(TreeContent(text).size(text.root()), 3u);
}

TEST(TreeContent, NodesOfAKindStandInTheOrderOfTheSource) {
  const auto tree = tree_of("python", "a = f(b)\nc = 1\n");
  std::string names;
  const TreeContent content(tree);
  for (const auto& node : content.nodes_of_kind("identifier")) names += node.text(tree.text());
  EXPECT_EQ(names, "afbc");
}

TEST(TreeContent, TheLastCommaOfAListIsNoCode) {
  const auto tree = tree_of("python", "x = [1, 2,  # two\n]\n");
  const TreeContent content(tree);
  const auto list = content.nodes_of_kind("list").at(0);
  std::string children;
  for (const auto& child : code_children(tree, list)) children += child.text(tree.text());
  EXPECT_EQ(children, "[1,2]");
}

}  // namespace
}  // namespace portpatch::test
