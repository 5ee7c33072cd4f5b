#include "capture/pattern.h"

#include <gtest/gtest.h>

#include "tests/syntax/tree.h"

namespace portpatch::test {
namespace {

Pattern table_of(const std::string& name) {
  return {.kind = "assignment",
          .children = {{.kind = "_", .field = "left", .text = name},
                       {.kind = "dictionary", .field = "right", .is_target = true}}};
}

std::string targets(const Pattern& pattern, const std::string& source) {
  const auto tree = tree_of("python", source);
  const TreeContent content(tree);
  std::string out;
  for (const auto& node : targets_of(pattern, content))
    out += std::string(node.text(tree.text())) + ";";
  return out;
}

TEST(Pattern, IsPrintedAsAQuery) {
  auto pattern = table_of("SIZES");
  name_captures(pattern, "table");
  EXPECT_EQ(print(pattern, 1), "(assignment left: (_) @name right: (dictionary) @table)");
  EXPECT_EQ(predicates_of(pattern), std::vector<std::string>{"(#eq? @name \"SIZES\")"});
}

TEST(Pattern, ALongOneHasALineForEachChild) {
  auto pattern = Pattern{
      .kind = "function_definition",
      .children = {{.kind = "_", .field = "name", .text = "f"},
                   {.kind = "block",
                    .field = "body",
                    .children = {{.kind = "expression_statement",
                                  .children = {{.kind = "call", .is_target = true}}}}}}};
  name_captures(pattern, "a_long_name_of_a_capture");
  EXPECT_EQ(print(pattern, 1),
            "(function_definition\n   name: (_) @name\n   body: (block (expression_statement "
            "(call) @a_long_name_of_a_capture)))");
}

TEST(Pattern, MatchesWhatTheQueryMatches) {
  const std::string source = "SIZES = {1: 2}\nOTHER = {3: 4}\nSIZES = []\n";
  EXPECT_EQ(targets(table_of("SIZES"), source), "{1: 2};");
  auto pattern = table_of("SIZES");
  name_captures(pattern, "table");
  const auto query = "(" + print(pattern, 1) + " " + predicates_of(pattern)[0] + ")";
  EXPECT_EQ(matches("python", query, source), "0: @name SIZES @table {1: 2}\n");
}

TEST(Pattern, ChildrenStandInOrderAndMayBeAdjacent) {
  const auto call = [](const std::string& text) {
    return Pattern{.kind = "expression_statement", .text = text};
  };
  auto pair = Pattern{.kind = "module", .children = {call("a()"), call("b()")}};
  pair.children[1].is_target = true;
  EXPECT_EQ(targets(pair, "a()\nx()\nb()\n"), "b();");
  EXPECT_EQ(targets(pair, "b()\na()\n"), "");
  pair.children[1].is_adjacent = true;
  EXPECT_EQ(targets(pair, "a()\nx()\nb()\n"), "");
  EXPECT_EQ(targets(pair, "a()\nb()\n"), "b();");
  name_captures(pair, "statement");
  EXPECT_EQ(
      print(pair, 1),
      "(module (expression_statement) @expression_statement . (expression_statement) @statement)");
}

TEST(Pattern, ATextOfSeveralLinesIsComparedAsCode) {
  const auto tree = tree_of("python", "f(\n    a,\n    b)\n");
  const TreeContent content(tree);
  const auto call = content.nodes_of_kind("call").at(0);
  Pattern pattern{.kind = "call",
                  .text = "f(\n    a,\n    b)",
                  .content = content.hash(call),
                  .is_target = true};
  EXPECT_EQ(targets(pattern, "f(a, b)\nf(b, a)\n"), "f(a, b);");
  name_captures(pattern, "call");
  EXPECT_EQ(predicates_of(pattern),
            std::vector<std::string>{"(#reads? @call \"f(\\n    a,\\n    b)\")"});
}

TEST(Pattern, NamesOfCapturesDifferAndTheTargetHasItsOwn) {
  Pattern pattern{
      .kind = "call",
      .children = {{.kind = "_", .field = "function", .text = "f"},
                   {.kind = "argument_list",
                    .field = "arguments",
                    .children = {{.kind = "call",
                                  .children = {{.kind = "_", .field = "function", .text = "g"}},
                                  .is_target = true}}}}};
  name_captures(pattern, "function");
  EXPECT_EQ(print(pattern, 1),
            "(call\n   function: (_) @function_2\n   arguments: (argument_list (call function: (_) "
            "@function_3) @function))");
}

TEST(Pattern, StringsAreQuoted) {
  EXPECT_EQ(query_string("a \"b\"\\\n\tc\r"), R"("a \"b\"\\\n\tc\r")");
}

}  // namespace
}  // namespace portpatch::test
