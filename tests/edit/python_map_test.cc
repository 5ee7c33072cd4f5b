// Where a new entry goes in Python's maps, and how it stands there.
#include <gtest/gtest.h>

#include "tests/edit/apply_rule.h"

namespace portpatch::test {
namespace {

TEST(PythonMap, OneLineStaysOneLine) {
  EXPECT_EQ(python_entry("12", "3", "X = {9: 1, 10: 2}\n"), "X = {9: 1, 10: 2, 12: 3}\n");
  EXPECT_EQ(python_entry("12", "3", "X = {9:1,10:2}\n"), "X = {9:1,10:2,12:3}\n");
  EXPECT_EQ(python_entry("12", "3", "X = { 9: 1, 10: 2, }\n"), "X = { 9: 1, 10: 2, 12: 3, }\n");
}

TEST(PythonMap, ManyLinesGetOneMore) {
  EXPECT_EQ(python_entry("12", "3", "X = {\n    9: 1,\n    10: 2,\n}\n"),
            "X = {\n    9: 1,\n    10: 2,\n    12: 3,\n}\n");
  EXPECT_EQ(python_entry("12", "3", "X = {\n    9: 1,\n    10: 2\n}\n"),
            "X = {\n    9: 1,\n    10: 2,\n    12: 3\n}\n");
  EXPECT_EQ(python_entry("12", "3", "X = {9: 1,\n     10: 2}\n"),
            "X = {9: 1,\n     10: 2,\n     12: 3}\n");
}

TEST(PythonMap, CommentsStayWhereTheyAre) {
  EXPECT_EQ(python_entry("12", "3",
                         "X = {\n    9: 1,  # nine\n    # ten\n    10: 2  # ten\n    # end\n}\n"),
            "X = {\n    9: 1,  # nine\n    # ten\n    10: 2,  # ten\n    12: 3\n    # end\n}\n");
  EXPECT_EQ(python_entry("9", "3", "X = {  # all\n    # ten\n    10: 2,\n    12: 1,\n}\n"),
            "X = {  # all\n    9: 3,\n    # ten\n    10: 2,\n    12: 1,\n}\n");
}

TEST(PythonMap, EmptyOnesTakeTheFirst) {
  EXPECT_EQ(python_entry("12", "3", "X = {}\n"), "X = {12: 3}\n");
  EXPECT_EQ(python_entry("12", "3", "X = {\n}\n"), "X = {12: 3}\n");
  EXPECT_EQ(python_entry("12", "3", "X = {\n    # none yet\n}\n"),
            "X = {\n    # none yet\n    12: 3\n}\n");
  // Elsewhere in the file a last item has its comma.
  EXPECT_EQ(python_entry("12", "3", "X = {\n    # none yet\n}\ny = [\n    1,\n]\n"),
            "X = {\n    # none yet\n    12: 3,\n}\ny = [\n    1,\n]\n");
}

TEST(PythonMap, SortedKeysGetTheNewOneInOrder) {
  EXPECT_EQ(python_entry("10", "3", "X = {\n    9: 1,\n    12: 2,\n}\n"),
            "X = {\n    9: 1,\n    10: 3,\n    12: 2,\n}\n");
  EXPECT_EQ(python_entry("10", "3", "X = {12: 2, 9: 1}\n"), "X = {12: 2, 10: 3, 9: 1}\n");
  EXPECT_EQ(python_entry("'b'", "3", "X = {'a': 1, 'c': 2}\n"), "X = {'a': 1, 'b': 3, 'c': 2}\n");
  EXPECT_EQ(python_entry("10", "3", "X = {9: 1, 12: 2, 3: 4}\n"),
            "X = {9: 1, 12: 2, 3: 4, 10: 3}\n");
}

TEST(PythonMap, NestedValuesAreLaidOutLikeTheirSiblings) {
  EXPECT_EQ(python_entry("12", "{6: 1, 8: [2]}",
                         "X = {\n    9: {\n        6: 0,\n        8: [1],\n    },\n}\n"),
            "X = {\n    9: {\n        6: 0,\n        8: [1],\n    },\n    12: {\n        6: 1,\n   "
            "     8: [2],\n    },\n}\n");
  EXPECT_EQ(python_entry("12", "{\n    6: 1,\n}", "X = {\n  9: {6: 0},\n}\n"),
            "X = {\n  9: {6: 0},\n  12: {6: 1},\n}\n");
}

TEST(PythonMap, ValuesOfAnotherKindTakeNothingFromTheirSibling) {
  EXPECT_EQ(python_entry("'b'", "{2: 1, 'four': 128}", "X = {\n    'a': [('n', 0)],\n}\n"),
            "X = {\n    'a': [('n', 0)],\n    'b': {2: 1, 'four': 128},\n}\n");
}

TEST(PythonMap, CallsAndWrappersAroundOne) {
  EXPECT_EQ(python_entry("'b'", "3", "X = dict(a=1)\n"), "X = dict(a=1, b=3)\n");
  EXPECT_EQ(python_entry("'b'", "3", "X = OrderedDict([('a', 1)])\n"),
            "X = OrderedDict([('a', 1), ('b', 3)])\n");
  EXPECT_EQ(python_entry("12", "3", "X = MappingProxyType({9: 1})\n"),
            "X = MappingProxyType({9: 1, 12: 3})\n");
  EXPECT_EQ(
      python_entry("12", "3", "X = types.MappingProxyType(\n    {\n        9: 1,\n    }\n)\n"),
      "X = types.MappingProxyType(\n    {\n        9: 1,\n        12: 3,\n    }\n)\n");
  EXPECT_EQ(python_entry("12", "[1]", "X = defaultdict(list, {9: []})\n"),
            "X = defaultdict(list, {9: [], 12: [1]})\n");
}

TEST(PythonMap, AnnotatedAndInClasses) {
  EXPECT_EQ(python_entry("12", "3", "X: dict[int, int] = {9: 1}\n"),
            "X: dict[int, int] = {9: 1, 12: 3}\n");
  EXPECT_EQ(python_entry("12", "3", "class A:\n    X = {\n        9: 1,\n    }\n"),
            "class A:\n    X = {\n        9: 1,\n        12: 3,\n    }\n");
}

TEST(PythonMap, SubscriptStatementsAreRows) {
  const auto
      rule = "((assignment left: (subscript value: (identifier) @name)) @node (#eq? @name \"X\") " +
             directive("ensure-entry!", {"12", "[6, 8]"}) + ")";
  EXPECT_EQ(apply_rule("python", rule, "X = {}\nX[9] = [4, 8]\nX[10] = [6]  # ten\ny = 1\n"),
            "X = {}\nX[9] = [4, 8]\nX[10] = [6]  # ten\nX[12] = [6, 8]\ny = 1\n");
  EXPECT_EQ(apply_rule("python", rule, "def f(X):\n    X[13] = [4]\n    X[14] = [4]\n"),
            "def f(X):\n    X[12] = [6, 8]\n    X[13] = [4]\n    X[14] = [4]\n");
}

TEST(PythonMap, SpreadsKeepTheirPlace) {
  EXPECT_EQ(python_entry("12", "3", "X = {9: 1, **base}\n"), "X = {9: 1, **base, 12: 3}\n");
  EXPECT_EQ(python_entry("12", "3", "X = {**base, 9: 1}\n"), "X = {**base, 9: 1, 12: 3}\n");
}

TEST(PythonMap, TabsLineEndsAndMarksOfTheFile) {
  EXPECT_EQ(python_entry("12", "3", "X = {\n\t9: 1,\n}\n"), "X = {\n\t9: 1,\n\t12: 3,\n}\n");
  EXPECT_EQ(python_entry("12", "3", "X = {\r\n    9: 1,\r\n}\r\n"),
            "X = {\r\n    9: 1,\r\n    12: 3,\r\n}\r\n");
  EXPECT_EQ(python_entry("12", "3", "\xef\xbb\xbfX = {9: 1}\n"), "\xef\xbb\xbfX = {9: 1, 12: 3}\n");
  EXPECT_EQ(python_entry("12", "3", "X = {9: 1}"), "X = {9: 1, 12: 3}");
  EXPECT_EQ(python_entry("12", "'é'", "X = {9: 'ü', 'ключ': '値'}\n"),
            "X = {9: 'ü', 'ключ': '値', 12: 'é'}\n");
}

TEST(PythonMap, KeysAreSpelledAsTheirSiblings) {
  EXPECT_EQ(python_entry("cc:12.0", "3", "X = {9: 1, 10: 2}\n"), "X = {9: 1, 10: 2, 12: 3}\n");
  EXPECT_EQ(python_entry("cc:12.0", "3", "X = {(9, 0): 1, (10, 0): 2}\n"),
            "X = {(9, 0): 1, (10, 0): 2, (12, 0): 3}\n");
  EXPECT_EQ(python_entry("cc:12.0", "3", "X = {\"9.0\": 1, \"10.0\": 2}\n"),
            "X = {\"9.0\": 1, \"10.0\": 2, \"12.0\": 3}\n");
  EXPECT_EQ(python_entry("cc:12.0", "3", "X = {90: 1, 100: 2}\n"), "X = {90: 1, 100: 2, 120: 3}\n");
  EXPECT_EQ(python_entry("cc:12.0", "3", "X = {'sm_90': 1, 'sm_100': 2}\n"),
            "X = {'sm_90': 1, 'sm_100': 2, 'sm_120': 3}\n");
  EXPECT_EQ(python_entry("cc:12.0", "3", "X = {'a': 1, 'b': 2}\n").substr(0, 25),
            "blocked: unknown-spelling");
}

TEST(PythonMap, EqualHoldsAndOtherValuesConflict) {
  EXPECT_EQ(python_entry("12", "{2: 256 * MiB}", "MiB = 1024 * 1024\nX = {12: {2: 268435456}}\n"),
            "holds");
  EXPECT_EQ(python_entry("12", "4", "X = {12: 3}\n"),
            "conflict: differs: the key 12 stands there with another value");
  EXPECT_EQ(python_entry("12", "4", "X = {12: 3, 12: 4}\n"),
            "blocked: key-twice: the key 12 stands there twice with different values");
}

TEST(PythonMap, NamesMustBeVisible) {
  EXPECT_EQ(python_entry("12", "2 * MiB", "X = {9: 1}\n"),
            "blocked: unseen-name: `MiB`, which the edit uses, is not defined in the file");
  EXPECT_EQ(python_entry("12", "2 * MiB", "X = {9: 1}\nMiB = 1\n"),
            "blocked: unseen-name: `MiB`, which the edit uses, is defined only further down");
}

}  // namespace
}  // namespace portpatch::test
