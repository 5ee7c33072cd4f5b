// New elements in Python's lists, tuples, sets and delimited strings.
#include <gtest/gtest.h>

#include "tests/edit/apply_rule.h"

namespace portpatch::test {
namespace {

TEST(PythonSequence, ListsTuplesAndSets) {
  EXPECT_EQ(python_element("8", "X = [4, 6]\n"), "X = [4, 6, 8]\n");
  EXPECT_EQ(python_element("5", "X = [4, 6]\n"), "X = [4, 5, 6]\n");
  EXPECT_EQ(python_element("'b'", "X = ['a', 'c']\n"), "X = ['a', 'c', 'b']\n");
  EXPECT_EQ(python_element("'b'", "X = {'a', 'c'}\n"), "X = {'a', 'b', 'c'}\n");
  EXPECT_EQ(python_element("8", "X = (4, 6)\n"), "X = (4, 6, 8)\n");
  EXPECT_EQ(python_element("8", "X = 4, 6\n"), "X = 4, 6, 8\n");
  EXPECT_EQ(python_element("8", "X = frozenset({4, 6})\n"), "X = frozenset({4, 6, 8})\n");
}

TEST(PythonSequence, OneTuplesKeepTheirComma) {
  EXPECT_EQ(python_element("8", "X = (4,)\n"), "X = (4, 8)\n");
  EXPECT_EQ(python_element("8", "X = ()\n"), "X = (8,)\n");
  EXPECT_EQ(python_element("8", "X = []\n"), "X = [8]\n");
}

TEST(PythonSequence, OneTuplesKeepTheirCommaOnLinesOfTheirOwn) {
  EXPECT_EQ(python_element("(9,)", "X = [\n    (\n        1,\n        2\n    ),\n]\n"),
            "X = [\n    (\n        1,\n        2\n    ),\n    (\n        9,\n    ),\n]\n");
}

TEST(PythonSequence, AMagicTrailingCommaStays) {
  EXPECT_EQ(python_element("8", "X = [\n    4,\n    6,\n]\n"),
            "X = [\n    4,\n    6,\n    8,\n]\n");
  EXPECT_EQ(python_element("8", "X = [4, 6,]\n"), "X = [4, 6, 8,]\n");
}

TEST(PythonSequence, PackedLinesStayPacked) {
  EXPECT_EQ(python_element("8", "X = [\n    1, 2, 3,\n    4, 5, 6,\n]\n"),
            "X = [\n    1, 2, 3,\n    4, 5, 6, 8,\n]\n");
}

TEST(PythonSequence, StringsSideBySideAreOneElement) {
  EXPECT_EQ(python_element("'b'", "X = [\n    'one '\n    'string',\n    'a',\n]\n"),
            "X = [\n    'one '\n    'string',\n    'a',\n    'b',\n]\n");
  EXPECT_EQ(python_element("'one string'", "X = [\n    'one '\n    'string',\n]\n"), "holds");
  EXPECT_EQ(python_element("'b'", "X = ['a' 'x']\n"), "X = ['a' 'x', 'b']\n");
}

TEST(PythonSequence, ListsOfTuples) {
  EXPECT_EQ(python_element("('b', 2)", "X = [\n    ('a', 1),\n]\n"),
            "X = [\n    ('a', 1),\n    ('b', 2),\n]\n");
  EXPECT_EQ(python_element("(12, 0)", "X = [(9, 0), (10, 0)]\n"),
            "X = [(9, 0), (10, 0), (12, 0)]\n");
}

TEST(PythonSequence, Spreads) {
  EXPECT_EQ(python_element("8", "X = [*base, 6]\n"), "X = [*base, 6, 8]\n");
  EXPECT_EQ(python_element("*more", "more = []\nX = [4, *base]\n"),
            "more = []\nX = [4, *base, *more]\n");
}

TEST(PythonSequence, DelimitedStrings) {
  EXPECT_EQ(python_element("cc:12.0", "X = \"9.0;10.0\"\n"), "X = \"9.0;10.0;12.0\"\n");
  EXPECT_EQ(python_element("cc:12.0a", "X = '9.0a;10.0a'\n"), "X = '9.0a;10.0a;12.0a'\n");
  EXPECT_EQ(python_element("'c'", "X = 'a, b'\n"), "X = 'a, b, c'\n");
  EXPECT_EQ(python_element("cc:12.0a", "X = \"9.0a;12.0\"\n"),
            "conflict: differs: the same cc stands there with another suffix");
}

TEST(PythonSequence, CcElementsAreSpelledAsTheirSiblings) {
  EXPECT_EQ(python_element("cc:12.0", "X = [9, 10]\n"), "X = [9, 10, 12]\n");
  EXPECT_EQ(python_element("cc:12.0", "X = [90, 100]\n"), "X = [90, 100, 120]\n");
  EXPECT_EQ(python_element("cc:12.0", "X = [900, 1000]\n"), "X = [900, 1000, 1200]\n");
  EXPECT_EQ(python_element("cc:12.0", "X = [(9, 0), (10, 0)]\n"),
            "X = [(9, 0), (10, 0), (12, 0)]\n");
  EXPECT_EQ(python_element("cc:12.0", "X = ['9.0', '10.0']\n"), "X = ['9.0', '10.0', '12.0']\n");
  EXPECT_EQ(python_element("cc:12.0a", "X = ['9.0a', '10.0a']\n"),
            "X = ['9.0a', '10.0a', '12.0a']\n");
  EXPECT_EQ(python_element("cc:12.0a", "X = {\"sm_90a\", \"sm_100a\"}\n"),
            "X = {\"sm_90a\", \"sm_100a\", \"sm_120a\"}\n");
  EXPECT_EQ(python_element("cc:12.0", "X = ['compute_90', 'compute_100']\n"),
            "X = ['compute_90', 'compute_100', 'compute_120']\n");
  EXPECT_EQ(python_element("cc:12.0", "X = [9, 10, 12]\n"), "holds");
}

TEST(PythonSequence, CommentsBetweenElementsStay) {
  EXPECT_EQ(python_element("8", "X = [\n    4,  # four\n    # six\n    6,\n    # end\n]\n"),
            "X = [\n    4,  # four\n    # six\n    6,\n    8,\n    # end\n]\n");
  EXPECT_EQ(python_element("8", "X = [\n    4,\n    6  # six\n]\n"),
            "X = [\n    4,\n    6,  # six\n    8\n]\n");
}

TEST(PythonSequence, ClassAttributesInTabsAndCrlf) {
  EXPECT_EQ(python_element("8", "class A:\r\n\tX = [\r\n\t\t4,\r\n\t]\r\n"),
            "class A:\r\n\tX = [\r\n\t\t4,\r\n\t\t8,\r\n\t]\r\n");
}

TEST(PythonSequence, QuotesAreTheHouses) {
  EXPECT_EQ(python_element("'b'", "X = [\"a\", \"c\"]\n"), "X = [\"a\", \"c\", \"b\"]\n");
  EXPECT_EQ(python_element("\"b\"", "X = ['a']\n"), "X = ['a', 'b']\n");
}

TEST(PythonSequence, HoldsWhenItIsThere) {
  EXPECT_EQ(python_element("8", "X = [4, 8]\n"), "holds");
  EXPECT_EQ(python_element("2 * 4", "X = (4, 8)\n"), "holds");
}

}  // namespace
}  // namespace portpatch::test
