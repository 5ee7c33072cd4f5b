#include "syntax/fragment.h"

#include <gtest/gtest.h>

#include "tests/syntax/tree.h"

namespace portpatch::test {
namespace {

/// The fragment's nodes by kind and text, or what is wrong with it.
std::string fragment(std::string_view kind, std::string_view text,
                     std::string_view language_name = "python") {
  const auto parsed = kind == "any" ? Fragment::parse_any(language(language_name), text)
                                    : Fragment::parse(language(language_name), kind, text);
  if (!parsed) return "[" + parsed.error().code + "] " + parsed.error().message;
  std::string out;
  for (const auto& node : parsed->nodes())
    out += std::string(node.kind()) + " " + std::string(node.text(parsed->tree().text())) + "\n";
  for (const auto& node : parsed->comments())
    out += "comment " + std::string(node.text(parsed->tree().text())) + "\n";
  return out;
}

TEST(Fragment, IsOneExpression) {
  EXPECT_EQ(fragment("expression", " 256 * MiB\n"), "binary_operator 256 * MiB\n");
  EXPECT_EQ(fragment("expression", "{2: 256 * MiB, 4: 5}"), "dictionary {2: 256 * MiB, 4: 5}\n");
  EXPECT_EQ(fragment("expression", "lambda: (yield)"), "lambda lambda: (yield)\n");
  EXPECT_EQ(fragment("expression", "# why\n[1]  # and so"),
            "list [1]\ncomment # why\ncomment # and so\n");
}

TEST(Fragment, ThatBreaksOutOfItsFrameIsRefused) {
  EXPECT_EQ(fragment("expression", "1], [2"),
            "[bad-code] `1], [2` is no Python expression: it is not one expression");
  EXPECT_EQ(fragment("expression", "1, 2"),
            "[bad-code] `1, 2` is no Python expression: it is not one expression");
  EXPECT_EQ(fragment("expression", "1]\nx = [2"),
            "[bad-code] `1]...` is no Python expression: it is not one expression");
  EXPECT_EQ(fragment("argument", "a), f(b"),
            "[bad-code] `a), f(b` is no Python argument: it is not whole");
  EXPECT_EQ(fragment("expression", "1}, {2", "cpp"),
            "[bad-code] `1}, {2` is no C++ expression: it is not whole");
  EXPECT_EQ(fragment("expression", "1; int x = 2", "cpp"),
            "[bad-code] `1; int x = 2` is no C++ expression: it is not whole");
  EXPECT_EQ(fragment("statement", "} void g() {", "cpp"),
            "[bad-code] `} void g() {` is no C++ statement: it is not one statement");
  EXPECT_EQ(fragment("expression", "1], [2", "json"),
            "[bad-code] `1], [2` is no JSON expression: it breaks at `, [2`");
  EXPECT_EQ(fragment("entry", "\"a\": 1}, {\"b\": 2", "json"),
            R"([bad-code] `"a": 1}, {"b": 2` is no JSON entry: it breaks at `, {"b": 2`)");
  EXPECT_EQ(fragment("expression", "1]\n[table]\nx = [2", "toml"),
            "[bad-code] `1]...` is no TOML expression: it is not one expression");
}

TEST(Fragment, ThatIsNotWholeSaysWhere) {
  EXPECT_EQ(fragment("expression", "[1,"),
            "[bad-code] `[1,` is no Python expression: it is not whole");
  EXPECT_EQ(fragment("expression", "f(a, b c)"),
            "[bad-code] `f(a, b c)` is no Python expression: it breaks at `c)`");
  EXPECT_EQ(fragment("expression", "'open"),
            "[bad-code] `'open` is no Python expression: it is not whole");
  EXPECT_EQ(fragment("expression", ""), "[bad-code] there is no code in this text");
  EXPECT_EQ(fragment("expression", "# only a comment"),
            "[bad-code] `# only a comment` is no Python expression: it is not one expression");
  EXPECT_EQ(fragment("expression", "x = 1"),
            "[bad-code] `x = 1` is no Python expression: it breaks at `= 1`");
  EXPECT_EQ(fragment("expression", std::string(200, 'x') + " y"),
            "[bad-code] `xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...` is no Python expression: it "
            "breaks at `y`");
  EXPECT_EQ(fragment("statement", "x", "json"),
            "[bad-code] `x` is no JSON statement: JSON has no statements");
}

TEST(Fragment, HoldsStatementsInARow) {
  EXPECT_EQ(fragment("statement", "import os\nx = 1\n"),
            "import_statement import os\nexpression_statement x = 1\n");
  EXPECT_EQ(fragment("statement", "# first\nif a:\n    b()\n"),
            "if_statement if a:\n    b()\ncomment # first\n");
  EXPECT_EQ(fragment("statement", "int a = 1; f(a);", "cpp"),
            "declaration int a = 1;\nexpression_statement f(a);\n");
  EXPECT_EQ(fragment("statement", "case 1: break;", "cpp"), "case_statement case 1: break;\n");
  EXPECT_EQ(fragment("statement", "int member_;", "cpp"), "declaration int member_;\n");
}

TEST(Fragment, OfAnyKindIsAnExpressionWhereItCan) {
  EXPECT_EQ(fragment("any", "f(x)"), "call f(x)\n");
  EXPECT_EQ(fragment("any", "x = 1"), "keyword_argument x = 1\n");
  EXPECT_EQ(fragment("any", "return x"), "return_statement return x\n");
  EXPECT_EQ(fragment("any", "*rest"), "list_splat *rest\n");
}

TEST(Fragment, KnowsTheIndentationOfItsFirstLine) {
  const auto parsed = Fragment::parse(language("python"), "statement",
                                      "\n    if a:\n        b()\n");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->first_indent(), 4u);
  EXPECT_EQ(parsed->text(), "if a:\n        b()");
}

}  // namespace
}  // namespace portpatch::test
