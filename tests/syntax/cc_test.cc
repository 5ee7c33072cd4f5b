#include "syntax/cc.h"

#include <gtest/gtest.h>

namespace portpatch::test {
namespace {

/// `cc` spelled as the siblings spell theirs, or why not.
std::string spelled(std::string_view cc, const std::vector<std::string>& siblings) {
  const auto value = parse_cc(cc);
  if (!value) return "no cc";
  const auto spelling = common_spelling(siblings);
  if (!spelling) return "no common spelling";
  return spell(*value, *spelling).value_or("cannot be said so");
}

TEST(Cc, IsWrittenAsMajorMinorAndSuffix) {
  EXPECT_EQ(parse_cc("cc:12.0"), (Cc{12, 0}));
  EXPECT_EQ(parse_cc("cc:9.0a"), (Cc{9, 0, "a"}));
  EXPECT_EQ(parse_cc("cc:12.1f"), (Cc{12, 1, "f"}));
  for (const auto* bad : {"12.0", "cc:12", "cc:12.", "cc:.0", "cc:120.0", "cc:12.00", "cc:12.0A",
                          "cc:12.0ab", "cc: 12.0", "cc:12.0 ", "CC:12.0", ""}) {
    EXPECT_EQ(parse_cc(bad), std::nullopt) << bad;
  }
}

TEST(Cc, EverySpellingIsCopiedFromTheSiblings) {
  EXPECT_EQ(spelled("cc:12.0", {"9", "10"}), "12");
  EXPECT_EQ(spelled("cc:12.0", {"(9, 0)", "(10, 3)"}), "(12, 0)");
  EXPECT_EQ(spelled("cc:12.0", {"\"9.0\"", "\"10.0\""}), "\"12.0\"");
  EXPECT_EQ(spelled("cc:12.0", {"'9.0'"}), "'12.0'");
  EXPECT_EQ(spelled("cc:12.0a", {"\"9.0a\"", "\"10.0\""}), "\"12.0a\"");
  EXPECT_EQ(spelled("cc:12.0", {"90", "100"}), "120");
  EXPECT_EQ(spelled("cc:12.0", {"0x90", "0xa0"}), "0xc0");
  EXPECT_EQ(spelled("cc:12.0", {"0x90", "0xA0"}), "0xC0");
  EXPECT_EQ(spelled("cc:12.0", {"900", "1000"}), "1200");
  EXPECT_EQ(spelled("cc:12.0", {"\"sm_90\"", "\"sm_100\""}), "\"sm_120\"");
  EXPECT_EQ(spelled("cc:12.0a", {"compute_90a", "compute_100a"}), "compute_120a");
  EXPECT_EQ(spelled("cc:12.0a", {"'sm_90'"}), "'sm_120a'");
}

TEST(Cc, EverySpellingIsReadBack) {
  using Unit = CcSpelling::Unit;
  const std::vector<std::pair<std::string, CcSpelling>> spellings = {
      {"12", {Unit::kMajor}},
      {"(12, 0)", {Unit::kTuple}},
      {"(12,0)", {Unit::kTuple}},
      {"\"12.0\"", {Unit::kDotted, "\"", "\""}},
      {"120", {Unit::kTens}},
      {"0xc0", {Unit::kHex}},
      {"0XC0", {Unit::kHex}},
      {"1200", {Unit::kHundreds}},
      {"\"sm_120\"", {Unit::kTens, "\"sm_", "\""}},
      {"compute_120", {Unit::kTens, "compute_", ""}}};
  for (const auto& [text, spelling] : spellings)
    EXPECT_EQ(read_spelling(text, spelling), (Cc{12, 0})) << text;
  EXPECT_EQ(read_spelling("\"12.0a\"", {Unit::kDotted, "\"", "\""}), (Cc{12, 0, "a"}));
  EXPECT_EQ(read_spelling("compute_121f", {Unit::kTens, "compute_", ""}), (Cc{12, 1, "f"}));
}

TEST(Cc, WhatIsNoComputeCapabilityIsRefused) {
  using Unit = CcSpelling::Unit;
  EXPECT_EQ(read_spelling("1", {Unit::kMajor}), std::nullopt);
  EXPECT_EQ(read_spelling("16", {Unit::kMajor}), std::nullopt);
  EXPECT_EQ(read_spelling("1201", {Unit::kHundreds}), std::nullopt);
  EXPECT_EQ(read_spelling("0x1f0", {Unit::kHex}), std::nullopt);
  EXPECT_EQ(read_spelling("12.0", {Unit::kDotted, "\"", "\""}), std::nullopt);
  EXPECT_EQ(read_spelling("\"", {Unit::kDotted, "\"", "\""}), std::nullopt);
}

TEST(Cc, SiblingsThatLeaveAChoiceDecideNothing) {
  EXPECT_EQ(spelled("cc:12.0", {}), "no common spelling");
  EXPECT_EQ(spelled("cc:12.0", {"9", "90"}), "no common spelling");
  EXPECT_EQ(spelled("cc:12.0", {"\"sm_90\"", "\"compute_90\""}), "no common spelling");
  EXPECT_EQ(spelled("cc:12.0", {"'9.0'", "\"10.0\""}), "no common spelling");
  EXPECT_EQ(spelled("cc:12.0", {"9.0", "x"}), "no common spelling");
  EXPECT_EQ(spelled("cc:12.0", {"KEY"}), "no common spelling");
  // 90 is 9.0 in tens, and no major: but 10 is major 10 or 1.0, which no GPU has.
  EXPECT_EQ(spelled("cc:12.0", {"10"}), "12");
  // 20 could be major 20 (not known) or 2.0.
  EXPECT_EQ(spelled("cc:12.0", {"20"}), "120");
}

TEST(Cc, WhatASpellingCannotSayIsRefused) {
  EXPECT_EQ(spelled("cc:12.1", {"9", "10"}), "cannot be said so");
  EXPECT_EQ(spelled("cc:12.0a", {"9", "10"}), "cannot be said so");
  EXPECT_EQ(spelled("cc:12.0a", {"(9, 0)"}), "cannot be said so");
  EXPECT_EQ(spelled("cc:12.0a", {"900"}), "cannot be said so");
  EXPECT_EQ(spelled("cc:12.0a", {"90"}), "120a");  // in "90;100"; as code it would not parse
  EXPECT_EQ(spelled("cc:12.1", {"\"9.0\""}), "\"12.1\"");
}

}  // namespace
}  // namespace portpatch::test
