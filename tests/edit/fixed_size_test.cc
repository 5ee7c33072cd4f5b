// C++ arrays whose declaration gives their size.
#include <gtest/gtest.h>

#include "tests/edit/applied.h"

namespace portpatch::test {
namespace {

std::string array(const std::string& declaration) {
  return applied(
      "cpp", "a.cu",
      "((init_declarator declarator: [(identifier) @n (array_declarator declarator: (identifier) "
      "@n)] value: (_) @v) (#eq? @n \"k\") (#ensure-element! @v \"120\"))\n",
      declaration + "\n");
}

TEST(FixedSize, OneElementMoreIsBlocked) {
  const auto full = "blocked: it is declared with room for 3 and has 3";
  EXPECT_EQ(array("static const int k[3] = {80, 90, 100};"), full);
  EXPECT_EQ(array("constexpr std::array<int, 3> k = {80, 90, 100};"), full);
  EXPECT_EQ(array("constexpr std::array<int, 3> k = {{80, 90, 100}};"),
            "blocked: its elements stand in a second pair of braces");
  EXPECT_EQ(array("constexpr int kN = 3;\nint k[kN] = {80, 90, 100};").substr(0, 7), "blocked");
  EXPECT_EQ(array("int k[N] = {80, 90, 100};"),
            "blocked: it is declared with room for N, which is not known here");
}

TEST(FixedSize, WhereThereIsRoomItIsEdited) {
  EXPECT_EQ(array("int k[4] = {80, 90, 100};"), "int k[4] = {80, 90, 100, 120};\n");
  EXPECT_EQ(array("int k[] = {80, 90, 100};"), "int k[] = {80, 90, 100, 120};\n");
  EXPECT_EQ(array("std::vector<int> k = {80, 90, 100};"),
            "std::vector<int> k = {80, 90, 100, 120};\n");
}

}  // namespace
}  // namespace portpatch::test
