#include "base/text.h"

#include <gtest/gtest.h>

namespace portpatch {
namespace {

TEST(Text, LineColumnIsOneBasedAndCountsBytes) {
  const std::string_view text = "ab\r\ncd\n";
  EXPECT_EQ(line_column(text, 0).line, 1u);
  EXPECT_EQ(line_column(text, 5).line, 2u);
  EXPECT_EQ(line_column(text, 5).column, 2u);
  EXPECT_EQ(line_column(text, 99).line, 3u);
}

TEST(Text, LineEndLeavesOutTheWholeBreak) {
  EXPECT_EQ(line_at("ab\r\ncd", 1), "ab");
  EXPECT_EQ(line_at("ab\r\ncd", 4), "cd");
  EXPECT_EQ(line_break_of("ab\r\ncd"), "\r\n");
  EXPECT_EQ(line_break_of("ab\ncd\r\n"), "\n");
}

TEST(Text, ApplyEditsKeepsOrderAndBytes) {
  EXPECT_EQ(apply_edits("abcdef", {{{0, 0}, ">"}, {{2, 4}, "--"}, {{6, 6}, "<"}}), ">ab--ef<");
}

TEST(Text, PrintableStopsEscapeSequences) {
  EXPECT_EQ(printable("a\x1b[31mb\tc\x7f"), "a\\x1b[31mb\tc\\x7f");
  EXPECT_EQ(printable("\xc3\xa4\xff"), "\xc3\xa4\\xff");
  EXPECT_EQ(printable("\xe2\x80\xae"), "\\xe2\\x80\\xae");
  // An ESC that is written too long, a surrogate, one beyond U+10FFFF, and U+FFFE are no text.
  EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b");
  EXPECT_EQ(printable("\xe0\x80\x9b"), "\\xe0\\x80\\x9b");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(printable("\xef\xbf\xbe"), "\\xef\\xbf\\xbe");
  EXPECT_EQ(printable("\xef\xbf\xbd\xf0\x9f\x98\x80"), "\xef\xbf\xbd\xf0\x9f\x98\x80");
}

TEST(Text, GlobsMatchAcrossFoldersOnlyWithTwoStars) {
  EXPECT_TRUE(glob_matches("*.py", "a/b/c.py"));
  EXPECT_TRUE(glob_matches("a/**/c.py", "a/c.py"));
  EXPECT_TRUE(glob_matches("a/**/c.py", "a/b/b/c.py"));
  EXPECT_FALSE(glob_matches("a/*.py", "a/b/c.py"));
  EXPECT_TRUE(glob_matches("[a-c]?.cu", "b1.cu"));
  EXPECT_FALSE(glob_matches("[!a-c]?.cu", "b1.cu"));
  EXPECT_TRUE(glob_matches("**", "a/b"));
  EXPECT_TRUE(glob_matches("a/**", "a/"));
  EXPECT_FALSE(glob_matches("a/*/c", "a/c"));
}

TEST(Text, GlobsOfManyStarsEnd) {
  std::string stars, path;
  for (int i = 0; i < 40; ++i) stars += "*a**b", path += "ab/b";
  EXPECT_FALSE(glob_matches(stars + "/c", path));
  EXPECT_TRUE(glob_matches(std::string(1'000'000, '*'), path));
}

TEST(Text, AByteOrderMarkIsNoPartOfTheFirstLine) {
  const std::string text = "\xef\xbb\xbfx = 1\n";
  EXPECT_EQ(line_begin(text, 5), 3u);
  EXPECT_TRUE(starts_line(text, 3));
  EXPECT_EQ(line_at(text, 4), "x = 1");
  EXPECT_EQ(line_begin(text, 0), 0u);
}

TEST(Text, AWordForTheShell) {
  EXPECT_EQ(shell_word("rules/sm120"), "rules/sm120");
  EXPECT_EQ(shell_word("my rules"), "'my rules'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace portpatch
