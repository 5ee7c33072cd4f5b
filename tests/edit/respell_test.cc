// Directives that follow how their siblings are spelled, against the base's copy in pack.lock.
#include <gtest/gtest.h>

#include "tests/report/world.h"

namespace portpatch::test {
namespace {

/// The tree's file after `apply`, or what was said when it was not edited. TABLE's base is `base`.
std::string applied(const std::string& directive, const std::string& base, const std::string& now) {
  const World world(
      {{"pack.toml", "format = 1\n"},
       {"python/table.scm",
        "; Ours.\n((assignment left: (identifier) @n right: (_) @t) (#eq? @n \"TABLE\") (" +
            directive + "))\n"},
       {"pack.lock",
        "format = 1\n[[rules.\"python/table\"]]\npath = \"a.py\"\nscope = \"\"\ntext = '''" + base +
            "'''\n"}},
      {{"a.py", now}});
  const auto report = run(world.request("apply"));
  if (!report) return report.error()[0].message;
  const auto& rule = report->rules[0];
  if (rule.outcome != Outcome::kEdited)
    return std::string(name_of(rule.outcome)) + ": " + rule.sites.at(0).code + ": " +
           rule.sites.at(0).reason;
  if (run(world.request("apply"))->rules[0].outcome != Outcome::kHeld)
    return "does not hold the second time";
  return world.file("a.py");
}

constexpr const char* kSizes = "#ensure-entry! @t \"12\" \"{2: 256 * MiB, 4: 128 * MiB}\"";
constexpr const char*
    kBaseSizes = "{9: {2: 64 * MiB, 4: 32 * MiB}, 10: {2: 64 * MiB, 4: 32 * MiB}}";

TEST(Respell, KeysBecomeStringsOrTuples) {
  EXPECT_EQ(applied("#ensure-entry! @t \"12\" \"1\"", "{9: 1, 10: 2}",
                    "TABLE = {\"9.0\": 1, \"10.0\": 2}\n"),
            "TABLE = {\"9.0\": 1, \"10.0\": 2, \"12.0\": 1}\n");
  EXPECT_EQ(applied("#ensure-entry! @t \"12\" \"1\"", "{9: 1, 10: 2}",
                    "TABLE = {(9, 0): 1, (10, 0): 2}\n"),
            "TABLE = {(9, 0): 1, (10, 0): 2, (12, 0): 1}\n");
  EXPECT_EQ(applied("#ensure-element! @t \"12\"", "[9, 10]", "TABLE = [90, 100]\n"),
            "TABLE = [90, 100, 120]\n");
  EXPECT_EQ(applied("#ensure-element! @t \"\\\"sm_120\\\"\"", "[\"sm_90\", \"sm_100\"]",
                    "TABLE = [\"9.0\", \"10.0\"]\n"),
            "TABLE = [\"9.0\", \"10.0\", \"12.0\"]\n");
}

TEST(Respell, TheSameSpellingIsLeftAlone) {
  EXPECT_EQ(applied("#ensure-entry! @t \"12\" \"1\"", "{9: 1, 10: 2}", "TABLE = {9: 1, 10: 2}\n"),
            "TABLE = {9: 1, 10: 2, 12: 1}\n");
  EXPECT_EQ(applied("#ensure-entry! @t \"cc:12.0\" \"1\"", "{9: 1, 10: 2}",
                    "TABLE = {\"9.0\": 1, \"10.0\": 2}\n"),
            "TABLE = {\"9.0\": 1, \"10.0\": 2, \"12.0\": 1}\n");
}

TEST(Respell, KeysThatCannotBeToldAreBlocked) {
  EXPECT_EQ(applied("#ensure-entry! @t \"12\" \"1\"", "{9: 1, 10: 2}",
                    "TABLE = {\"hopper\": 1, \"blackwell\": 2}\n"),
            "blocked: spelling-changed: at the base its siblings were written 9, 10, now they are "
            "\"hopper\", \"blackwell\": how to write 12 is not certain");
}

TEST(Respell, NamesFollowTheirSiblings) {
  EXPECT_EQ(
      applied(
          kSizes, kBaseSizes,
          "MB = 1 << 20\nTABLE = {9: {2: 64 * MB, 4: 32 * MB}, 10: {2: 64 * MB, 4: 32 * MB}}\n"),
      "MB = 1 << 20\nTABLE = {9: {2: 64 * MB, 4: 32 * MB}, 10: {2: 64 * MB, 4: 32 * MB}, 12: {2: "
      "256 * MB, 4: 128 * MB}}\n");
}

TEST(Respell, NamesBecomeNumbers) {
  EXPECT_EQ(applied(kSizes, kBaseSizes,
                    "TABLE = {9: {2: 67108864, 4: 33554432}, 10: {2: 67108864, 4: 33554432}}\n"),
            "TABLE = {9: {2: 67108864, 4: 33554432}, 10: {2: 67108864, 4: 33554432}, 12: {2: "
            "268435456, 4: 134217728}}\n");
}

TEST(Respell, NamesThatMeanTwoThingsAreBlocked) {
  const auto
      blocked = "blocked: unseen-name: `MiB`, which the edit uses, is not defined in the file";
  EXPECT_EQ(
      applied(kSizes, kBaseSizes, "TABLE = {9: {2: 67108864, 4: 33554432}, 10: {2: 64, 4: 32}}\n"),
      blocked);
  EXPECT_EQ(
      applied(kSizes, kBaseSizes, "TABLE = {9: {2: 67108864, 4: 33554432}, 10: {2: 1, 4: 2}}\n"),
      blocked);
  EXPECT_EQ(applied(kSizes, kBaseSizes,
                    "A = B = 1\nTABLE = {9: {2: 64 * A, 4: 32 * B}, 10: {2: 64 * A, 4: 32 * B}}\n"),
            blocked);
}

TEST(Respell, ANameThatIsStillThereStays) {
  EXPECT_EQ(
      applied(kSizes, kBaseSizes, "MiB = MB = 1 << 20\nTABLE = {9: {2: 64 * MB, 4: 32 * MB}}\n"),
      "MiB = MB = 1 << 20\nTABLE = {9: {2: 64 * MB, 4: 32 * MB}, 12: {2: 256 * MiB, 4: 128 * "
      "MiB}}\n");
}

TEST(Respell, ListsBecomeTuplesSetsOrFrozensets) {
  const auto base = "{9: [4, 6], 10: [6, 8]}";
  const auto ours = "#ensure-entry! @t \"12\" \"[6, 8]\"";
  EXPECT_EQ(applied(ours, base, "TABLE = {9: (4, 6), 10: (6, 8)}\n"),
            "TABLE = {9: (4, 6), 10: (6, 8), 12: (6, 8)}\n");
  EXPECT_EQ(applied(ours, base, "TABLE = {9: frozenset({4, 6}), 10: frozenset({6, 8})}\n"),
            "TABLE = {9: frozenset({4, 6}), 10: frozenset({6, 8}), 12: frozenset({6, 8})}\n");
  EXPECT_EQ(applied("#ensure-entry! @t \"12\" \"[6]\"", base, "TABLE = {9: (4, 6), 10: (6, 8)}\n"),
            "TABLE = {9: (4, 6), 10: (6, 8), 12: (6,)}\n");
  EXPECT_EQ(applied(ours, base, "TABLE = {9: (4, 6), 10: [6, 8]}\n"),
            "TABLE = {9: (4, 6), 10: [6, 8], 12: [6, 8]}\n");
}

TEST(Respell, EnumeratorsAreNoVariables) {
  const World world({{"cpp/arch.scm",
                      "; Ours.\n((enum_specifier name: (_) @n body: (enumerator_list) @list) (#eq? "
                      "@n \"Arch\") (#ensure-element! @list \"kSm120\"))\n"},
                     {"pack.lock",
                      "format = 1\n[[rules.\"cpp/arch\"]]\npath = \"a.cu\"\nscope = \"\"\ntext = "
                      "\"{ kSm80, kSm90 }\"\n"}},
                    {{"a.cu", "enum class Arch { kSm80, kSm90 };\n"}});
  EXPECT_EQ(world.outcomes("apply"), "cpp/arch edited");
  EXPECT_EQ(world.file("a.cu"), "enum class Arch { kSm80, kSm90, kSm120 };\n");
}

}  // namespace
}  // namespace portpatch::test
