// A pattern made wider, one part at a time.
#include "locate/relax.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace portpatch::test {
namespace {

std::string relaxed(const std::string& text) {
  const auto query = read_query_text("pattern", text);
  if (!query) throw std::runtime_error(query.error().message);
  std::string out;
  for (const auto& one : relaxations_of(query->patterns[0], text))
    out += fmt::format("{} {}{}: {}\n", one.cost, one.is_dropped ? "without " : "",
                       one.part.of(text), one.query);
  return out;
}

TEST(Relax, DropsPredicatesThenOneNodeThenAnAnchor) {
  EXPECT_EQ(
      relaxed("((assignment left: (identifier) @name . right: (dictionary (pair)) @table) (#eq? "
              "@name \"X\") (#ensure-entry! @table \"1\" \"2\"))"),
      "0 : ((assignment left: (identifier) @name . right: (dictionary (pair)) @table)  )\n"
      "5 without .: ((assignment left: (identifier) @name  right: (dictionary (pair)) @table)  )\n"
      "10 (identifier): ((assignment left: (_) @portpatch.there @name . right: (dictionary (pair)) "
      "@table)  )\n"
      "10 (pair): ((assignment left: (identifier) @name . right: (dictionary (_) @portpatch.there) "
      "@table)  )\n"
      "15 without (pair): ((assignment left: (identifier) @name . right: (dictionary ) @table)  )\n"
      "20 (dictionary (pair)): ((assignment left: (identifier) @name . right: (_) @portpatch.there "
      "@table)  )\n"
      "25 without left: (identifier) @name: ((assignment  . right: (dictionary (pair)) @table)  )\n"
      "25 without right: (dictionary (pair)) @table: ((assignment left: (identifier) @name . )  "
      ")\n");
}

TEST(Relax, WhatAskedForALostCaptureIsLostToo) {
  EXPECT_EQ(relaxed("((call (argument_list (string) @s)) (#eq? @s \"x\"))"),
            "0 : ((call (argument_list (string) @s)) )\n"
            "10 (string): ((call (argument_list (_) @portpatch.there @s)) )\n"
            "25 without (string) @s: ((call (argument_list )) ) @match\n"
            "30 (argument_list (string) @s): ((call (_) @portpatch.there) )\n"
            "35 without (argument_list (string) @s): ((call ) ) @match\n");
}

TEST(Relax, AMatchWithoutCapturesIsCapturedWhole) {
  const std::string text = "(call)\n(list) @l\n((dictionary) (#in-path? \"a\"))\n";
  const auto query = read_query_text("pattern", text);
  ASSERT_TRUE(query);
  EXPECT_EQ(with_captures(*query, text),
            "(call) @match\n(list) @l\n((dictionary) @match (#in-path? \"a\"))\n");
}

}  // namespace
}  // namespace portpatch::test
