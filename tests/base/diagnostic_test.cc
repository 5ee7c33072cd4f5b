#include "base/diagnostic.h"

#include <gtest/gtest.h>

namespace portpatch::test {
namespace {

Diagnostic at(std::string_view text, ByteRange range) {
  return {.code = "code",
          .message = "message",
          .place = place_of("a.scm", text, range),
          .remedy = "remedy",
          .notes = {"note"}};
}

TEST(Diagnostic, ShowsPlaceSourceCaretNotesAndRemedy) {
  EXPECT_EQ(render(at("one\n  two three\n", {10, 15}), false), R"(a.scm:2:7: error: message [code]
  2 |   two three
    |       ^^^^^
  note: note
  help: remedy
)");
}

TEST(Diagnostic, TheCaretStandsRightBehindTabsAndWideText) {
  EXPECT_EQ(render(at("\t\xc3\xa4\xc3\xb6 x", {6, 7}), false),
            "a.scm:1:7: error: message [code]\n  1 | \t\xc3\xa4\xc3\xb6 x\n    | \t   ^\n  note: "
            "note\n  help: remedy\n");
}

TEST(Diagnostic, ARangeOverSeveralLinesIsMarkedOnItsFirst) {
  EXPECT_EQ(render(at("ab\ncd", {1, 5}), false),
            "a.scm:1:2: error: message [code]\n  1 | ab\n    |  ^\n  note: note\n  help: remedy\n");
}

TEST(Diagnostic, APlaceAtTheEndHasACaretToo) {
  EXPECT_EQ(render(at("ab\n", {3, 3}), false),
            "a.scm:2:1: error: message [code]\n  2 | \n    | ^\n  note: note\n  help: remedy\n");
  EXPECT_EQ(render(at("", {0, 0}), false),
            "a.scm:1:1: error: message [code]\n  1 | \n    | ^\n  note: note\n  help: remedy\n");
}

TEST(Diagnostic, OnlyAFileHasNoSourceLine) {
  EXPECT_EQ(
      render(
          {.code = "code", .message = "message", .place = Place{.path = "a\x1b.scm", .source = {}}},
          false),
      "a\\x1b.scm: error: message [code]\n");
  EXPECT_EQ(render({.code = "code", .message = "two\nlines"}, false),
            "error: two\\x0alines [code]\n");
}

TEST(Diagnostic, ColourIsOnlyWhereItIsAskedFor) {
  EXPECT_EQ(render({.code = "code", .message = "message"}, true),
            "\x1b[1;31merror:\x1b[0m message [code]\n");
}

TEST(Diagnostic, OfALongLineAWindowIsShown) {
  const auto line = std::string(500, 'a') + "HERE" + std::string(500, 'b');
  EXPECT_EQ(render(at(line, {500, 504}), false),
            "a.scm:1:501: error: message [code]\n  1 | ..." + std::string(60, 'a') + "HERE" +
                std::string(60, 'b') + "...\n    | " + std::string(63, ' ') +
                "^^^^\n  note: note\n  help: remedy\n");
}

TEST(Nearest, IsASlipAndNotAnotherWord) {
  const std::vector<std::string> words{"ensure-entry!", "append!", "eq?"};
  EXPECT_EQ(nearest("ensure-entri!", words), "ensure-entry!");
  EXPECT_EQ(nearest("eg?", words), "eq?");
  EXPECT_EQ(nearest("apend!", words), "append!");
  EXPECT_EQ(nearest("remove!", words), std::nullopt);
  EXPECT_EQ(nearest("x", {}), std::nullopt);
}

}  // namespace
}  // namespace portpatch::test
