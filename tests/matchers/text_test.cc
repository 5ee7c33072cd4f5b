// The parts of portpatch-cc that read bytes: directives, heads of functions, expressions, compile
// commands.
#include <gtest/gtest.h>

#include "compile_commands.h"
#include "condition.h"
#include "directives.h"
#include "expression_text.h"
#include "function_heads.h"
#include "merge.h"
#include "statement_text.h"

namespace portpatch::matchers::test {
namespace {

std::string shape(const Expression& expression) {
  if (expression.parts.empty())
    return expression.kind == Expression::Kind::kOpaque ? "?" : expression.text;
  std::string text = expression.name.empty() ? std::to_string(static_cast<int>(expression.kind))
                                             : expression.name;
  for (const auto& part : expression.parts) text += " " + shape(part);
  return "(" + text + ")";
}

TEST(ReadExpression, KnowsPrecedenceAndSpellings) {
  EXPECT_EQ(shape(read_expression("a >= 90 && b < 4 || c")), "(6 (5 (>= a 90) (< b 4)) c)");
  EXPECT_EQ(shape(read_expression("not a and (b == 1 or c::d<int>(e))")),
            "(5 (4 a) (6 (== b 1) (c::d<int> e)))");
  EXPECT_EQ(shape(read_expression("x ? 1 : y ? 2 : 3")), "(9 x 1 (9 y 2 3))");
  EXPECT_EQ(shape(read_expression("p->arch / 10 >= 9 /* c */")), "(>= (/ p->arch 10) 9)");
  EXPECT_EQ(shape(read_expression("{1, {2, 3},}")), "(11 1 (11 2 3))");
}

TEST(ReadExpression, GuessesNothing) {
  for (const auto* text : {"", "a b", "a ==", "(a", "a = b", "x; y", "#if", "int x(3)"})
    EXPECT_EQ(read_expression(text).kind, Expression::Kind::kOpaque) << text;
}

TEST(ReadExpression, FoldsConstants) {
  EXPECT_EQ(read_expression("99 * 1024").value, Constant(101376LL));
}

TEST(Directives, TakeTheBranchThatIsAskedFor) {
  const std::string text =
      "#ifndef A_H\n#define A_H\n#if X && \\\n  Y\n1\n#elif Z\n2\n#else\n3\n#endif\n#ifdef "
      "W\n4\n#endif\n#endif\n";
  EXPECT_EQ(take_branches(text, 0),
            "#ifndef A_H\n#define A_H\n#if 1     \n   \n1\n#elif 0\n2\n#else\n3\n#endif\n#if 1   "
            "\n4\n#endif\n#endif\n");
  EXPECT_EQ(take_branches(text, 1),
            "#ifndef A_H\n#define A_H\n#if 0     \n   \n1\n#elif 1\n2\n#else\n3\n#endif\n#if 1   "
            "\n4\n#endif\n#endif\n");
  EXPECT_EQ(take_branches(text, 9).size(), text.size());
}

TEST(Directives, AreNotThoseOfCommentsAndStrings) {
  EXPECT_EQ(directive_ladders("/*\n#if A\n*/\nauto x = R\"(\n#if B\n)\";\n// \\\n#if C\n").size(),
            0U);
  EXPECT_EQ(directive_ladders("#if A\n#if B\n#endif\n").size(), 1U);
}

TEST(FunctionHeads, AreReplacedWithinTheirLength) {
  const std::string text =
      "namespace a {\nstd::X C<T>::run(int a,\n    D b) const {\n  if (sm_ > 1) {}\n}\nint seen() "
      "{ return 1; }\n}\n";
  const auto functions = function_texts(text);
  ASSERT_EQ(functions.size(), 2U);
  EXPECT_EQ(functions[0].head.of(text), "std::X C<T>::run(int a,\n    D b) const ");
  const auto replaced = replace_heads(text, {functions[1].body}, [](ByteRange) { return true; });
  ASSERT_TRUE(replaced);
  EXPECT_EQ(replaced->text,
            "namespace a {\nPP0                    \n               {\n  if (sm_ > 1) {}\n}\nint "
            "seen() { return 1; }\n}\n");
  EXPECT_EQ(replaced->names, std::vector<std::string>{"C<T>::run"});
  EXPECT_EQ(replace_heads(text, {{0, text.size()}}, [](ByteRange) { return true; }), std::nullopt);
}

// A file may have a function of the name that ours have.
TEST(FunctionHeads, KnowTheirOwnNamesOnly) {
  const ReplacedHeads heads{.text = {}, .arguments = {}, .names = {"A::f"}};
  ASSERT_NE(original_name(heads, "a::portpatch_function_0"), nullptr);
  EXPECT_EQ(*original_name(heads, "a::portpatch_function_0"), "A::f");
  for (const auto* read : {"f", "portpatch_function_1", "portpatch_function_x",
                           "portpatch_function_99999999999999999999"})
    EXPECT_EQ(original_name(heads, read), nullptr) << read;
}

TEST(Condition, IsUnknownWhereItsNumbersAreTooLarge) {
  const ConditionReader reader("sm_version", "sm_version");
  const auto largest = std::string("9223372036854775807");
  for (const auto& text : {"sm_version * " + largest + " > 1", "sm_version + " + largest + " > 1"})
    EXPECT_EQ(reader.truth(read_expression(text), {12, 0}), Truth::kUnknown) << text;
}

TEST(ReadStatements, EndWhereADefaultHasNoColon) {
  const std::string text = "int x; switch (sm) { case 90: f(); default            }";
  const auto found = read_statements(text, {7, text.size()});
  ASSERT_EQ(found.size(), 1U);
  ASSERT_EQ(found[0].parts.size(), 2U);
  EXPECT_TRUE(found[0].parts[1].parts.empty());
}

TEST(CompileCommand, KeepsWhatMattersForReading) {
  LookedAt looked_at;
  const auto command = read_command(
      {"nvcc", "-O3", "-Iinclude", "-isystem", "/usr/x", "-D", "A=1", "-UB", "-std=c++17",
       "-gencode", "arch=compute_90a,code=sm_90a", "-c", "a.cu", "-include", "c.h", "@more"},
      "/b", looked_at);
  EXPECT_EQ(command.arguments,
            (std::vector<std::string>{"-I/b/include", "-isystem", "/usr/x", "-DA=1", "-UB",
                                      "-std=c++17", "-include", "c.h"}));
  EXPECT_EQ(looked_at, (LookedAt{"/b/c.h", "/b/more"}));
  EXPECT_EQ(command.architectures, (std::vector<std::string>{"compute_90a", "sm_90a"}));
}

CcPlace ladder(std::vector<std::pair<std::size_t, std::string>> arms) {
  CcPlace place{.form = "if-return sequence", .function = "f"};
  for (const auto& [at, key] : arms)
    place.arms.push_back(
        {.range = {at, at + 5},
         .comparisons = {{.expression = "sm", .op = "==", .key = key, .range = {at, at + 2}}}});
  return place;
}

TEST(Merge, JoinsTheArmsOfALadderThatParsesSeeInPart) {
  std::vector<SeenPlace> seen;
  merge_places(seen, {ladder({{0, "90"}, {20, "120"}})}, 0);
  merge_places(seen, {ladder({{0, "90"}, {10, "100"}}), ladder({{90, "70"}})}, 1);
  merge_places(seen, {ladder({{90, "70"}}), ladder({{30, "121"}})}, 2);
  ASSERT_EQ(seen.size(), 3U);
  merge_places(seen, {ladder({{20, "120"}, {30, "121"}})}, 3);
  ASSERT_EQ(seen.size(), 2U);
  std::string keys;
  for (const auto& arm : seen[0].place.arms) keys += arm.comparisons[0].key + " ";
  EXPECT_EQ(keys, "90 100 120 121 ");
}

}  // namespace
}  // namespace portpatch::matchers::test
