#include "companion/cc_table.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "syntax/language.h"

namespace portpatch {
namespace {

SourceTree parse(const char* language, std::string text) {
  return std::move(*SourceTree::parse(*find_language(language), std::move(text)));
}

/// "12.x=(...) 10.3=..." of the only table of that name.
std::string rows(const SourceTree& tree, const char* name) {
  const auto tables = tables_named(tree, name).tables;
  if (tables.size() != 1) return fmt::format("{} tables", tables.size());
  std::string text;
  for (const auto& row : tables[0].rows)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", describe(row.key), row.value.text);
  for (const auto& key : tables[0].unread) text += fmt::format("; unread {}", key);
  return text;
}

/// Of the rows for `cc` in the Python table T and the C++ table kT.
Same same_at(const std::string& python, const std::string& cpp, const Cc& cc) {
  const auto ours = parse("python", python), theirs = parse("cpp", cpp);
  return compare(tables_named(ours, "T").tables.at(0).find(cc)->value,
                 tables_named(theirs, "kT").tables.at(0).find(cc)->value);
}

TEST(CcTable, ReadsKeysInEverySpelling) {
  EXPECT_EQ(rows(parse("python", "T = {9: 1, 12: 2}\n"), "T"), "9.x: 1; 12.x: 2");
  EXPECT_EQ(rows(parse("python", "T = {(9, 0): 1, \"12.0\": 2, \"sm_103a\": 3, other: 4}\n"), "T"),
            "9.0: 1; 12.0: 2; 10.3a: 3; unread other");
  EXPECT_EQ(rows(parse("python", "class C:\n    T = {90: 1, 121: 2}\n"), "T"), "9.0: 1; 12.1: 2");
  EXPECT_EQ(rows(parse("cpp", "static const std::map<int, int> kT = {{90, 1}, {120, 2}};\n"), "kT"),
            "9.0: 1; 12.0: 2");
  EXPECT_EQ(rows(parse("cpp", "constexpr Limit kT[] = {{0x90, 1}, {0xc0, 2}, {-1, 3}};\n"), "kT"),
            "9.0: 1; 12.0: 2; unread -1");
}

TEST(CcTable, ListsOfCcAreTablesWithoutValues) {
  EXPECT_EQ(rows(parse("cpp", "constexpr int kT[] = {90, 120};\n"), "kT"), "9.0: ; 12.0: ");
  EXPECT_EQ(rows(parse("python", "T = [\"9.0a\", \"12.0\"]\n"), "T"), "9.0a: ; 12.0: ");
  EXPECT_EQ(rows(parse("cpp", "constexpr int kT[] = {90, count};\n"), "kT"), "0 tables");
  EXPECT_EQ(same_at("T = [12]\n", "constexpr int kT[] = {12};\n", {12, 0}), Same::kYes);
}

TEST(CcTable, IsTheOneOfThatName) {
  EXPECT_EQ(rows(parse("cpp", "int kT(int a);\n"), "kT"), "0 tables");
  EXPECT_EQ(rows(parse("python", "A = {9: 1}\nB = {9: T}\nT = f()\n"), "T"), "0 tables");
}

TEST(CcTable, FindsTheNamedRowBeforeTheFamilys) {
  const auto tree = parse("python", "T = {12: 1}\n");
  EXPECT_EQ(tables_named(tree, "T").tables[0].find({12, 1})->value.text, "1");
  EXPECT_EQ(tables_named(tree, "T").tables[0].find({10, 0}), nullptr);
  const auto both = parse("python", "T = {\"sm_121\": 2, 12: 1}\n");
  EXPECT_EQ(tables_named(both, "T").tables[0].find({12, 1})->value.text, "2");
  EXPECT_EQ(tables_named(both, "T").tables[0].find({12, 0})->value.text, "1");
}

TEST(CcTable, ValuesAreComparedAsData) {
  const Cc cc{12, 0};
  EXPECT_EQ(
      same_at("MiB = 1 << 20\nT = {12: 2 * MiB}\n", "const int kT[][2] = {{120, 2097152}};\n", cc),
      Same::kYes);
  EXPECT_EQ(same_at("T = {12: 2}\n", "const int kT[][2] = {{120, 3}};\n", cc), Same::kNo);
  EXPECT_EQ(same_at("T = {12: 0.5}\n", "const R kT[] = {{120, 0.5f}};\n", cc), Same::kYes);
  EXPECT_EQ(same_at("T = {12: True}\n", "const R kT[] = {{120, 1}};\n", cc), Same::kYes);
  EXPECT_EQ(same_at("T = {12: \"a\"}\n", "const R kT[] = {{120, \"a\"}};\n", cc), Same::kYes);
  EXPECT_EQ(same_at("T = {12: f()}\n", "const R kT[] = {{120, 1}};\n", cc), Same::kUnknown);
}

TEST(CcTable, DoubtfulKeysAreNotRead) {
  EXPECT_EQ(rows(parse("python", "T = {12: 1, 12: 2}\n"), "T"),
            "12.x: 1; 12.x: 2; unread 12, which stands twice");
  EXPECT_EQ(rows(parse("cpp", "const R kT[] = {\n    {90, 1},\n#if 0\n    {120, 2},\n#endif\n};\n"),
                 "kT"),
            "9.0: 1; 12.0: 2; unread #if 0; unread #endif");
  EXPECT_EQ(rows(parse("cpp", "const R kT[] = {{.v = 90, .cc = 1}, {.v = 120, .cc = 2}};\n"), "kT"),
            "0 tables");
  EXPECT_EQ(rows(parse("cpp", "const R kT[] = {{\"sm_90\", 1, 2}, {\"sm_120\", 9, 3}};\n"), "kT"),
            "0 tables");
  EXPECT_EQ(tables_named(parse("cpp", "const R kT[] = {{Arch::A, 1}};\n"), "kT").unread,
            std::vector<std::size_t>{1});
}

TEST(CcTable, EveryItemHasOneOfTheOthersForItself) {
  const Cc cc{12, 0};
  EXPECT_EQ(same_at("T = {12: {2: 1, 3: 5}}\n", "const M kT = {{120, {{2, 1}, {2, 1}}}};\n", cc),
            Same::kNo);
  EXPECT_EQ(
      same_at("T = {12: [(1, 2), (3, 4)]}\n", "const M kT = {{120, {{3, 4}, {1, 2}}}};\n", cc),
      Same::kNo);
  EXPECT_EQ(same_at("T = {12: 1}\n", "const M kT = {{120, {1, 7}}};\n", cc), Same::kUnknown);
}

TEST(CcTable, ListsHaveAnOrderAndMapsHaveNone) {
  const Cc cc{12, 0};
  EXPECT_EQ(same_at("T = {12: [6, 8]}\n", "const M kT = {{120, {6, 8}}};\n", cc), Same::kYes);
  EXPECT_EQ(same_at("T = {12: [6, 8]}\n", "const M kT = {{120, {8, 6}}};\n", cc), Same::kNo);
  EXPECT_EQ(same_at("T = {12: [6, 8]}\n", "const M kT = {{120, {6}}};\n", cc), Same::kNo);
  EXPECT_EQ(
      same_at("T = {12: {2: 256, 4: 128}}\n", "const M kT = {{120, {{4, 128}, {2, 256}}}};\n", cc),
      Same::kYes);
  EXPECT_EQ(
      same_at("T = {12: {2: 256, 4: 128}}\n", "const M kT = {{120, {{4, 256}, {2, 128}}}};\n", cc),
      Same::kNo);
  EXPECT_EQ(
      same_at("T = {12: {2: f(), 4: 128}}\n", "const M kT = {{120, {{4, 128}, {2, 256}}}};\n", cc),
      Same::kUnknown);
}

}  // namespace
}  // namespace portpatch
