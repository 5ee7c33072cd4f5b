#include <gtest/gtest.h>

#include "tests/pack/pack_folder.h"

namespace portpatch::test {
namespace {

TEST(RuleMistakes, BracketsAndStringsThatDoNotPairUp) {
  EXPECT_EQ(mistakes_of_rule("((identifier) @n\n (#eq? @n \"a\")\n"), R"(?)");
  EXPECT_EQ(mistakes_of_rule("[(identifier) @n\n"), R"(?)");
  EXPECT_EQ(mistakes_of_rule("((identifier) @n))\n"), R"(?)");
  EXPECT_EQ(mistakes_of_rule("((identifier) @n (#eq? @n \"a)\n)\n"), R"(?)");
  EXPECT_EQ(mistakes_of_rule("((identifier) @n % (#eq? @n \"a\"))\n"), R"(?)");
  EXPECT_EQ(mistakes_of_rule("((identifier @n left: (_) @d) (#eq? @n \"A\") (#remove! @n))\n"), R"(?)");
}

TEST(RuleMistakes, UnknownNodeTypesAndFields) {
  EXPECT_EQ(mistakes_of_rule("((assignmnt) @n\n (#eq? @n \"a\")\n (#append! @n \"pass\"))\n"), R"(?)");
  EXPECT_EQ(mistakes_of_rule("((zzzzzzz) @n (#eq? @n \"a\") (#append! @n \"pass\"))\n"), R"(?)");
  EXPECT_EQ(mistakes_of_rule("((assignment lft: (_) @n) (#eq? @n \"a\") (#append! @n \"pass\"))\n"), R"(?)");
  EXPECT_EQ(mistakes_of_rule("((assignment zzzzzzz: (_) @n) (#eq? @n \"a\") (#append! @n \"pass\"))\n"), R"(?)");
}

TEST(RuleMistakes, APatternThatNoTreeCanMatch) {
  EXPECT_EQ(mistakes_of_rule("((assignment (comment (identifier)) @n) (#eq? @n \"A\") (#append! @n \"pass\"))\n"), R"(?)");
}

TEST(RuleMistakes, UnknownPredicatesAndDirectives) {
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#eg? @n \"A\") (#ensure-entri! @d \"1\" \"2\")")), R"(?)");
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#frobnicate? @n) (#frobnicate! @d)")), R"(?)");
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#eq @n \"A\") (#ensure-entry! @d \"1\" \"2\")")), R"(?)");
}

TEST(RuleMistakes, ArgumentsOfPredicates) {
  const auto of = [](const std::string& predicate) { return mistakes_of_rule(dict_rule(predicate + " (#ensure-entry! @d \"1\" \"2\")")); };
  EXPECT_EQ(of("(#eq? @n)"), R"(?)");
  EXPECT_EQ(of("(#eq? \"n\" @n)"), R"(?)");
  EXPECT_EQ(of("(#match? @n \"a\" \"b\")"), R"(?)");
  EXPECT_EQ(of("(#any-of? @n)"), R"(?)");
  EXPECT_EQ(of("(#in-path? @n)"), R"(?)");
  EXPECT_EQ(of("(#match? @n \"(a\")"), R"(?)");
  EXPECT_EQ(of("(#match? @n \"a(?=b)\")"), R"(?)");
  EXPECT_EQ(of("(#lacks? @d \"[1,\")"), R"(?)");
}

TEST(RuleMistakes, ArgumentsOfDirectives) {
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#ensure-entry! @d \"1\")")), R"(?)");
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#ensure-entry! @d \"1\" @n)")), R"(?)");
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#ensure-entry! \"d\" \"1\" \"2\")")), R"(?)");
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#replace! @d)")), R"(?)");
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#remove! @d \"x\") (#held! @d \"x\")")), R"(?)");
}

TEST(RuleMistakes, CapturesThatThePatternDoesNotDefine) {
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#eq? @m \"A\") (#ensure-entry! @e \"1\" \"2\")")), R"(?)");
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#held! @x)")), R"(?)");
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#replace! @d \"f(${n}, ${x})\")")), R"(?)");
  EXPECT_EQ(mistakes_of_rule("((identifier) (#eq? @n \"A\") (#append! @n \"pass\"))\n"), R"(?)");
  EXPECT_EQ(mistakes_of_rule("((identifier) @a (#eq? @a \"A\") (#append! @a \"pass\"))\n((identifier) @b (#eq? @a \"A\") (#append! @a \"pass\"))\n"), R"(?)");
}

TEST(RuleMistakes, CodeThatIsNotWhole) {
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#ensure-entry! @d \"1\" \"[1,\")")), R"(?)");
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#ensure-entry! @d \"1\" \"f(1, 2 3)\")")), R"(?)");
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#ensure-entry! @d \"1], [2\" \"1\")")), R"(?)");
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#ensure-element! @d \"\")")), R"(?)");
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#insert-after! @d \"def f(:\\n    pass\\n\")")), R"(?)");
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#append! @d \"if x:\")")), R"(?)");
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#append! @d \"f(a=1, 2)\")")), R"(?)");
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#ensure-argument! @d \"a b\" \"1\")")), R"(?)");
  EXPECT_EQ(mistakes({{"cpp/a.scm", "((initializer_list) @l (#in-scope? @l \"\") (#ensure-element! @l \"{1, 2\"))\n"}}), R"(?)");
  EXPECT_EQ(mistakes({{"json/a.scm", "((object) @o (#in-path? \"a.json\") (#ensure-entry! @o \"\\\"k\\\"\" \"[1,]\"))\n"}}), R"(?)");
}

TEST(RuleMistakes, CodeThatIsWholeIsNone) {
  for (const auto* directive :
       {"(#ensure-entry! @d \"key\" \"*x\")", "(#ensure-element! @d \"*rest\")", "(#ensure-element! @d \"cc:12.0a\")",
        "(#ensure-argument! @d \"name\" \"lambda: 0\")", "(#replace! @d \"${n}[0]\")", "(#replace! @d \"part\" \"x = 1\")",
        "(#insert-before! @d \"if x:\\n    pass\")", "(#append! @d \"# only\\nx = 1\")"}) {
    EXPECT_EQ(mistakes_of_rule(dict_rule(directive)), "") << directive;
  }
}

TEST(RuleMistakes, ComputeCapabilitiesThatAreNone) {
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#ensure-entry! @d \"cc:12\" \"1\")")), R"(?)");
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#ensure-element! @d \"cc:12.0A\")")), R"(?)");
}

TEST(RuleMistakes, FilesBesideTheRule) {
  const auto rule = dict_rule("(#replace! @d \"file:body\")");
  EXPECT_EQ(mistakes({{"python/a.scm", rule}, {"python/a.body.py", "1"}}), "");
  EXPECT_EQ(mistakes({{"python/a.scm", rule}}), R"(?)");
  EXPECT_EQ(mistakes({{"python/a.scm", rule}, {"python/a.body.py", "1"}, {"python/a.body.txt", "1"}}), R"(?)");
  EXPECT_EQ(mistakes({{"python/a.scm", rule}, {"python/a.body.py", "f("}}), R"(?)");
  EXPECT_EQ(mistakes({{"python/a.scm", dict_rule("(#replace! @d \"file:../x\")")}, {"x.py", "1"}}), R"(?)");
  EXPECT_EQ(mistakes({{"python/a.scm", dict_rule("(#replace! @d \"file:\")")}}), R"(?)");
}

TEST(RuleMistakes, APredicateOutsideOfItsPattern) {
  EXPECT_EQ(mistakes_of_rule("((identifier) @n) (#eq? @n \"a\")\n"), R"(?)");
  EXPECT_EQ(mistakes_of_rule("(#eq? @n \"a\")\n"), R"(?)");
}

TEST(RuleMistakes, PatternsWithoutDirectiveOrAnchor) {
  EXPECT_EQ(mistakes_of_rule("((identifier) @n (#eq? @n \"a\"))\n"), R"(?)");
  EXPECT_EQ(mistakes_of_rule("((identifier) @n (#eq? @n \"a\") (#set! \"x\" \"y\"))\n"), R"(?)");
  EXPECT_EQ(mistakes_of_rule("((dictionary) @d (#ensure-entry! @d \"1\" \"2\"))\n"), R"(?)");
  for (const auto* no_anchor : {"(#not-eq? @n \"a\")", "(#eq? @n @n)", "(#is? local)", "(#lacks? @n \"x\")", "(#not-match? @n \"a\")"}) {
    EXPECT_NE(mistakes_of_rule("((identifier) @n " + std::string(no_anchor) + " (#append! @n \"pass\"))"), "") << no_anchor;
  }
}

TEST(RuleMistakes, HeldPatterns) {
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#held! @d) (#ensure-entry! @d \"1\" \"2\")")), R"(?)");
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#remove! @d)")), R"(?)");
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#remove! @d)") + "((block) @b (#in-scope? @b \"f\") (#lacks? @b \"A = {}\") (#held! @b))\n"), "");
}

TEST(RuleMistakes, AnEmptyRule) {
  EXPECT_EQ(mistakes_of_rule(""), R"(?)");
  EXPECT_EQ(mistakes_of_rule("; to do\n"), R"(?)");
}

TEST(RuleMistakes, AllOfOneRuleComeTogetherInOrder) {
  EXPECT_EQ(mistakes_of_rule("((assignmnt) @n\n (#eg? @n \"A\")\n (#frob! @n))\n"
                             "((identifier) @n\n (#eq? @m \"A\")\n (#ensure-entry! @n \"1\" \"[\"))\n"
                             "((identifier) @n) (#eq? @n \"A\")\n"),
            R"(?)");
}

TEST(RuleMistakes, CarriageReturnsAndForeignBytesAreShownSafely) {
  EXPECT_EQ(mistakes_of_rule("((identifier) @n\r\n (#eq? @n \"\xc3\xa4\xff\") (#eg? @n \"\x1b[31m\"))\r\n"), R"(?)");
  EXPECT_EQ(mistakes_of_rule("((identifier) @n\r\n (#eq? @n \"\xc3\xa4\xff\")\r\n (#append! @n \"pass\"))\r\n"), "");
}

TEST(RuleMistakes, OfAVeryLongLineOnlyThePlaceIsShown) {
  const std::string filler(3000, 'x');
  EXPECT_EQ(mistakes_of_rule("((identifier) @n (#eq? @n \"" + filler + "\") (#eg? @n \"a\") (#any-of? @n \"" + filler + "\") (#append! @n \"pass\"))"), R"(?)");
  EXPECT_EQ(mistakes_of_rule("((identifier) @n (#eq? @n \"a\") (#append! @n \"f(" + filler + "\"))"), R"(?)");
}

}  // namespace
}  // namespace portpatch::test
