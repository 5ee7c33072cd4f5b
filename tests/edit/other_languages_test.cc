// Containers of C++, JSON, TOML and YAML.
#include <gtest/gtest.h>

#include "tests/edit/apply_rule.h"

namespace portpatch::test {
namespace {

std::string cpp(const std::string& text, const std::string& source) {
  return apply_rule(
      "cpp",
      "((init_declarator declarator: (_) @name value: (_) @node) (#match? @name \"^x\") " + text +
          ")",
      source);
}

TEST(CppContainer, Initialisers) {
  EXPECT_EQ(cpp(directive("ensure-element!", {"8"}), "int x[] = {4, 6};\n"),
            "int x[] = {4, 6, 8};\n");
  EXPECT_EQ(cpp(directive("ensure-element!", {"8"}), "std::vector<int> x = {\n  4,\n  6,\n};\n"),
            "std::vector<int> x = {\n  4,\n  6,\n  8,\n};\n");
  EXPECT_EQ(
      cpp(directive("ensure-entry!", {"12", "3"}), "std::map<int, int> x = {{9, 1}, {10, 2}};\n"),
      "std::map<int, int> x = {{9, 1}, {10, 2}, {12, 3}};\n");
  EXPECT_EQ(cpp(directive("ensure-element!", {"{.cc = 120, .size = 8}"}),
                "T x[] = {\n    {.cc = 90, .size = 4},\n};\n"),
            "T x[] = {\n    {.cc = 90, .size = 4},\n    {.cc = 120, .size = 8},\n};\n");
}

TEST(CppContainer, NestedAndDesignatedEntries) {
  EXPECT_EQ(cpp(directive("ensure-entry!", {"120", "8"}),
                "T x[] = {\n    {.cc = 90, .size = 4},\n    {.cc = 100, .size = 6},\n};\n"),
            "T x[] = {\n    {.cc = 90, .size = 4},\n    {.cc = 100, .size = 6},\n    {.cc = 120, "
            ".size = 8},\n};\n");
  EXPECT_EQ(cpp(directive("ensure-entry!", {"12", "{6, 8}"}),
                "M x = {\n    {9, {4, 6, 8}},  // Hopper\n};\n"),
            "M x = {\n    {9, {4, 6, 8}},  // Hopper\n    {12, {6, 8}},\n};\n");
}

TEST(CppContainer, Enumerators) {
  const auto on_enum = [](std::string_view element, const std::string& source) {
    return apply_rule("cpp",
                      "((enum_specifier name: (_) @name body: (_) @node) (#eq? @name \"E\") " +
                          directive("ensure-element!", {element}) + ")",
                      source);
  };
  EXPECT_EQ(on_enum("kC", "enum E { kA, kB };\n"), "enum E { kA, kB, kC };\n");
  EXPECT_EQ(on_enum("kC = 4", "enum class E {\n  kA = 1,\n  kB = 2,  // two\n};\n"),
            "enum class E {\n  kA = 1,\n  kB = 2,  // two\n  kC = 4,\n};\n");
  EXPECT_EQ(on_enum("kB", "enum E { kA, kB };\n"), "holds");
}

TEST(CppContainer, ElementsUnderAConditionAreNoPlace) {
  EXPECT_EQ(
      cpp(directive("ensure-element!", {"8"}), "int x[] = {\n  4,\n#ifdef A\n  6,\n#endif\n};\n"),
      "int x[] = {\n  4,\n  8,\n#ifdef A\n  6,\n#endif\n};\n");
}

TEST(CppContainer, AnItemWhoseCommaIsUnderAConditionIsNoAnchor) {
  EXPECT_EQ(cpp(directive("ensure-element!", {"8"}),
                "int x[] = {4, 6\n#ifdef A\n           ,\n           7\n#endif\n};\n"),
            "int x[] = {4, 8, 6\n#ifdef A\n           ,\n           7\n#endif\n};\n");
}

std::string json(const std::string& text, const std::string& source) {
  return apply_rule(
      "json",
      "((pair key: (string) @name value: (_) @node) (#eq? @name \"\\\"x\\\"\") " + text + ")",
      source);
}

TEST(JsonContainer, ObjectsAndArrays) {
  EXPECT_EQ(json(directive("ensure-entry!", {"\"b\"", "[1, 2]"}), "{\"x\": {\"a\": 1}}\n"),
            "{\"x\": {\"a\": 1, \"b\": [1, 2]}}\n");
  EXPECT_EQ(json(directive("ensure-entry!", {"\"b\"", "{\"c\": 1}"}),
                 "{\n  \"x\": {\n    \"a\": 1\n  }\n}\n"),
            "{\n  \"x\": {\n    \"a\": 1,\n    \"b\": {\"c\": 1}\n  }\n}\n");
  EXPECT_EQ(json(directive("ensure-element!", {"8"}), "{\"x\": [\n  4,\n  6\n]}\n"),
            "{\"x\": [\n  4,\n  6,\n  8\n]}\n");
}

TEST(JsonContainer, LongValuesTakeNoTrailingComma) {
  const std::string indent(84, ' ');
  EXPECT_EQ(json(directive("ensure-entry!", {"\"b\"", "[1, 2]"}),
                 "{\"x\":\n" + indent + "{\n" + indent + "\"a\": 1\n}}\n"),
            "{\"x\":\n" + indent + "{\n" + indent + "\"a\": 1,\n" + indent + "\"b\": [\n" + indent +
                std::string(4, ' ') + "1,\n" + indent + std::string(4, ' ') + "2\n" + indent +
                "]\n}}\n");
}

TEST(TomlContainer, TablesAndArrays) {
  const auto table = "((table (bare_key) @name) @node (#eq? @name \"x\") " +
                     directive("ensure-entry!", {"b", "2"}) + ")";
  EXPECT_EQ(apply_rule("toml", table, "[x]\na = 1  # one\n\n[y]\nc = 1\n"),
            "[x]\na = 1  # one\nb = 2\n\n[y]\nc = 1\n");
  const auto array = "((pair (bare_key) @name (array) @node) (#eq? @name \"x\") " +
                     directive("ensure-element!", {"\"b\""}) + ")";
  EXPECT_EQ(apply_rule("toml", array, "x = [\"a\"]\n"), "x = [\"a\", \"b\"]\n");
  EXPECT_EQ(apply_rule("toml", array, "x = [\n  'a',\n]\n"), "x = [\n  'a',\n  'b',\n]\n");
}

TEST(YamlContainer, MappingsAndSequences) {
  const auto on = [](const std::string& text) {
    return "((block_mapping_pair key: (_) @name value: (_) @node) (#eq? @name \"x\") " + text + ")";
  };
  const auto entry = on(directive("ensure-entry!", {"b", "2"}));
  EXPECT_EQ(apply_rule("yaml", entry, "x:\n  a: 1  # one\ny: 3\n"),
            "x:\n  a: 1  # one\n  b: 2\ny: 3\n");
  EXPECT_EQ(apply_rule("yaml", entry, "x: {a: 1}\n"), "x: {a: 1, b: 2}\n");
  const auto element = on(directive("ensure-element!", {"b"}));
  EXPECT_EQ(apply_rule("yaml", element, "x:\n- a\n# end\ny: 3\n"), "x:\n- a\n- b\n# end\ny: 3\n");
  EXPECT_EQ(apply_rule("yaml", element, "x:\n  - a"), "x:\n  - a\n  - b");
}

}  // namespace
}  // namespace portpatch::test
