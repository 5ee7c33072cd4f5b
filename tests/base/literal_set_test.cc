#include "base/literal_set.h"

#include <gtest/gtest.h>

#include "base/literal_finder.h"

namespace portpatch::test {
namespace {

using Owners = std::vector<std::size_t>;

TEST(LiteralSet, FindsTheOwnersOfWhatOccurs) {
  LiteralSet set;
  set.add("MAX_SIZES", 0);
  set.add("MAX_S", 1);
  set.add("other", 2);
  set.add("MAX_SIZED", 3);
  set.add("another", 2);
  EXPECT_EQ(set.find("a = MAX_SIZES"), (Owners{0, 1}));
  EXPECT_EQ(set.find("an another"), (Owners{2}));
  EXPECT_EQ(set.find("MAX_"), Owners());
  EXPECT_EQ(set.find(""), Owners());
}

// All names begin and end alike, and stand at the ends of the text too.
TEST(LiteralSet, SaysWhatAFinderForEachSays) {
  LiteralSet set;
  std::vector<LiteralFinder> finders;
  for (std::size_t i = 0; i < 2'000; ++i) {
    finders.emplace_back("SCALE_" + std::to_string(i * 7) + "_TABLE");
    set.add(finders.back().literal(), i);
  }
  std::string text;
  for (std::size_t i = 0; i < 2'000; i += 3)
    text += "SCALE_" + std::to_string(i) + "_TABLE" + (i % 2 ? "S " : "");
  Owners expected;
  for (std::size_t i = 0; i < finders.size(); ++i) {
    if (finders[i].occurs_in(text)) expected.push_back(i);
  }
  EXPECT_GT(expected.size(), 50u);
  EXPECT_EQ(set.find(text), expected);
}

}  // namespace
}  // namespace portpatch::test
