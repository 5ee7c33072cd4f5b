#include "syntax/query_text.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "syntax/code_value.h"
#include "tests/syntax/tree.h"

namespace portpatch::test {
namespace {

QueryText read(std::string_view text) {
  auto result = read_query_text("rule.scm", text);
  if (!result) throw std::runtime_error(render(result.error(), false));
  return std::move(*result);
}

/// The literals of the first pattern, groups in brackets.
std::string literals(std::string_view text) {
  std::string out;
  const auto name_in_code = [](std::string_view code) {
    return required_name(language("python"), code);
  };
  for (const auto& group : required_literals(read(text).patterns[0], name_in_code))
    out += "[" + join(group, "|") + "]";
  return out;
}

TEST(QueryText, TellsPatternsApartWithTheirCapturesAndQuantifiers) {
  const std::string_view text = "; top\n(a) @x\n[(b) (c)]+ @y \"=\" @z\n((d) @w (#eq? @w \"q\"))";
  const auto query = read(text);
  ASSERT_EQ(query.patterns.size(), 4u);
  EXPECT_EQ(query.patterns[0].range.of(text), "(a) @x");
  EXPECT_EQ(query.patterns[1].range.of(text), "[(b) (c)]+ @y");
  EXPECT_EQ(query.patterns[2].range.of(text), "\"=\" @z");
  EXPECT_EQ(query.patterns[3].range.of(text), "((d) @w (#eq? @w \"q\"))");
  EXPECT_EQ(query.header, "top");
}

TEST(QueryText, HeaderIsTheCommentsBeforeTheFirstPattern) {
  EXPECT_EQ(read(";; one\n;\n;  two\r\n(a) ; not\n; this").header, "one\n\ntwo");
  EXPECT_EQ(read("").header, "");
}

TEST(QueryText, ReadsStringsWithEscapes) {
  const auto query = read(R"((#x? "a\"b\\c\n\t\q;)("))");
  EXPECT_EQ(query.patterns[0].items[0].items[1].text, "a\"b\\c\n\tq;)(");
}

TEST(QueryText, KnowsEveryNotation) {
  const auto query = read("(a field: (_) !absent . (b)? @c.d-e_f (MISSING \";\") (super/sub))");
  EXPECT_EQ(captures_of(query.patterns[0]), std::vector<std::string>{"c.d-e_f"});
}

TEST(QueryText, FindsPredicatesAnywhereInAPattern) {
  const auto query = read("((a (b) @b (#eq? @b \"x\")) (#eq? @b \"y\") [((c) (#z! \"q\"))])");
  std::string names;
  for (const auto* predicate : predicates_of(query.patterns[0]))
    names += predicate->items[0].text + " ";
  EXPECT_EQ(names, "#eq? #eq? #z! ");
}

TEST(QueryText, CapturesAreThoseOfNodesOnly) {
  EXPECT_EQ(captures_of(read("((a (b)* @one) @two (#eq? @three \"x\"))").patterns[0]),
            (std::vector<std::string>{"one", "two"}));
}

TEST(RequiredLiterals, ComeFromEqAndAnyOf) {
  EXPECT_EQ(literals("((a) @x (#eq? @x \"name\"))"), "[name]");
  EXPECT_EQ(literals("((a) @x (#any-of? @x \"one\" \"two\"))"), "[one|two]");
  // Of code the longest name that cannot stand for anything else.
  EXPECT_EQ(literals("((a) @x (#reads? @x \"f(size, 'a_long_text', limit=12)\"))"), "[limit]");
  EXPECT_EQ(literals("((a) @x (#reads? @x \"some_limit = 3\\nf(some_limit)\"))"), "[some_limit]");
  EXPECT_EQ(literals("((a) @x (#reads? @x \"12\"))"), "");
  EXPECT_EQ(literals("((a (b) @x) @y (#eq? @x \"p\") (#eq? @y \"q\"))"), "[p][q]");
}

TEST(RequiredLiterals, OtherPredicatesRequireNothing) {
  EXPECT_EQ(literals("((a) @x (#not-eq? @x \"n\") (#match? @x \"n\") (#any-eq? @x \"n\") "
                     "(#not-any-of? @x \"n\"))"),
            "");
  EXPECT_EQ(literals("((a) @x (b) @y (#eq? @x @y))"), "");
  EXPECT_EQ(literals("((a) @x (#eq? @x \"\"))"), "");
  EXPECT_EQ(literals("((a) @x (#eq? @x bare))"), "");
}

TEST(RequiredLiterals, AScopeMustStandInTheFileByItsInnermostName) {
  EXPECT_EQ(literals("((a) @x (#in-scope? @x \"n\"))"), "[n]");
  EXPECT_EQ(literals("((a) @x (#in-scope? @x \"Class.method\"))"), "[method]");
  EXPECT_EQ(literals("((a) @x (#in-scope? @x \"ns::f\"))"), "[f]");
  EXPECT_EQ(literals("((a) @x (#in-scope? @x \"**.run\"))"), "[run]");
  EXPECT_EQ(literals("((a) @x (#in-scope? @x \"\"))"), "");
  EXPECT_EQ(literals("((a) @x (#in-scope? @x \"Class.*\"))"), "");
  EXPECT_EQ(literals("((a) @x (#in-scope? @x \"ns.operator+\"))"), "");
  EXPECT_EQ(literals("((a) @x (#in-scope? @x \"one\" \"two\"))"), "");
  EXPECT_EQ(literals("((a (b)? @x) (#in-scope? @x \"n\"))"), "");
}

TEST(RequiredLiterals, OnlyOfCapturesThatEveryMatchBinds) {
  EXPECT_EQ(literals("((a (b)? @x) (#eq? @x \"n\"))"), "");
  EXPECT_EQ(literals("((a (b)* @x) (#eq? @x \"n\"))"), "");
  EXPECT_EQ(literals("((a (b)+ @x) (#eq? @x \"n\"))"), "[n]");
  EXPECT_EQ(literals("((a (b) @x (c)? @y) (#eq? @x \"n\"))"), "[n]");
  EXPECT_EQ(literals("((a ((b) (c) @x)? (d)) (#eq? @x \"n\"))"), "");
  EXPECT_EQ(literals("([(a) @x (b) @x] (#eq? @x \"n\"))"), "");
  EXPECT_EQ(literals("([(a) (b)] @x (#eq? @x \"n\"))"), "[n]");
  EXPECT_EQ(literals("((a [(b) (c (d) @x)]) (#eq? @x \"n\"))"), "");
  EXPECT_EQ(literals("((a f: (b) @x @y) (#eq? @y \"n\"))"), "[n]");
}

}  // namespace
}  // namespace portpatch::test
