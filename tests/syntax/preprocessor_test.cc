#include "syntax/preprocessor.h"

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
  EXPECT_EQ(variants("a\n#if X\nb\n#elif Y\nc\n#else\nd\n#endif\ne\n"), "a\nb\ne\n---\na\nc\ne\n---\na\nd\ne\n");
}

TEST(Preprocessor, AnIfWithoutElseHasAnEmptyArm) {
  EXPECT_EQ(variants("a\n#ifdef X\nb\n#endif\n"), "a\nb\n---\na\n");
  EXPECT_EQ(variants("#if X\nb\n#elif Y\nc\n#endif\n"), "b\n---\nc\n---\n");
}

TEST(Preprocessor, NestedConditionalsAreAllSeen) {
  EXPECT_EQ(variants("#if A\n1\n#if B\n2\n#else\n3\n#endif\n4\n#else\n5\n#endif\n"), "1\n2\n4\n---\n1\n3\n4\n---\n5\n");
}

TEST(Preprocessor, ConditionalsSideBySideShareVariants) {
  EXPECT_EQ(variants("#if A\n1\n#else\n2\n#endif\n#if B\n3\n#else\n4\n#endif\n"), "1\n3\n---\n2\n4\n");
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
