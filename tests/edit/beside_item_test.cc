// insert-before! and insert-after! beside an item of a container.
#include <gtest/gtest.h>

#include "tests/edit/taken_back.h"

namespace portpatch::test {
namespace {

/// The rule on the item that reads `anchor` and is a child of `container`.
std::string beside(const std::string& container, const std::string& kind, const std::string& anchor,
                   const std::string& name, const std::string& text) {
  return "((" + container + " (" + kind + ") @node) (#eq? @node " + test::quoted(anchor) + ") " +
         directive(name, {text}) + ")\n";
}

std::string in_list(const std::string& name, const std::string& source) {
  return apply_rule("python", beside("list", "integer", "2", name, "5"), source);
}

TEST(BesideItem, AnElementOfAList) {
  EXPECT_EQ(in_list("insert-before!", "X = [1, 2, 3]\n"), "X = [1, 5, 2, 3]\n");
  EXPECT_EQ(in_list("insert-after!", "X = [1, 2, 3]\n"), "X = [1, 2, 5, 3]\n");
  EXPECT_EQ(in_list("insert-before!", "X = [2]\n"), "X = [5, 2]\n");
  EXPECT_EQ(in_list("insert-after!", "X = [1, 2]\n"), "X = [1, 2, 5]\n");
}

TEST(BesideItem, CommentsKeepTheirItem) {
  EXPECT_EQ(in_list("insert-before!", "X = [\n    1,  # one\n    # about two\n    2,  # two\n]\n"),
            "X = [\n    1,  # one\n    5,\n    # about two\n    2,  # two\n]\n");
  EXPECT_EQ(in_list("insert-after!", "X = [\n    2,  # two\n    # about three\n    3,\n]\n"),
            "X = [\n    2,  # two\n    5,\n    # about three\n    3,\n]\n");
  EXPECT_EQ(in_list("insert-after!", "X = [\n    1,\n    2  # two\n]\n"),
            "X = [\n    1,\n    2,  # two\n    5\n]\n");
}

TEST(BesideItem, OnItsSideItHoldsAnyDistanceAway) {
  EXPECT_EQ(in_list("insert-before!", "X = [5, 1, 2]\n"), "holds");
  EXPECT_EQ(in_list("insert-after!", "X = [2, 3, 0x5]\n"), "holds");
  EXPECT_EQ(in_list("insert-after!", "X = [5, 2]\n"), "X = [5, 2, 5]\n");
}

TEST(BesideItem, ATupleOfOne) {
  EXPECT_EQ(
      apply_rule("python", beside("tuple", "integer", "2", "insert-after!", "5"), "X = (2,)\n"),
      "X = (2, 5)\n");
  EXPECT_EQ(
      apply_rule("python", beside("tuple", "integer", "2", "insert-before!", "5"), "X = (2,)\n"),
      "X = (5, 2,)\n");
}

TEST(BesideItem, ArgumentsOfACall) {
  const auto after_b = [](const std::string& text, const std::string& source) {
    return apply_rule("python", beside("argument_list", "identifier", "b", "insert-after!", text),
                      source, "[defaults]\nnames = [\"c\"]\n");
  };
  EXPECT_EQ(after_b("c", "f(a, b, k=1)\n"), "f(a, b, c, k=1)\n");
  EXPECT_EQ(after_b("*c", "f(\n    a,\n    b,  # last\n)\n"),
            "f(\n    a,\n    b,  # last\n    *c,\n)\n");
  EXPECT_EQ(after_b("k=c", "f(a, b)\n"), "f(a, b, k=c)\n");
  EXPECT_EQ(after_b("c", "f(k=1, *b)\n"), "no-site");
  const auto behind_keyword = beside("argument_list", "keyword_argument", "k=1", "insert-after!",
                                     "2");
  EXPECT_EQ(apply_rule("python", behind_keyword, "f(k=1)\n"),
            "blocked: language-check: the edit would make a positional argument behind a keyword "
            "argument");
}

TEST(BesideItem, ParametersOfASignature) {
  const auto at_b = [](const std::string& name, const std::string& text,
                       const std::string& source) {
    return apply_rule("python", beside("parameters", "identifier", "b", name, text), source);
  };
  EXPECT_EQ(at_b("insert-after!", "c: int", "def f(self, b, *args):\n    pass\n"),
            "def f(self, b, c: int, *args):\n    pass\n");
  EXPECT_EQ(at_b("insert-before!", "c", "def f(\n    self,\n    b,\n):\n    pass\n"),
            "def f(\n    self,\n    c,\n    b,\n):\n    pass\n");
  EXPECT_EQ(apply_rule("cpp",
                       beside("parameter_list", "parameter_declaration", "int n", "insert-after!",
                              "cudaStream_t stream"),
                       "void launch(int n);\n"),
            "void launch(int n, cudaStream_t stream);\n");
}

TEST(BesideItem, EntriesOfADict) {
  const auto behind_9 = [](const std::string& text, const std::string& source) {
    return apply_rule("python",
                      "((dictionary (pair key: (_) @key) @node) (#eq? @key \"9\") " +
                          directive("insert-after!", {text}) + ")\n",
                      source);
  };
  EXPECT_EQ(behind_9("12: {\n    1: 2,\n}",
                     "X = {\n    9: {\n        1: 1,\n    },  # nine\n    10: {},\n}\n"),
            "X = {\n    9: {\n        1: 1,\n    },  # nine\n    12: {\n        1: 2,\n    },\n    "
            "10: {},\n}\n");
  EXPECT_EQ(behind_9("12: 5", "X = {12: 5, 9: 1}\n"), "holds");
}

TEST(BesideItem, AKeyWithAnotherValueIsAConflict) {
  EXPECT_EQ(apply_rule("python",
                       "((dictionary (pair key: (_) @key) @node) (#eq? @key \"9\") (#insert-after! "
                       "@node \"12: 5\"))\n",
                       "X = {9: 1, 12: 4}\n"),
            "conflict: differs: its key stands there with another value");
}

TEST(BesideItem, EnumeratorsAndInitialisersOfCpp) {
  const auto enumerator =
      "((enumerator name: (_) @name) @node (#eq? @name \"B\") (#insert-after! @node \"C = 7\"))\n";
  EXPECT_EQ(apply_rule("cpp", enumerator, "enum E { A, B, D };\n"), "enum E { A, B, C = 7, D };\n");
  EXPECT_EQ(apply_rule("cpp", enumerator, "enum class E {\n  A,\n  B,  // two\n};\n"),
            "enum class E {\n  A,\n  B,  // two\n  C = 7,\n};\n");
  EXPECT_EQ(
      apply_rule("cpp", beside("initializer_list", "number_literal", "90", "insert-after!", "100"),
                 "int a[] = {80, 90};\n"),
      "int a[] = {80, 90, 100};\n");
}

TEST(BesideItem, AFullArrayIsBlocked) {
  const auto rule = beside("initializer_list", "number_literal", "90", "insert-before!", "85");
  const auto full = "blocked: fixed-size: it is declared with room for 2 and has 2";
  EXPECT_EQ(apply_rule("cpp", rule, "int a[2] = {80, 90};\n"), full);
  EXPECT_EQ(apply_rule("cpp", rule, "std::array<int, 2> a = {80, 90};\n"), full);
  EXPECT_EQ(apply_rule("cpp", rule, "int a[3] = {80, 90};\n"), "int a[3] = {80, 85, 90};\n");
}

TEST(BesideItem, IsTakenBackByteForByte) {
  for (const auto* source :
       {"X = [1, 2, 3]\n", "X = [2]\n", "X = [\n    1,\n    2,  # two\n    3,\n]\n",
        "X = [\n    1,\n    2  # two\n]\n", "X = [1,\n     2]\n", "X = [\r\n    2,\r\n]\r\n"}) {
    EXPECT_EQ(taken_back("python", beside("list", "integer", "2", "insert-after!", "5"), source),
              source);
    EXPECT_EQ(taken_back("python", beside("list", "integer", "2", "insert-before!", "5"), source),
              source);
  }
  const std::string hanging = "void g() {\n  launch(m,\n         n);\n}\n";
  EXPECT_EQ(taken_back("cpp", beside("argument_list", "identifier", "n", "insert-after!", "stream"),
                       hanging),
            hanging);
}

}  // namespace
}  // namespace portpatch::test
