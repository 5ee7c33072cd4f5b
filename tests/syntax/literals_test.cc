#include "syntax/literals.h"

#include <gtest/gtest.h>

namespace portpatch::test {
namespace {

std::string integer(std::string_view text) {
  const auto value = parse_integer(text);
  return value ? std::to_string(*value) : "none";
}

TEST(Literals, IntegersOfEveryLanguage) {
  const std::pair<const char*, const char*> cases[] = {
      {"0", "0"},
      {"12", "12"},
      {"268_435_456", "268435456"},
      {"0x10", "16"},
      {"0XfF", "255"},
      {"0b101", "5"},
      {"0o17", "15"},
      {"1'000'000", "1000000"},
      {"256ull", "256"},
      {"1L", "1"},
      {"5uz", "5"},
      {"-7", "-7"},
      {"+7", "7"},
      {"9223372036854775807", "9223372036854775807"},
      {"9223372036854775808", "none"},
      {"0xffffffffffffffff", "none"},
      {"017", "none"},
      {"00", "none"},
      {"1.0", "none"},
      {"1e3", "none"},
      {"", "none"},
      {"0x", "none"},
      {"u", "none"},
      {"1j", "none"},
      {"--1", "none"},
      {"-", "none"}};
  for (const auto& [text, value] : cases) EXPECT_EQ(integer(text), value) << text;
}

TEST(Literals, Floats) {
  EXPECT_EQ(parse_float("1.5"), 1.5);
  EXPECT_EQ(parse_float("1e-3f"), 1e-3);
  EXPECT_EQ(parse_float("1_0.0"), 10.0);
  EXPECT_EQ(parse_float(".5"), 0.5);
  EXPECT_EQ(parse_float("5."), 5.0);
  EXPECT_EQ(parse_float("x"), std::nullopt);
  EXPECT_EQ(parse_float("1.0j"), std::nullopt);
}

std::string string(std::string_view text, bool raw = false) {
  const auto value = parse_string(text, raw);
  return value ? value->prefix + "|" + value->quote + "|" + value->content : "none";
}

TEST(Literals, Strings) {
  const std::pair<const char*, const char*> cases[] = {{"'a'", "|'|a"},
                                                       {"\"a\"", "|\"|a"},
                                                       {"'''a'b'''", "|'''|a'b"},
                                                       {"\"\"\"\"\"\"", "|\"\"\"|"},
                                                       {"''", "|'|"},
                                                       {"b'x'", "b|'|x"},
                                                       {"Rb'\\n'", "b|'|\\n"},
                                                       {"r'\\'", "|'|\\"},
                                                       {"'\\n\\t\\\\\\''", "|'|\n\t\\'"},
                                                       {"'\\x41\\u00e4'", "|'|A\xc3\xa4"},
                                                       {"'a\\\nb'", "|'|ab"},
                                                       {"'a", "none"},
                                                       {"a'", "none"},
                                                       {"'", "none"},
                                                       {"'\\q'", "none"},
                                                       {"'\\x4'", "none"},
                                                       {"'\\N{DASH}'", "none"},
                                                       {"'\\101'", "none"},
                                                       {"\"a'", "none"},
                                                       {"u8\"x\"", "none"},
                                                       {"", "none"}};
  for (const auto& [text, value] : cases) EXPECT_EQ(string(text), value) << text;
  EXPECT_EQ(string("'a\\n'", true), "|'|a\\n");
}

}  // namespace
}  // namespace portpatch::test
