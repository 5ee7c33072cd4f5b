// C++ arrays whose declaration gives their size.
#include <gtest/gtest.h>

#include "tests/report/world.h"

namespace portpatch::test {
namespace {

std::string applied(const std::string& language, const std::string& file, const std::string& rule, const std::string& before) {
  const World world({.files = {{"pack.toml", "format = 1\n"}, {language + "/rule.scm", "; Ours.\n" + rule}}}, {{file, before}});
  const auto report = run(world.request("apply"));
  if (!report) return report.error()[0].message;
  if (report->rules[0].outcome != Outcome::kEdited) return std::string(name_of(report->rules[0].outcome)) + ": " + (report->rules[0].sites.empty() ? "" : report->rules[0].sites[0].reason);
  if (run(world.request("apply"))->rules[0].outcome != Outcome::kHeld) return "does not hold the second time";
  return world.file(file);
}

std::string array(const std::string& declaration) {
  return applied("cpp", "a.cu", "((init_declarator declarator: [(identifier) @n (array_declarator declarator: (identifier) @n)] value: (_) @v) (#eq? @n \"k\") (#ensure-element! @v \"120\"))\n", declaration + "\n");
}

TEST(FixedSize, OneElementMoreIsBlocked) {
  const auto full = "blocked: it is declared with room for 3 and has 3";
  EXPECT_EQ(array("static const int k[3] = {80, 90, 100};"), full);
  EXPECT_EQ(array("constexpr std::array<int, 3> k = {80, 90, 100};"), full);
  EXPECT_EQ(array("constexpr std::array<int, 3> k = {{80, 90, 100}};"), "blocked: its elements stand in a second pair of braces");
  EXPECT_EQ(array("constexpr int kN = 3;\nint k[kN] = {80, 90, 100};").substr(0, 7), "blocked");
  EXPECT_EQ(array("int k[N] = {80, 90, 100};"), "blocked: it is declared with room for N, which is not known here");
}

TEST(FixedSize, WhereThereIsRoomItIsEdited) {
  EXPECT_EQ(array("int k[4] = {80, 90, 100};"), "int k[4] = {80, 90, 100, 120};\n");
  EXPECT_EQ(array("int k[] = {80, 90, 100};"), "int k[] = {80, 90, 100, 120};\n");
  EXPECT_EQ(array("std::vector<int> k = {80, 90, 100};"), "std::vector<int> k = {80, 90, 100, 120};\n");
}

}  // namespace
}  // namespace portpatch::test
