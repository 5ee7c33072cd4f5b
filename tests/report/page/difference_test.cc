#include "report/page/difference.h"

#include <gtest/gtest.h>

namespace portpatch::test {
namespace {

/// The text with brackets around what is marked.
std::string marked(std::string_view text, const std::vector<ByteRange>& ranges) {
  std::string out;
  std::size_t at = 0;
  for (const auto& range : ranges) {
    out += text.substr(at, range.begin - at);
    (out += '[') += range.of(text);
    out += ']';
    at = range.end;
  }
  return out + std::string(text.substr(at));
}

std::string both(std::string_view one, std::string_view other) {
  const auto [ours, theirs] = differing_words(one, other);
  return marked(one, ours) + " | " + marked(other, theirs);
}

TEST(Difference, MarksTheWordsThatAreNotCommon) {
  EXPECT_EQ(both("{2: 256 * MiB, 4: 8}", "{\n  2: 128 * MiB,\n  4: 8,\n}"),
            "{2: [256] * MiB, 4: 8} | {\n  2: [128] * MiB,\n  4: 8[,]\n}");
}

TEST(Difference, MarksNothingWhereAllIsCommonOrNothingIs) {
  EXPECT_EQ(both("f(a,  b)", "f(a, b)"), "f(a,  b) | f(a, b)");
  EXPECT_EQ(both("one", "two"), "one | two");
  EXPECT_EQ(both("", "x"), " | x");
}

TEST(Difference, GivesUpOnLongPieces) {
  std::string one, other = "y ";
  for (int i = 0; i < 700; ++i) one += "x ";
  EXPECT_EQ(differing_words(one, other + one).second.size(), 0u);
}

}  // namespace
}  // namespace portpatch::test
