// Directives in CMake files.
#include <gtest/gtest.h>

#include "tests/edit/apply_rule.h"

namespace portpatch::test {
namespace {

/// A rule on the arguments of the command that names X first or second.
std::string on_list(std::string_view text) {
  return "((command name: (identifier) @command arguments: (argument_list (unquoted_argument) "
         "@name) @node) (#any-of? @command \"set\" \"list\") (#eq? @name \"X\") " +
         std::string(text) + ")";
}

std::string element(std::string_view value, const std::string& source) {
  return apply_rule("cmake", on_list(directive("ensure-element!", {value})), source);
}

TEST(CMakeElement, StandsBehindItsSiblings) {
  EXPECT_EQ(element("120", "set(X 80 90)\n"), "set(X 80 90 120)\n");
  EXPECT_EQ(element("90", "set(X 80 90)\n"), "holds");
  EXPECT_EQ(element("85", "set(X 80 90)\n"), "set(X 80 85 90)\n");
  EXPECT_EQ(element("120", "set(X)\n"), "set(X 120)\n");
  EXPECT_EQ(element("120", "list(APPEND X\n  80  # Ampere\n  90)  # t\n"),
            "list(APPEND X\n  80  # Ampere\n  90\n  120)  # t\n");
  EXPECT_EQ(element("b.cu", "list(APPEND X\n    a.cu\n)\n"),
            "list(APPEND X\n    a.cu\n    b.cu\n)\n");
}

TEST(CMakeElement, StandsBeforeWhatClosesTheList) {
  EXPECT_EQ(element("120", "set(X 80 90 PARENT_SCOPE)\n"), "set(X 80 90 120 PARENT_SCOPE)\n");
  EXPECT_EQ(element("120", "set(X 80 CACHE STRING \"archs\")\n"),
            "set(X 80 120 CACHE STRING \"archs\")\n");
  EXPECT_EQ(element("120", "set(X CACHE STRING \"archs\")\n"),
            "set(X 120 CACHE STRING \"archs\")\n");
}

TEST(CMakeElement, IsSpelledAsItsSiblings) {
  EXPECT_EQ(element("cc:12.0a", "set(X 80 90a)\n"), "set(X 80 90a 120a)\n");
  EXPECT_EQ(element("cc:12.0a",
                    "list(APPEND X\n  \"-O3\"\n  \"-gencode=arch=compute_90,code=sm_90\"\n)\n"),
            "list(APPEND X\n  \"-O3\"\n  \"-gencode=arch=compute_90,code=sm_90\"\n  "
            "\"-gencode=arch=compute_120a,code=sm_120a\"\n)\n");
  EXPECT_EQ(
      element(
          "cc:12.0",
          "set(X -gencode=arch=compute_90,code=sm_90 -gencode=arch=compute_90,code=compute_90)\n"),
      "blocked: unknown-spelling: `cc:12.0` cannot be spelled as its siblings are: "
      "-gencode=arch=compute_90,code=sm_90, -gencode=arch=compute_90,code=compute_90");
}

TEST(CMakeElement, InAString) {
  const auto on_text = [](std::string_view value, const std::string& source) {
    return apply_rule("cmake",
                      "((command arguments: (argument_list first: (unquoted_argument) @name "
                      "second: (_) @node)) (#eq? @name \"X\") " +
                          directive("ensure-element!", {value}) + ")",
                      source);
  };
  EXPECT_EQ(on_text("cc:12.0a", "set(X \"80;90a\")\n"), "set(X \"80;90a;120a\")\n");
  EXPECT_EQ(on_text("cc:12.0", "set(X 80;90)\n"), "set(X 80;90;120)\n");
  EXPECT_EQ(on_text("120", "set(X \"90\")\n"), "set(X \"90;120\")\n");
}

std::string on_condition(std::string_view name, std::string_view text, const std::string& source) {
  return apply_rule("cmake",
                    "((if_block condition: (_) @node) (#match? @node \"^A|\\\\bA\\\\b\") " +
                        directive(name, {text}) + ")",
                    source);
}

TEST(CMakeCondition, IsWidenedAndNarrowed) {
  EXPECT_EQ(on_condition("widen!", "B", "if(A)\n  x()\nendif()\n"), "if(A OR B)\n  x()\nendif()\n");
  EXPECT_EQ(on_condition("widen!", "B", "if(C OR A)\n  x()\nendif()\n"),
            "if(C OR A OR B)\n  x()\nendif()\n");
  EXPECT_EQ(on_condition("widen!", "B", "if(C OR A OR B)\n  x()\nendif()\n"), "holds");
  EXPECT_EQ(
      on_condition("widen!", "\"${CUDA_VERSION}\" VERSION_GREATER_EQUAL \"12.8\"",
                   "if(A AND C)\n  x()\nendif()\n"),
      "if((A AND C) OR \"${CUDA_VERSION}\" VERSION_GREATER_EQUAL \"12.8\")\n  x()\nendif()\n");
  EXPECT_EQ(on_condition("narrow!", "NOT B", "if(A OR C)\n  x()\nendif()\n"),
            "if((A OR C) AND NOT B)\n  x()\nendif()\n");
  EXPECT_EQ(on_condition("narrow!", "B", "if(A)\n  x()\nendif()\n"),
            "if(A AND B)\n  x()\nendif()\n");
}

std::string on_branch(std::string_view condition, std::string_view body,
                      const std::string& source) {
  return apply_rule("cmake",
                    "((if_block condition: (_) @c) @node (#match? @c \"^A\") " +
                        directive("ensure-branch!", {condition, body}) + ")",
                    source);
}

TEST(CMakeBranch, StandsInTheLadder) {
  EXPECT_EQ(on_branch("B", "y()\nif(C)\n  w()\nendif()",
                      "IF (A)  # a\n    x()\n    # x\n# e\nELSEIF (D)\n    z()\nENDIF ()\n"),
            "IF (A)  # a\n    x()\n    # x\n# e\nELSEIF (D)\n    z()\nELSEIF (B)\n    y()\n    "
            "if(C)\n        w()\n    endif()\nENDIF ()\n");
  EXPECT_EQ(on_branch("B", "y()", "if(A)\n  x()\nelse()\n  z()\nendif()\n"),
            "if(A)\n  x()\nelseif(B)\n  y()\nelse()\n  z()\nendif()\n");
  EXPECT_EQ(on_branch("B", "y()", "if(A)\n  x()\nendif()\n"),
            "if(A)\n  x()\nelseif(B)\n  y()\nendif()\n");
  EXPECT_EQ(on_branch("B", "y()", "if(A)\n  x()\nelseif(B)\n  y()\nendif()\n"), "holds");
}

std::string on_command(const std::string& text, const std::string& source) {
  return apply_rule("cmake",
                    "((command name: (identifier) @name) @node (#eq? @name \"a\") " + text + ")",
                    source);
}

TEST(CMakeStatement, Inserted) {
  EXPECT_EQ(on_command(directive("insert-after!", {"b(1)"}), "if(X)\n  a()  # t\n  c()\nendif()\n"),
            "if(X)\n  a()  # t\n  b(1)\n  c()\nendif()\n");
  EXPECT_EQ(on_command(directive("insert-before!", {"if(Y)\n  b(1)\nendif()"}),
                       "if(X)\n    a()\nendif()\n"),
            "if(X)\n    if(Y)\n        b(1)\n    endif()\n    a()\nendif()\n");
  EXPECT_EQ(on_command(directive("insert-after!", {"b(1)"}), "a()\r\nc()\r\n"),
            "a()\r\nb(1)\r\nc()\r\n");
  EXPECT_EQ(on_command(directive("insert-after!", {"b(1"}), "a()\n").substr(0, 17),
            "bad rule: `b(1` i");
}

TEST(CMakeStatement, Appended) {
  EXPECT_EQ(apply_rule("cmake",
                       "((function_definition signature: (signature name: (_) @name) body: (_) "
                       "@node) (#eq? @name \"f\") " +
                           directive("append!", {"b()"}) + ")",
                       "function(f)\n  a()\nendfunction()\n"),
            "function(f)\n  a()\n  b()\nendfunction()\n");
}

std::string held(const std::string& rule, const std::string& anchor) {
  return rule + "\n" + anchor;
}

TEST(CMakeStatement, RemovedReplacedWrapped) {
  const std::string file = "x()\nif(X)\n  a(1)\n  c()\nendif()\n";
  EXPECT_EQ(
      apply_rule(
          "cmake",
          held("((command name: (identifier) @name) @node (#eq? @name \"a\") (#remove! @node))",
               "((body) @b (#lacks? @b \"a(1)\") (#match? @b \"c\") (#held! @b))"),
          file),
      "x()\nif(X)\n  c()\nendif()\n");
  EXPECT_EQ(apply_rule("cmake",
                       held("((command) @node (#eq? @node \"a(1)\") (#replace! @node \"a(2)\"))",
                            "((command) @b (#eq? @b \"a(2)\") (#held! @b))"),
                       "a(1)\nb()\n")
                .substr(0, 40),
            "a(2)\nb()\n");
  EXPECT_EQ(apply_rule("cmake",
                       held("((file (command name: (identifier) @name) @node) (#eq? @name \"a\") "
                            "(#wrap! @node \"if(Y)\\n  ${node}\\nendif()\"))",
                            "((if_block condition: (_) @c) @b (#eq? @c \"Y\") (#held! @b))"),
                       "a(1)\nif(Z)\n  b()\nendif()\n"),
            "if(Y)\n  a(1)\nendif()\nif(Z)\n  b()\nendif()\n");
}

TEST(CMakeDefinition, IsAdded) {
  EXPECT_EQ(apply_rule("cmake",
                       "((file) @node (#in-path? \"*\") (#ensure-definition! @node "
                       "\"function(f)\\n  a()\\nendfunction()\"))",
                       "b()\n"),
            "b()\n\nfunction(f)\n  a()\nendfunction()\n");
}

TEST(CMakeTakenBack, LeavesTheFileAsItWas) {
  const auto round = [](const std::string& rule, const std::string& source) {
    const auto applied = apply_rule("cmake", rule, source);
    return applied == source || applied.starts_with("blocked")
               ? "not applied: " + applied
               : revert_rule("cmake", rule, applied);
  };
  for (const std::string source :
       {"set(X 80 90)\n", "set(X)\n", "list(APPEND X\n  80  # Ampere\n  90)\n",
        "set(X 80 PARENT_SCOPE)\n", "list(APPEND X\n  80\n)\n"}) {
    EXPECT_EQ(round(on_list(directive("ensure-element!", {"120"})), source), source);
  }
  const std::string ladder = "if(A)\n  x()\nelseif(D)\n  z()\nelse()\n  w()\nendif()\n";
  EXPECT_EQ(round("((if_block condition: (_) @c) @node (#match? @c \"^A\") " +
                      directive("ensure-branch!", {"B", "y()"}) + ")",
                  ladder),
            ladder);
  const std::string condition = "if(A AND C)\n  x()\nendif()\n";
  EXPECT_EQ(round("((if_block condition: (_) @node) (#match? @node \"\\\\bA\\\\b\") " +
                      directive("widen!", {"B"}) + ")",
                  condition),
            condition);
}

TEST(CMakeRefusal, SaysWhy) {
  EXPECT_EQ(on_command(directive("ensure-entry!", {"b", "1"}), "a(b c)\n"),
            "blocked: no-container: the captured command holds no map");
  EXPECT_EQ(
      apply_rule(
          "cmake",
          "((command name: (_) @n) @node (#eq? @n \"b\") (#ensure-argument! @node \"NAME\" \"1\"))",
          "b()\n"),
      "bad rule: `NAME` is no name of an argument");
  EXPECT_EQ(
      apply_rule(
          "cmake",
          "((file (command name: (_) @n)) @node (#eq? @n \"b\") (#ensure-import! \"include(X)\"))",
          "b()\n"),
      "bad rule: there is more in it than statements that import, each with no comment but one "
      "behind it");
}

}  // namespace
}  // namespace portpatch::test
