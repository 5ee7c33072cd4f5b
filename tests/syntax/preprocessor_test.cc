#include "syntax/preprocessor.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace portpatch::test {
namespace {

/// The variants of `text`, blank lines and trailing blanks left out, `---` between them.
std::string variants(std::string_view text) {
  std::string out;
  for (const auto& variant : mask_conditionals(text)) {
    EXPECT_EQ(variant.text.size(), text.size());
    if (!out.empty()) out += "---\n";
    for (const auto line : split_lines(variant.text)) {
      const auto kept = std::string(line.substr(0, line.find_last_not_of(" \r") + 1));
      if (!kept.empty()) out += kept + "\n";
    }
  }
  return out;
}

TEST(Preprocessor, EveryArmIsKeptOnce) {
  EXPECT_EQ(variants("a\n#if X\nb\n#elif Y\nc\n#else\nd\n#endif\ne\n"),
            "a\nb\ne\n---\na\nc\ne\n---\na\nd\ne\n");
}

TEST(Preprocessor, AnIfWithoutElseHasAnEmptyArm) {
  EXPECT_EQ(variants("a\n#ifdef X\nb\n#endif\n"), "a\nb\n---\na\n");
  EXPECT_EQ(variants("#if X\nb\n#elif Y\nc\n#endif\n"), "b\n---\nc\n---\n");
  EXPECT_EQ(variants("#if X\nb\n#elif has_else\nc\n#endif\n"), "b\n---\nc\n---\n");
}

TEST(Preprocessor, NestedConditionalsAreAllSeen) {
  EXPECT_EQ(variants("#if A\n1\n#if B\n2\n#else\n3\n#endif\n4\n#else\n5\n#endif\n"),
            "1\n2\n4\n---\n1\n3\n4\n---\n5\n");
}

TEST(Preprocessor, ConditionalsSideBySideShareVariants) {
  EXPECT_EQ(variants("#if A\n1\n#else\n2\n#endif\n#if B\n3\n#else\n4\n#endif\n"),
            "1\n3\n---\n2\n4\n");
}

TEST(Preprocessor, AnIncludeGuardHasNoEmptyArm) {
  EXPECT_EQ(variants("#ifndef H\n#define H\na\n#endif\n"), "#define H\na\n");
  EXPECT_EQ(variants("#ifndef H\n#define OTHER\na\n#endif\n"), "#define OTHER\na\n---\n");
}

TEST(Preprocessor, WhatDoesNotPairUpHasNoVariants) {
  EXPECT_EQ(mask_conditionals("#if A\na\n").size(), 0u);
  EXPECT_EQ(mask_conditionals("a\n#endif\n").size(), 0u);
  EXPECT_EQ(mask_conditionals("#else\n").size(), 0u);
  EXPECT_EQ(mask_conditionals("plain\n#define X\n").size(), 0u);
  EXPECT_EQ(mask_conditionals("").size(), 0u);
}

TEST(Preprocessor, ContinuedLinesAreBlankedWhole) {
  EXPECT_EQ(variants("#if A && \\\n  B\na\n#endif\nb\n"), "a\nb\n---\nb\n");
  EXPECT_EQ(variants("#if A && \\\r\n  B\r\na\r\n#endif\r\nb\r\n"), "a\nb\n---\nb\n");
}

TEST(Preprocessor, SpacesAroundTheHashAreAllowed) {
  EXPECT_EQ(variants("  #  if A\na\n\t# endif // A\nb\n"), "a\nb\n---\nb\n");
}

TEST(Preprocessor, DirectivesInCommentsAndStringsAreNone) {
  EXPECT_EQ(mask_conditionals("/*\n#if A\n*/\n").size(), 0u);
  EXPECT_EQ(mask_conditionals("// #if A\n").size(), 0u);
  EXPECT_EQ(variants("#if A /* one\ntwo */\na\n#endif\nb\n"), "two */\na\nb\n---\nb\n");
  EXPECT_EQ(variants("s = \"/*\";\n#if A\na\n#endif\n"), "s = \"/*\";\na\n---\ns = \"/*\";\n");
}

/// What dead_arms() finds in `text` where AMD is never defined, each arm in brackets, line breaks
/// as blanks.
std::string dead(std::string_view text) {
  std::string out;
  for (const auto range : dead_arms(text, [](std::string_view macro) { return macro == "AMD"; }))
    out += "[" + std::string(trim(range.of(text))) + "]";
  std::ranges::replace(out, '\n', ' ');
  return out;
}

TEST(Preprocessor, ArmsThatNoBuildKeepsAreDead) {
  EXPECT_EQ(dead("#if 0\na\n#endif\nb\n"), "[a]");
  EXPECT_EQ(dead("#if 0 // off\na\n#else\nb\n#endif\n"), "[a]");
  EXPECT_EQ(dead("#if 0 /* off */ \na\n#else\nb\n#endif\n"), "[a]");
  EXPECT_EQ(dead("#if 1\na\n#else\nb\n#endif\n"), "[b]");
  EXPECT_EQ(dead("#ifdef AMD\na\n#elif X\nb\n#else\nc\n#endif\n"), "[a]");
  EXPECT_EQ(dead("#ifndef AMD\na\n#else\nb\n#endif\n"), "[b]");
  EXPECT_EQ(dead("#if X\na\n#elif 0\nb\n#elif 1\nc\n#else\nd\n#endif\n"), "[b][d]");
  EXPECT_EQ(dead("#if X && defined(AMD)\na\n#endif\n#if !defined(AMD) && !defined "
                 "AMD\nb\n#else\nc\n#endif\n"),
            "[a][c]");
  EXPECT_EQ(dead("#if X\n#if 0\na\n#endif\nb\n#endif\n"), "[a]");
}

TEST(Preprocessor, WhatIsNotCertainlyFalseIsNotDead) {
  for (const auto* text :
       {"#if X\na\n#endif\n", "#if defined(AMD) || X\na\n#endif\n",
        "#if !defined(AMD) && X\na\n#else\nb\n#endif\n", "#if defined(AMD) == 0\na\n#endif\n",
        "#if !(X && defined(AMD) && Y)\na\n#endif\n", "#if 1 /* on */ && X\na\n#else\nb\n#endif\n",
        "#if defined(AMD) && \\\n    X || Y\na\n#endif\n", "#if 0 /* one\ntwo */ || X\na\n#endif\n",
        "#if 0 ? X : Y\na\n#endif\n", "#ifndef AMD\na\n#endif\n", "#if 0\na\n",
        "/*\n#if 0\n*/\na\n/*\n#endif\n*/\n"}) {
    EXPECT_EQ(dead(text), "") << text;
  }
}

TEST(Preprocessor, MaskedRangesAreWhatIsNotShown) {
  const std::string_view text = "a\n#if X\nb\n#else\nc\n#endif\n";
  const auto all = mask_conditionals(text);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_TRUE(all[0].shows({0, 1}));
  EXPECT_TRUE(all[0].shows({8, 9}));
  EXPECT_FALSE(all[0].shows({16, 17}));
  EXPECT_FALSE(all[1].shows({8, 9}));
  EXPECT_TRUE(all[1].shows({16, 17}));
  EXPECT_FALSE(all[0].shows({2, 3}));
}

}  // namespace
}  // namespace portpatch::test
