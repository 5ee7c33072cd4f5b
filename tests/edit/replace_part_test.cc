// replace! with PART: a part of a message.
#include <gtest/gtest.h>

#include "tests/edit/apply_rule.h"

namespace portpatch::test {
namespace {

std::string replaced(std::string_view part, std::string_view text, const std::string& source) {
  return apply_rule("python", on_python_value(directive("replace!", {part, text})), source);
}

TEST(ReplacePart, ReadsTheNewText) {
  EXPECT_EQ(replaced("SM90", "SM90, SM120", "X = \"only SM90\"\n"), "X = \"only SM90, SM120\"\n");
  EXPECT_EQ(replaced("SM90", "SM90, SM120", "X = \"only SM90, SM120\"\n"), "holds");
  EXPECT_EQ(replaced("SM90", "SM120", "X = \"only SM120\"\n"), "holds");
}

TEST(ReplacePart, IsCutDown) {
  EXPECT_EQ(replaced("SM90 and SM100", "SM90", "X = \"only SM90 and SM100\"\n"),
            "X = \"only SM90\"\n");
  EXPECT_EQ(replaced(" and SM100", "", "X = \"only SM90 and SM100\"\n"), "X = \"only SM90\"\n");
  EXPECT_EQ(replaced(" and SM100", "", "X = \"only SM90\"\n"), "holds");
  EXPECT_EQ(replaced("not SM90", "SM90", "X = \"SM90, not SM90\"\n"), "X = \"SM90, SM90\"\n");
}

TEST(ReplacePart, StandsInItOnce) {
  EXPECT_EQ(replaced("SM90", "SM", "X = \"SM90 or SM90\"\n"),
            "blocked: part-twice: `SM90` stands in it more than once");
  EXPECT_EQ(replaced("SM90", "SM120", "X = \"SM80\"\n"),
            "conflict: differs: `SM90` does not stand in it");
}

TEST(ReplacePart, IsNotGuessedWhereTheTextStandsBesideIt) {
  EXPECT_EQ(replaced("cuda", "gpu", "X = \"only gpu, as cudart wants\"\n"),
            "blocked: part-and-text: both `cuda` and `gpu` stand in it");
  EXPECT_EQ(replaced("on cuda", "on gpu", "X = \"gpu on cuda\"\n"), "X = \"gpu on gpu\"\n");
}

}  // namespace
}  // namespace portpatch::test
