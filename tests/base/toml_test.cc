#include "base/toml.h"

#include <gtest/gtest.h>

namespace portpatch::test {
namespace {

TEST(Toml, MembersComeInTheOrderOfTheFileWithTheirPlaces) {
  const auto toml = parse_toml("a.toml", "z = 1\na = \"x\"\n[t]\n\"k y\" = [true, 2.5]\n");
  ASSERT_TRUE(toml);
  std::string text;
  for (const auto& [key, place, value] : toml->members) {
    text += key + " " + std::to_string(place.line) + ":" + std::to_string(place.column) + " " +
            std::string(describe(value.kind)) + "\n";
  }
  EXPECT_EQ(text, "z 1:1 an integer\na 2:1 a string\nt 3:2 a table\n");
  const auto& list = toml->find("t")->find("k y")->items;
  EXPECT_EQ(describe(list[0].kind), "true or false");
  EXPECT_EQ(describe(list[1].kind), "a value of another kind");
}

TEST(Toml, ColumnsAreBytes) {
  const auto toml = parse_toml("a.toml", "a = [\"\xc3\xa4\xe2\x82\xac\", 1]\n");
  ASSERT_TRUE(toml);
  EXPECT_EQ(toml->find("a")->items[1].place.column, 15u);
}

TEST(Toml, TheFirstMistakeIsShown) {
  const auto toml = parse_toml("a.toml", "a = 1\nb = [\"\xc3\xa4\", x]\n");
  ASSERT_FALSE(toml);
  EXPECT_EQ(
      render(toml.error(), false),
      R"(a.toml:2:12: error: Error while parsing value: could not determine value type [bad-toml]
  2 | b = ["ä", x]
    |           ^
  help: mend the TOML syntax here
)");
}

TEST(Toml, StringsSurviveBeingWritten) {
  for (const std::string text : {"", "plain", "a\"b\\c", "two\nlines", "'''", "a\nb'", "\n",
                                 "\x01\x7f\t", "\r\n", "\xc3\xa4", "a\n'''b"}) {
    const auto toml = parse_toml("a.toml", "a = " + toml_string(text) + "\n");
    ASSERT_TRUE(toml) << toml_string(text);
    EXPECT_EQ(toml->find("a")->text, text);
  }
}

TEST(Toml, BytesThatAreNoUtf8AreReplaced) {
  EXPECT_EQ(toml_string("caf\xe9 \xc3\xa4"), "\"caf\xEF\xBF\xBD \xc3\xa4\"");
}

}  // namespace
}  // namespace portpatch::test
