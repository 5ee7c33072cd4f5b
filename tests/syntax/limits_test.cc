// Limits of parsing and of queries (base/limits.h) on texts that meet them.
#include <gtest/gtest.h>

#include "syntax/parse_budget.h"
#include "tests/syntax/tree.h"

namespace portpatch::test {
namespace {

std::string repeated(std::string_view text, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

std::string code_of(std::string_view of_language, const std::string& text) {
  const auto tree = SourceTree::parse(language(of_language), text);
  return tree ? "read" : tree.error().code;
}

TEST(ParseLimits, ADeepTreeIsRefusedInEveryLanguage) {
  const auto nested = [](std::string_view open, std::string_view close, std::size_t depth) {
    return repeated(open, depth) + "1" + repeated(close, depth);
  };
  for (const std::size_t depth : {100u, 10'000u}) {
    const auto expected = depth < 2'000 ? "read" : "limit-depth";
    EXPECT_EQ(code_of("python", "a = " + nested("[", "]", depth) + "\n"), expected);
    EXPECT_EQ(code_of("python", "a = " + repeated("-", depth) + "1\n"), expected);
    EXPECT_EQ(code_of("python", "a = " + nested("{1: ", "}", depth) + "\n"), expected);
    EXPECT_EQ(code_of("python", "a = 1" + repeated(" + 1", depth) + "\n"), expected);
    EXPECT_EQ(code_of("cpp", "int a = " + nested("(", ")", depth) + ";\n"), expected);
    EXPECT_EQ(code_of("cpp", "void f() {" + repeated("if (a) {} else ", depth) + "{} }\n"),
              expected);
    EXPECT_EQ(code_of("json", nested("[", "]", depth)), expected);
    EXPECT_EQ(code_of("toml", "a = " + nested("[", "]", depth) + "\n"), expected);
    EXPECT_EQ(code_of("yaml", "a: " + nested("[", "]", depth) + "\n"), expected);
  }
}

TEST(ParseLimits, AFlatTextOfTheSameSizeIsRead) {
  EXPECT_EQ(code_of("python", "a = [" + repeated("1, ", 10'000) + "]\n"), "read");
  EXPECT_EQ(code_of("python", "if a:\n  b\n" + repeated("elif c:\n  d\n", 10'000)), "read");
}

TEST(ParseLimits, ABudgetEndsAtItsSteps) {
  ParseBudget budget;
  for (std::size_t i = 0; i < kParseWork.most; ++i) ASSERT_TRUE(budget.take_step());
  EXPECT_FALSE(budget.take_step());
  EXPECT_EQ(budget.exceeded(), &kParseWork);
}

TEST(QueryLimits, TooManyMatchesAreNoMatches) {
  const auto tree = *SourceTree::parse(language("python"), repeated("a\n", kMatches.most + 1));
  const auto query = query_of("python", "(identifier) @n");
  const auto found = query.run(tree, tree.root(), "a.py");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message,
            "limit-matches: more than 100000 matches; anchor the pattern closer to its place, with "
            "#eq? on a name or #in-scope?");
  const auto few = query_of("python", "((identifier) @n (#eq? @n \"b\"))")
                       .run(tree, tree.root(), "a.py");
  ASSERT_TRUE(few);
  EXPECT_EQ(few->size(), 0u);
}

}  // namespace
}  // namespace portpatch::test
