// Comments that a directive brought are taken back with its code; all others stay.
#include <gtest/gtest.h>

#include "tests/edit/taken_back.h"

namespace portpatch::test {
namespace {

const std::string kTable = "SIZES = {\n    9: 64,  # theirs\n    # also theirs\n    10: 64,\n}\n";
const std::string kCall = "f(\n    a=1,  # theirs\n)\n";
const std::string kBlock = "def f(x):\n    # theirs\n    a = 1\n    return x  # too\n";

std::string rule(const std::string& place, const std::string& directive) {
  return "; Ours.\n(" + place + "\n " + directive + ")\n";
}

TEST(OwnComments, GoWithAnEntry) {
  EXPECT_EQ(
      taken_back("python",
                 rule("(assignment left: (_) @name right: (dictionary) @t) (#eq? @name \"SIZES\")",
                      "(#ensure-entry! @t \"12\" \"# measured\\n256  # SM120\")"),
                 kTable),
      kTable);
}

TEST(OwnComments, GoWithAnElement) {
  const std::string list = "ARCHS = [\n    # theirs\n    90,\n]\n";
  EXPECT_EQ(taken_back("python",
                       rule("(assignment left: (_) @name right: (list) @l) (#eq? @name \"ARCHS\")",
                            "(#ensure-element! @l \"# ours\\n120  # SM120\")"),
                       list),
            list);
}

TEST(OwnComments, GoWithAnArgument) {
  EXPECT_EQ(taken_back("python",
                       rule("(call function: (_) @name) @call (#eq? @name \"f\")",
                            "(#ensure-argument! @call \"b\" \"2  # SM120\")"),
                       kCall),
            kCall);
}

TEST(OwnComments, GoWithAnItemBesideAnother) {
  EXPECT_EQ(taken_back("python",
                       rule("(dictionary (pair key: (_) @key) @item) (#eq? @key \"9\")",
                            "(#insert-after! @item \"# ours\\n\\\"b\\\": 2  # too\")"),
                       kTable),
            kTable);
}

TEST(OwnComments, GoWithStatements) {
  const auto text = std::string("\"# ours\\nb = 1  # one\\n# between\\nc = 2  # two\"");
  const auto place = std::string("(assignment left: (_) @name) @statement (#eq? @name \"a\")");
  EXPECT_EQ(taken_back("python", rule(place, "(#insert-after! @statement " + text + ")"), kBlock),
            kBlock);
  EXPECT_EQ(taken_back("python", rule(place, "(#insert-before! @statement " + text + ")"), kBlock),
            kBlock);
  EXPECT_EQ(taken_back("python",
                       rule("(function_definition body: (block) @body) (#match? @body \"return\")",
                            "(#append! @body " + text + ")"),
                       kBlock),
            kBlock);
}

TEST(OwnComments, GoWithStatementsInCpp) {
  const std::string source = "void f(int a) {\n  // theirs\n  g(a);  // too\n}\n";
  EXPECT_EQ(
      taken_back(
          "cpp",
          rule("(call_expression function: (_) @name) @call (#eq? @name \"g\")",
               "(#insert-after! @call \"// ours\\n/* of two\\n   lines */\\nh(a);  // SM120\")"),
          source),
      source);
}

TEST(OwnComments, KeepCarriageReturns) {
  std::string table = kTable;
  for (auto at = table.find('\n'); at != std::string::npos; at = table.find('\n', at + 2))
    table.replace(at, 1, "\r\n");
  EXPECT_EQ(
      taken_back("python",
                 rule("(assignment left: (_) @name right: (dictionary) @t) (#eq? @name \"SIZES\")",
                      "(#ensure-entry! @t \"12\" \"# measured\\n256  # SM120\")"),
                 table),
      table);
}

TEST(OwnComments, OfUpstreamStay) {
  // The same words further up are upstream's.
  const std::string list = "ARCHS = [\n    # ours\n\n    90,\n]\n";
  EXPECT_EQ(taken_back("python",
                       rule("(assignment left: (_) @name right: (list) @l) (#eq? @name \"ARCHS\")",
                            "(#ensure-element! @l \"# ours\\n120\")"),
                       list),
            list);
}

}  // namespace
}  // namespace portpatch::test
