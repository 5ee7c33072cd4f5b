// Our own CMake grammar: what its trees look like, and what it refuses.
#include <filesystem>

#include <gtest/gtest.h>

#include "base/files.h"
#include "tests/syntax/tree.h"

namespace portpatch::test {
namespace {

/// Named nodes in parentheses, leaves with their text.
std::string shape(const SourceTree& tree, const Node& node) {
  const auto children = node.named_children();
  std::string out = "(" + std::string(node.kind());
  if (children.empty()) out += " " + std::string(node.text(tree.text()));
  for (const auto& child : children) out += " " + shape(tree, child);
  return out + ")";
}

std::string cmake(const std::string& text) {
  const auto tree = tree_of("cmake", text);
  const auto errors = error_nodes(tree.root());
  if (errors.empty()) return shape(tree, tree.root());
  std::string out;
  for (const auto& error : errors)
    out += std::string(error.kind()) + " `" + std::string(error.text(tree.text())) + "`\n";
  return out;
}

TEST(CMakeGrammar, Arguments) {
  EXPECT_EQ(cmake("Set(A 80;90 \"b ${C} d\" [=[ e ]] ]=] -DF=\"g h\" x\"y(z)\" (i j))\n"),
            "(file (command (identifier Set) (argument_list (unquoted_argument A) "
            "(unquoted_argument 80;90) "
            "(quoted_argument (variable_reference ${C})) (bracket_argument [=[ e ]] ]=]) "
            "(unquoted_argument -DF=\"g h\") "
            "(unquoted_argument x) (quoted_argument \"y(z)\") (group (unquoted_argument i) "
            "(unquoted_argument j)))))");
}

TEST(CMakeGrammar, Variables) {
  EXPECT_EQ(
      cmake("a(${b} x${c_${d}}y $ENV{E} ${f g $<h:i> $(J) \"$ ${k\" \"\\${l}\" ^m$)"),
      "(file (command (identifier a) (argument_list (unquoted_argument (variable_reference ${b})) "
      "(unquoted_argument (variable_reference ${c_${d}})) (unquoted_argument (variable_reference "
      "$ENV{E})) (unquoted_argument ${f) "
      "(unquoted_argument g) (unquoted_argument $<h:i>) (unquoted_argument $(J)) (quoted_argument "
      "\"$ ${k\") "
      "(quoted_argument \"\\${l}\") (unquoted_argument ^m$))))");
}

TEST(CMakeGrammar, CommentsMayStandAnywhere) {
  EXPECT_EQ(cmake("# a\nset(X # b\n  y #[[ c\n]] z)  # d\n#[==[ e ]]\n]==]\n"),
            "(file (line_comment # a) (command (identifier set) (argument_list (unquoted_argument "
            "X) (line_comment # b) (unquoted_argument y) "
            "(bracket_comment #[[ c\n]]) (unquoted_argument z))) (line_comment # d) "
            "(bracket_comment #[==[ e ]]\n]==]))");
}

TEST(CMakeGrammar, Blocks) {
  EXPECT_EQ(cmake("IF(A)\n  b()\nElseIf(B)\n  c()\nelse(A)\nendif()\nfunction(f x)\n  "
                  "return()\nendfunction(f)\n"),
            "(file (if_block (test (unquoted_argument A)) (body (command (identifier b) "
            "(argument_list ()))) "
            "(elseif_clause (test (unquoted_argument B)) (body (command (identifier c) "
            "(argument_list ())))) "
            "(else_clause (argument_list (unquoted_argument A))) (argument_list ())) "
            "(function_definition (signature (unquoted_argument f) (unquoted_argument x)) "
            "(body (command (identifier return) (argument_list ()))) (argument_list "
            "(unquoted_argument f))))");
  EXPECT_EQ(
      cmake("foreach(x IN ITEMS "
            "a)\nendforeach()\nwhile(X)\nendwhile()\nmacro(m)\nendmacro()\nblock()\nendblock()\n"),
      "(file (foreach_block (argument_list (unquoted_argument x) (unquoted_argument IN) "
      "(unquoted_argument ITEMS) (unquoted_argument a)) "
      "(argument_list ())) (while_block (test (unquoted_argument X)) (argument_list ())) "
      "(macro_definition (signature (unquoted_argument m)) (argument_list ())) (scope_block "
      "(argument_list ()) (argument_list ())))");
}

TEST(CMakeGrammar, AndAndOrBindFromTheLeft) {
  EXPECT_EQ(cmake("if(A OR NOT B AND (C OR \"${D}\" VERSION_LESS 12))\nendif()\n"),
            "(file (if_block (boolean_operator (boolean_operator (test (unquoted_argument A)) "
            "(not_operator (test (unquoted_argument B)))) "
            "(parenthesized_condition (boolean_operator (test (unquoted_argument C)) (test "
            "(quoted_argument (variable_reference ${D})) "
            "(unquoted_argument VERSION_LESS) (unquoted_argument 12))))) (argument_list ())))");
}

TEST(CMakeGrammar, OperatorsAreWordsElsewhere) {
  EXPECT_EQ(cmake("list(APPEND X AND \"y\" OR if NOT)\n"),
            "(file (command (identifier list) (argument_list (unquoted_argument APPEND) "
            "(unquoted_argument X) (unquoted_argument AND) "
            "(quoted_argument \"y\") (unquoted_argument OR) (unquoted_argument if) "
            "(unquoted_argument NOT))))");
}

TEST(CMakeGrammar, LineBreaksAndMarks) {
  EXPECT_EQ(
      cmake("\xef\xbb\xbf"
            "set(a b)\r\nif(A)\r\n  c() # d\r\nendif()\r\n"),
      "(file (command (identifier set) (argument_list (unquoted_argument a) (unquoted_argument "
      "b))) (if_block (test (unquoted_argument A)) "
      "(body (command (identifier c) (argument_list ()))) (line_comment # d) (argument_list ())))");
  EXPECT_EQ(cmake(""), "(file )");
}

TEST(CMakeGrammar, WhatIsWrongIsAnError) {
  EXPECT_EQ(cmake("set(a) set(b)\n"), "command `set(a)`\n");
  EXPECT_EQ(cmake("set(a b\nset(c)\n"), "ERROR `set(a b\nset(c)`\n");
  EXPECT_EQ(cmake("if(A)\nb()\n"), "ERROR `if(A)\nb()`\n");
  EXPECT_EQ(cmake("a()\nendif()\nb()\n"), "ERROR `endif()`\n");
  EXPECT_EQ(cmake("a(\"b)\nc()\n"), "ERROR `a(\"b)\nc()\n`\n");
  EXPECT_EQ(cmake("a()\n#[[ b\nc()\n"), "ERROR `#[[ b\nc()\n`\n");
  EXPECT_EQ(cmake("a()\n#[=x\n#[\n#\n"),
            "(file (command (identifier a) (argument_list ())) (line_comment #[=x) (line_comment "
            "#[) (line_comment #))");
  EXPECT_NE(cmake("a([[ b)\nc()\n").find("ERROR"), std::string::npos);
  EXPECT_NE(cmake("a\n(b)\n").find("ERROR"), std::string::npos);
}

TEST(CMakeGrammar, QueriesSeeFieldsAndScopes) {
  const std::string text =
      "function(build)\n  if(X)\n    list(APPEND F 90)\n  elseif(Y)\n    list(APPEND F 80)\n  "
      "endif()\nendfunction()\n";
  EXPECT_EQ(matches("cmake",
                    "(if_block condition: (_) @c body: (body (command arguments: (argument_list "
                    "second: (_) @v))) alternative: (elseif_clause condition: (_) @e))",
                    text),
            "0: @c X @v F @e Y\n");
  EXPECT_EQ(
      matches("cmake",
              "((command name: (identifier) @n) @c (#in-scope? @c \"build\") (#eq? @n \"list\"))",
              text),
      "0: @c list(APPEND F 90) @n list\n0: @c list(APPEND F 80) @n list\n");
}

TEST(CMakeGrammar, TheModulesOfCMakeHaveNoErrors) {
  const std::filesystem::path share = "/usr/share";
  std::size_t files = 0;
  std::string wrong;
  for (const auto& folder : std::filesystem::directory_iterator(share)) {
    if (!folder.path().filename().string().starts_with("cmake-")) continue;
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
      // A template of configure_file() has @X@ where a command stands.
      if (file.path().extension() != ".cmake" || file.path().filename() == "run_nvcc.cmake")
        continue;
      ++files;
      const auto text = read_file(file.path());
      if (!text || !error_nodes(tree_of("cmake", *text).root()).empty())
        wrong += file.path().string() + "\n";
    }
  }
  if (files == 0) GTEST_SKIP() << "CMake's own modules are not installed under " << share;
  EXPECT_EQ(wrong, "");
}

}  // namespace
}  // namespace portpatch::test
