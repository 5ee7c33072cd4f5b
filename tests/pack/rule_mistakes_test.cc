#include <gtest/gtest.h>

#include "tests/pack/pack_folder.h"

namespace portpatch::test {
namespace {

TEST(RuleMistakes, BracketsAndStringsThatDoNotPairUp) {
  EXPECT_EQ(mistakes_of_rule("((identifier) @n\n (#eq? @n \"a\")\n"),
            R"(pack/python/a.scm:1:1: error: this bracket is never closed [query-syntax]
  1 | ((identifier) @n
    | ^
  help: add the missing `)`
)");
  EXPECT_EQ(mistakes_of_rule("[(identifier) @n\n"),
            R"(pack/python/a.scm:1:1: error: this bracket is never closed [query-syntax]
  1 | [(identifier) @n
    | ^
  help: add the missing `]`
)");
  EXPECT_EQ(mistakes_of_rule("((identifier) @n))\n"),
            R"(pack/python/a.scm:1:18: error: `)` closes nothing [query-syntax]
  1 | ((identifier) @n))
    |                  ^
  help: remove it, or add its opening bracket
)");
  EXPECT_EQ(mistakes_of_rule("((identifier) @n (#eq? @n \"a)\n)\n"),
            R"(pack/python/a.scm:1:27: error: this string is never closed on its line [query-syntax]
  1 | ((identifier) @n (#eq? @n "a)
    |                           ^
  help: close it; a long text stands beside the rule as RULE.NAME and is named "file:NAME"
)");
  EXPECT_EQ(mistakes_of_rule("((identifier) @n % (#eq? @n \"a\"))\n"),
            R"(pack/python/a.scm:1:18: error: `%` has no meaning in a query [query-syntax]
  1 | ((identifier) @n % (#eq? @n "a"))
    |                  ^
  help: a query is made of (nodes), [alternatives], "strings", @captures and (#predicates)
)");
  EXPECT_EQ(mistakes_of_rule("((identifier @n left: (_) @d) (#eq? @n \"A\") (#remove! @n))\n"),
            R"(pack/python/a.scm:1:14: error: the query's syntax is broken here [query-syntax]
  1 | ((identifier @n left: (_) @d) (#eq? @n "A") (#remove! @n))
    |              ^^
  help: compare with rules/README.md: (node field: (child) @capture (#predicate? @capture "text"))
)");
}

TEST(RuleMistakes, UnknownNodeTypesAndFields) {
  EXPECT_EQ(mistakes_of_rule("((assignmnt) @n\n (#eq? @n \"a\")\n (#append! @n \"pass\"))\n"),
            R"(pack/python/a.scm:1:3: error: Python has no node type `assignmnt` [unknown-node-type]
  1 | ((assignmnt) @n
    |   ^^^^^^^^^
  help: did you mean `assignment`?
)");
  EXPECT_EQ(mistakes_of_rule("((zzzzzzz) @n (#eq? @n \"a\") (#append! @n \"pass\"))\n"),
            R"(pack/python/a.scm:1:3: error: Python has no node type `zzzzzzz` [unknown-node-type]
  1 | ((zzzzzzz) @n (#eq? @n "a") (#append! @n "pass"))
    |   ^^^^^^^
  help: node types are the ones that `tree-sitter parse` prints
)");
  EXPECT_EQ(mistakes_of_rule("((assignment lft: (_) @n) (#eq? @n \"a\") (#append! @n \"pass\"))\n"),
            R"(pack/python/a.scm:1:14: error: Python has no field `lft` [unknown-field]
  1 | ((assignment lft: (_) @n) (#eq? @n "a") (#append! @n "pass"))
    |              ^^^
  help: did you mean `left`?
)");
  EXPECT_EQ(
      mistakes_of_rule("((assignment zzzzzzz: (_) @n) (#eq? @n \"a\") (#append! @n \"pass\"))\n"),
      R"(pack/python/a.scm:1:14: error: Python has no field `zzzzzzz` [unknown-field]
  1 | ((assignment zzzzzzz: (_) @n) (#eq? @n "a") (#append! @n "pass"))
    |              ^^^^^^^
  help: leave the field out, or look it up in the grammar
)");
}

TEST(RuleMistakes, APatternThatNoTreeCanMatch) {
  EXPECT_EQ(
      mistakes_of_rule(
          "((assignment (comment (identifier)) @n) (#eq? @n \"A\") (#append! @n \"pass\"))\n"),
      R"(pack/python/a.scm:1:23: error: no tree can ever match this pattern [impossible-pattern]
  1 | ((assignment (comment (identifier)) @n) (#eq? @n "A") (#append! @n "pass"))
    |                       ^
  help: the node at the caret cannot stand there: look at the tree of a real example
)");
}

TEST(RuleMistakes, UnknownPredicatesAndDirectives) {
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#eg? @n \"A\") (#ensure-entri! @d \"1\" \"2\")")),
            R"(pack/python/a.scm:3:3: error: unknown predicate `#eg?` [unknown-predicate]
  3 |  (#eg? @n "A") (#ensure-entri! @d "1" "2"))
    |   ^^^^
  help: did you mean `#eq?`?
pack/python/a.scm:3:17: error: unknown directive `#ensure-entri!` [unknown-directive]
  3 |  (#eg? @n "A") (#ensure-entri! @d "1" "2"))
    |                 ^^^^^^^^^^^^^^
  help: did you mean `#ensure-entry!`?
)");
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#frobnicate? @n) (#frobnicate! @d)")),
            R"(pack/python/a.scm:3:3: error: unknown predicate `#frobnicate?` [unknown-predicate]
  3 |  (#frobnicate? @n) (#frobnicate! @d))
    |   ^^^^^^^^^^^^
  help: predicates are: eq?, not-eq?, any-eq?, any-not-eq?, match?, not-match?, any-match?, any-not-match?, any-of?, not-any-of?, is?, is-not?, in-scope?, in-path?, reads?, lacks?
pack/python/a.scm:3:21: error: unknown directive `#frobnicate!` [unknown-directive]
  3 |  (#frobnicate? @n) (#frobnicate! @d))
    |                     ^^^^^^^^^^^^
  help: directives are: held!, ensure-entry!, ensure-element!, ensure-argument!, widen!, narrow!, replace!, wrap!, merge!, remove!, insert-before!, insert-after!, append!, ensure-import!, ensure-definition!, ensure-branch!
)");
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#eq @n \"A\") (#ensure-entry! @d \"1\" \"2\")")),
            R"(pack/python/a.scm:3:3: error: unknown predicate `#eq` [unknown-predicate]
  3 |  (#eq @n "A") (#ensure-entry! @d "1" "2"))
    |   ^^^
  help: did you mean `#eq?`?
)");
}

TEST(RuleMistakes, ArgumentsOfPredicates) {
  const auto of = [](const std::string& predicate) {
    return mistakes_of_rule(dict_rule(predicate + " (#ensure-entry! @d \"1\" \"2\")"));
  };
  EXPECT_EQ(of("(#eq? @n)"),
            R"(pack/python/a.scm:3:2: error: `#eq?`: argument 2 is missing [wrong-arguments]
  3 |  (#eq? @n) (#ensure-entry! @d "1" "2"))
    |  ^^^^^^^^^
  help: `#eq?` means: every node of the capture reads the string, or the same as the other capture
)");
  EXPECT_EQ(of("(#eq? \"n\" @n)"),
            R"(pack/python/a.scm:3:2: error: `#eq?`: argument 1 must be a capture [wrong-arguments]
  3 |  (#eq? "n" @n) (#ensure-entry! @d "1" "2"))
    |  ^^^^^^^^^^^^^
  help: `#eq?` means: every node of the capture reads the string, or the same as the other capture
)");
  EXPECT_EQ(of("(#match? @n \"a\" \"b\")"),
            R"(pack/python/a.scm:3:2: error: `#match?`: 3 arguments are too many [wrong-arguments]
  3 |  (#match? @n "a" "b") (#ensure-entry! @d "1" "2"))
    |  ^^^^^^^^^^^^^^^^^^^^
  help: `#match?` means: the regular expression (RE2) matches in every node of the capture
)");
  EXPECT_EQ(
      of("(#any-of? @n)"),
      R"(pack/python/a.scm:3:2: error: `#any-of?`: one string at least is missing [wrong-arguments]
  3 |  (#any-of? @n) (#ensure-entry! @d "1" "2"))
    |  ^^^^^^^^^^^^^
  help: `#any-of?` means: every node of the capture reads one of the strings
)");
  EXPECT_EQ(
      of("(#in-path? @n)"),
      R"(pack/python/a.scm:3:2: error: `#in-path?`: argument 1 must be a string [wrong-arguments]
  3 |  (#in-path? @n) (#ensure-entry! @d "1" "2"))
    |  ^^^^^^^^^^^^^^
  help: `#in-path?` means: the file's path matches one of the globs
)");
  EXPECT_EQ(
      of("(#match? @n \"(a\")"),
      R"(pack/python/a.scm:3:14: error: the regular expression does not compile: missing ): (a [bad-regex]
  3 |  (#match? @n "(a") (#ensure-entry! @d "1" "2"))
    |              ^^^^
  help: regular expressions are RE2's: no back-references, no look-around
)");
  EXPECT_EQ(
      of("(#match? @n \"a(?=b)\")"),
      R"~(pack/python/a.scm:3:14: error: the regular expression does not compile: invalid perl operator: (?= [bad-regex]
  3 |  (#match? @n "a(?=b)") (#ensure-entry! @d "1" "2"))
    |              ^^^^^^^^
  help: regular expressions are RE2's: no back-references, no look-around
)~");
  EXPECT_EQ(
      of("(#lacks? @d \"[1,\")"),
      R"(pack/python/a.scm:3:14: error: `[1,` is no Python statement: it is not whole [bad-code]
  3 |  (#lacks? @d "[1,") (#ensure-entry! @d "1" "2"))
    |              ^^^^^
  help: write it as it would stand in the file
)");
}

TEST(RuleMistakes, ArgumentsOfDirectives) {
  EXPECT_EQ(
      mistakes_of_rule(dict_rule("(#ensure-entry! @d \"1\")")),
      R"(pack/python/a.scm:3:2: error: `#ensure-entry!` takes 3 arguments, not 2 [wrong-arguments]
  3 |  (#ensure-entry! @d "1"))
    |  ^^^^^^^^^^^^^^^^^^^^^^^
  help: (#ensure-entry! @map KEY VALUE) means: the map has KEY with an equal value (dict, dict(...), C++ pairs, JSON, TOML, YAML mapping)
)");
  EXPECT_EQ(
      mistakes_of_rule(dict_rule("(#ensure-entry! @d \"1\" @n)")),
      R"(pack/python/a.scm:3:25: error: argument 3 of `#ensure-entry!` must be a string [wrong-arguments]
  3 |  (#ensure-entry! @d "1" @n))
    |                         ^^
  help: (#ensure-entry! @map KEY VALUE) means: the map has KEY with an equal value (dict, dict(...), C++ pairs, JSON, TOML, YAML mapping)
)");
  EXPECT_EQ(
      mistakes_of_rule(dict_rule("(#ensure-entry! \"d\" \"1\" \"2\")")),
      R"(pack/python/a.scm:3:18: error: argument 1 of `#ensure-entry!` must be a capture [wrong-arguments]
  3 |  (#ensure-entry! "d" "1" "2"))
    |                  ^^^
  help: (#ensure-entry! @map KEY VALUE) means: the map has KEY with an equal value (dict, dict(...), C++ pairs, JSON, TOML, YAML mapping)
)");
  EXPECT_EQ(
      mistakes_of_rule(dict_rule("(#replace! @d)")),
      R"(pack/python/a.scm:3:2: error: `#replace!` takes 2 or 3 arguments, not 1 [wrong-arguments]
  3 |  (#replace! @d))
    |  ^^^^^^^^^^^^^^
  help: (#replace! @node [PART] TEXT) means: the node reads TEXT; TEXT may name captures as ${name}; with PART, only that part of it
)");
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#remove! @d \"x\") (#held! @d \"x\")")),
            R"(pack/python/a.scm:3:2: error: `#remove!` takes 1 argument, not 2 [wrong-arguments]
  3 |  (#remove! @d "x") (#held! @d "x"))
    |  ^^^^^^^^^^^^^^^^^
  help: (#remove! @node) means: the statement, entry, element or argument is gone
pack/python/a.scm:3:20: error: `#held!` takes one capture of its pattern [wrong-arguments]
  3 |  (#remove! @d "x") (#held! @d "x"))
    |                    ^^^^^^^^^^^^^^^
  help: write (#held! @node)
)");
}

TEST(RuleMistakes, CapturesThatThePatternDoesNotDefine) {
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#eq? @m \"A\") (#ensure-entry! @e \"1\" \"2\")")),
            R"(pack/python/a.scm:3:8: error: the pattern defines no capture `@m` [unknown-capture]
  3 |  (#eq? @m "A") (#ensure-entry! @e "1" "2"))
    |        ^^
  help: a predicate sees its own pattern only, which defines @d, @n
pack/python/a.scm:3:32: error: the pattern defines no capture `@e` [unknown-capture]
  3 |  (#eq? @m "A") (#ensure-entry! @e "1" "2"))
    |                                ^^
  help: a predicate sees its own pattern only, which defines @d, @n
)");
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#held! @x)")),
            R"(pack/python/a.scm:3:10: error: the pattern defines no capture `@x` [unknown-capture]
  3 |  (#held! @x))
    |          ^^
  help: a predicate sees its own pattern only, which defines @d, @n
)");
  EXPECT_EQ(
      mistakes_of_rule(dict_rule("(#replace! @d \"f(${n}, ${x})\")")),
      R"~(pack/python/a.scm:3:16: error: the pattern defines no capture `@x` for ${x} [unknown-capture]
  3 |  (#replace! @d "f(${n}, ${x})"))
    |                ^^^^^^^^^^^^^^^
  help: it defines @d, @n
)~");
  EXPECT_EQ(mistakes_of_rule("((identifier) (#eq? @n \"A\") (#append! @n \"pass\"))\n"),
            R"(pack/python/a.scm:1:21: error: the pattern defines no capture `@n` [unknown-capture]
  1 | ((identifier) (#eq? @n "A") (#append! @n "pass"))
    |                     ^^
  help: put it behind a node of the pattern: (identifier) @name
pack/python/a.scm:1:39: error: the pattern defines no capture `@n` [unknown-capture]
  1 | ((identifier) (#eq? @n "A") (#append! @n "pass"))
    |                                       ^^
  help: put it behind a node of the pattern: (identifier) @name
)");
  EXPECT_EQ(
      mistakes_of_rule("((identifier) @a (#eq? @a \"A\") (#append! @a \"pass\"))\n((identifier) @b "
                       "(#eq? @a \"A\") (#append! @a \"pass\"))\n"),
      R"(pack/python/a.scm:2:24: error: the pattern defines no capture `@a` [unknown-capture]
  2 | ((identifier) @b (#eq? @a "A") (#append! @a "pass"))
    |                        ^^
  help: a predicate sees its own pattern only, which defines @b
pack/python/a.scm:2:42: error: the pattern defines no capture `@a` [unknown-capture]
  2 | ((identifier) @b (#eq? @a "A") (#append! @a "pass"))
    |                                          ^^
  help: a predicate sees its own pattern only, which defines @b
)");
}

TEST(RuleMistakes, CodeThatIsNotWhole) {
  EXPECT_EQ(
      mistakes_of_rule(dict_rule("(#ensure-entry! @d \"1\" \"[1,\")")),
      R"(pack/python/a.scm:3:25: error: `[1,` is no Python expression: it is not whole [bad-code]
  3 |  (#ensure-entry! @d "1" "[1,"))
    |                         ^^^^^
  help: VALUE is Python code, written as it would stand in the file
)");
  EXPECT_EQ(
      mistakes_of_rule(dict_rule("(#ensure-entry! @d \"1\" \"f(1, 2 3)\")")),
      R"~(pack/python/a.scm:3:25: error: `f(1, 2 3)` is no Python expression: it breaks at `3)` [bad-code]
  3 |  (#ensure-entry! @d "1" "f(1, 2 3)"))
    |                         ^^^^^^^^^^^
  help: VALUE is Python code, written as it would stand in the file
)~");
  EXPECT_EQ(
      mistakes_of_rule(dict_rule("(#ensure-entry! @d \"1], [2\" \"1\")")),
      R"(pack/python/a.scm:3:21: error: `1], [2` is no Python expression: it is not one expression [bad-code]
  3 |  (#ensure-entry! @d "1], [2" "1"))
    |                     ^^^^^^^^
  help: KEY is Python code, written as it would stand in the file
)");
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#ensure-element! @d \"\")")),
            R"(pack/python/a.scm:3:23: error: there is no code in this text [bad-code]
  3 |  (#ensure-element! @d ""))
    |                       ^^
  help: ELEMENT is Python code, written as it would stand in the file
)");
  EXPECT_EQ(
      mistakes_of_rule(dict_rule("(#insert-after! @d \"def f(:\\n    pass\\n\")")),
      R"(pack/python/a.scm:3:21: error: `def f(:...` is no Python statement: it breaks at `:...` [bad-code]
  3 |  (#insert-after! @d "def f(:\n    pass\n"))
    |                     ^^^^^^^^^^^^^^^^^^^^^
  help: CODE is Python code, written as it would stand in the file
)");
  EXPECT_EQ(
      mistakes_of_rule(dict_rule("(#append! @d \"if x:\")")),
      R"(pack/python/a.scm:3:15: error: the code has a block without a statement, or one that is not indented [bad-code]
  3 |  (#append! @d "if x:"))
    |               ^^^^^^^
  help: STATEMENT is Python code, written as it would stand in the file
)");
  EXPECT_EQ(
      mistakes_of_rule(dict_rule("(#append! @d \"f(a=1, 2)\")")),
      R"~(pack/python/a.scm:3:15: error: the code has a positional argument behind a keyword argument [bad-code]
  3 |  (#append! @d "f(a=1, 2)"))
    |               ^^^^^^^^^^^
  help: STATEMENT is Python code, written as it would stand in the file
)~");
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#ensure-argument! @d \"a b\" \"1\")")),
            R"(pack/python/a.scm:3:24: error: `a b` is no name of an argument [bad-code]
  3 |  (#ensure-argument! @d "a b" "1"))
    |                        ^^^^^
  help: NAME is Python code, written as it would stand in the file
)");
  EXPECT_EQ(
      mistakes(
          {{"cpp/a.scm",
            "((initializer_list) @l (#in-scope? @l \"\") (#ensure-element! @l \"{1, 2\"))\n"}}),
      R"(pack/cpp/a.scm:1:64: error: `{1, 2` is no C++ expression: it is not whole [bad-code]
  1 | ((initializer_list) @l (#in-scope? @l "") (#ensure-element! @l "{1, 2"))
    |                                                                ^^^^^^^
  help: ELEMENT is C++ code, written as it would stand in the file
)");
  EXPECT_EQ(
      mistakes(
          {{"json/a.scm",
            "((object) @o (#in-path? \"a.json\") (#ensure-entry! @o \"\\\"k\\\"\" \"[1,]\"))\n"}}),
      R"(pack/json/a.scm:1:62: error: `[1,]` is no JSON expression: it breaks at `,]` [bad-code]
  1 | ((object) @o (#in-path? "a.json") (#ensure-entry! @o "\"k\"" "[1,]"))
    |                                                              ^^^^^^
  help: VALUE is JSON code, written as it would stand in the file
)");
}

TEST(RuleMistakes, CodeThatIsWholeIsNone) {
  for (const auto* directive :
       {"(#ensure-entry! @d \"key\" \"*x\")", "(#ensure-element! @d \"*rest\")",
        "(#ensure-element! @d \"cc:12.0a\")", "(#ensure-argument! @d \"name\" \"lambda: 0\")",
        "(#replace! @d \"${n}[0]\")", "(#replace! @d \"part\" \"x = 1\")",
        "(#insert-before! @d \"if x:\\n    pass\")", "(#append! @d \"# only\\nx = 1\")"}) {
    EXPECT_EQ(mistakes_of_rule(dict_rule(directive)), "") << directive;
  }
}

TEST(RuleMistakes, ComputeCapabilitiesThatAreNone) {
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#ensure-entry! @d \"cc:12\" \"1\")")),
            R"(pack/python/a.scm:3:21: error: `cc:12` is no compute capability [bad-code]
  3 |  (#ensure-entry! @d "cc:12" "1"))
    |                     ^^^^^^^
  help: write it as cc:MAJOR.MINOR, such as cc:12.0 or cc:12.0a
)");
  EXPECT_EQ(mistakes_of_rule(dict_rule("(#ensure-element! @d \"cc:12.0A\")")),
            R"(pack/python/a.scm:3:23: error: `cc:12.0A` is no compute capability [bad-code]
  3 |  (#ensure-element! @d "cc:12.0A"))
    |                       ^^^^^^^^^^
  help: write it as cc:MAJOR.MINOR, such as cc:12.0 or cc:12.0a
)");
}

TEST(RuleMistakes, FilesBesideTheRule) {
  const auto rule = dict_rule("(#replace! @d \"file:body\")");
  EXPECT_EQ(mistakes({{"python/a.scm", rule}, {"python/a.body.py", "1"}}), "");
  EXPECT_EQ(mistakes({{"python/a.scm", rule}}),
            R"(pack/python/a.scm:3:16: error: no file a.body.* stands beside the rule [no-side-file]
  3 |  (#replace! @d "file:body"))
    |                ^^^^^^^^^^^
  help: put the code into a.body.py
)");
  EXPECT_EQ(
      mistakes({{"python/a.scm", rule}, {"python/a.body.py", "1"}, {"python/a.body.txt", "1"}}),
      R"(pack/python/a.scm:3:16: error: more than one file a.body.* stands beside the rule [no-side-file]
  3 |  (#replace! @d "file:body"))
    |                ^^^^^^^^^^^
  help: keep one of a.body.py, a.body.txt
)");
  EXPECT_EQ(
      mistakes({{"python/a.scm", rule}, {"python/a.body.py", "f("}}),
      R"(pack/python/a.scm:3:16: error: `f(` is no Python statement: it is not whole [bad-code]
  3 |  (#replace! @d "file:body"))
    |                ^^^^^^^^^^^
  help: TEXT is Python code, written as it would stand in the file
)");
  EXPECT_EQ(
      mistakes({{"python/a.scm", dict_rule("(#replace! @d \"file:../x\")")}, {"x.py", "1"}}),
      R"(pack/python/a.scm:3:16: error: `file:../x` names no file beside the rule [no-side-file]
  3 |  (#replace! @d "file:../x"))
    |                ^^^^^^^^^^^
  help: NAME in "file:NAME" is made of letters, digits, - and _, and means the file RULE.NAME.py
)");
  EXPECT_EQ(mistakes({{"python/a.scm", dict_rule("(#replace! @d \"file:\")")}}),
            R"(pack/python/a.scm:3:16: error: `file:` names no file beside the rule [no-side-file]
  3 |  (#replace! @d "file:"))
    |                ^^^^^^^
  help: NAME in "file:NAME" is made of letters, digits, - and _, and means the file RULE.NAME.py
)");
}

TEST(RuleMistakes, APredicateOutsideOfItsPattern) {
  EXPECT_EQ(
      mistakes_of_rule("((identifier) @n) (#eq? @n \"a\")\n"),
      R"(pack/python/a.scm:1:19: error: this predicate stands outside every pattern and would hold for nothing [pattern-without-node]
  1 | ((identifier) @n) (#eq? @n "a")
    |                   ^^^^^^^^^^^^^
  help: move it inside the parentheses of its pattern: ((node) @capture (#eq? @capture "text"))
)");
  EXPECT_EQ(
      mistakes_of_rule("(#eq? @n \"a\")\n"),
      R"(pack/python/a.scm:1:1: error: this predicate stands outside every pattern and would hold for nothing [pattern-without-node]
  1 | (#eq? @n "a")
    | ^^^^^^^^^^^^^
  help: move it inside the parentheses of its pattern: ((node) @capture (#eq? @capture "text"))
)");
}

TEST(RuleMistakes, PatternsWithoutDirectiveOrAnchor) {
  EXPECT_EQ(
      mistakes_of_rule("((identifier) @n (#eq? @n \"a\"))\n"),
      R"(pack/python/a.scm:1:1: error: the pattern has no directive: it would find a place and do nothing [no-directive]
  1 | ((identifier) @n (#eq? @n "a"))
    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  help: add a directive such as (#ensure-entry! @map "KEY" "VALUE"), or (#held! @node)
)");
  EXPECT_EQ(
      mistakes_of_rule("((identifier) @n (#eq? @n \"a\") (#set! \"x\" \"y\"))\n"),
      R"(pack/python/a.scm:1:1: error: the pattern has no directive: it would find a place and do nothing [no-directive]
  1 | ((identifier) @n (#eq? @n "a") (#set! "x" "y"))
    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  help: add a directive such as (#ensure-entry! @map "KEY" "VALUE"), or (#held! @node)
)");
  EXPECT_EQ(
      mistakes_of_rule("((dictionary) @d (#ensure-entry! @d \"1\" \"2\"))\n"),
      R"(pack/python/a.scm:1:1: error: the pattern has no anchor: it would match everywhere [no-anchor]
  1 | ((dictionary) @d (#ensure-entry! @d "1" "2"))
    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  help: tie it to a name: (#eq? @name "TABLE"), #match?, #any-of?, #reads?, #in-scope? or #in-path?
)");
  for (const auto* no_anchor : {"(#not-eq? @n \"a\")", "(#eq? @n @n)", "(#is? local)",
                                "(#lacks? @n \"x\")", "(#not-match? @n \"a\")"}) {
    EXPECT_NE(
        mistakes_of_rule("((identifier) @n " + std::string(no_anchor) + " (#append! @n \"pass\"))"),
        "")
        << no_anchor;
  }
}

TEST(RuleMistakes, HeldPatterns) {
  EXPECT_EQ(
      mistakes_of_rule(dict_rule("(#held! @d) (#ensure-entry! @d \"1\" \"2\")")),
      R"(pack/python/a.scm:1:1: error: a #held! pattern says how the place looks when it holds; it takes no directive [held-with-directive]
  1 | ((assignment left: (identifier) @n right: (_) @d)
    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  help: put the directive into a pattern of its own
)");
  EXPECT_EQ(
      mistakes_of_rule(dict_rule("(#remove! @d)")),
      R"(pack/python/a.scm:3:2: error: after `#remove!` this pattern matches nothing, and that could as well mean that upstream took the place away [held-missing]
  3 |  (#remove! @d))
    |  ^^^^^^^^^^^^^
  help: add a pattern of the surroundings as they are without it: ((function_definition name: (_) @f body: (_) @b) (#eq? @f "NAME") (#lacks? @b "TEXT") (#held! @b))
)");
  EXPECT_EQ(
      mistakes_of_rule(dict_rule("(#remove! @d)") +
                       "((block) @b (#in-scope? @b \"f\") (#lacks? @b \"A = {}\") (#held! @b))\n"),
      "");
}

TEST(RuleMistakes, AnEmptyRule) {
  EXPECT_EQ(mistakes_of_rule(""),
            R"(pack/python/a.scm:1:1: error: the rule has no pattern [empty-rule]
  1 | 
    | ^
  help: write a query with a directive; see rules/README.md
)");
  EXPECT_EQ(mistakes_of_rule("; to do\n"),
            R"(pack/python/a.scm:1:1: error: the rule has no pattern [empty-rule]
  1 | ; to do
    | ^
  help: write a query with a directive; see rules/README.md
)");
}

TEST(RuleMistakes, AllOfOneRuleComeTogetherInOrder) {
  EXPECT_EQ(
      mistakes_of_rule("((assignmnt) @n\n (#eg? @n \"A\")\n (#frob! @n))\n"
                       "((identifier) @n\n (#eq? @m \"A\")\n (#ensure-entry! @n \"1\" \"[\"))\n"
                       "((identifier) @n) (#eq? @n \"A\")\n"),
      R"(pack/python/a.scm:1:3: error: Python has no node type `assignmnt` [unknown-node-type]
  1 | ((assignmnt) @n
    |   ^^^^^^^^^
  help: did you mean `assignment`?
pack/python/a.scm:2:3: error: unknown predicate `#eg?` [unknown-predicate]
  2 |  (#eg? @n "A")
    |   ^^^^
  help: did you mean `#eq?`?
pack/python/a.scm:3:3: error: unknown directive `#frob!` [unknown-directive]
  3 |  (#frob! @n))
    |   ^^^^^^
  help: directives are: held!, ensure-entry!, ensure-element!, ensure-argument!, widen!, narrow!, replace!, wrap!, merge!, remove!, insert-before!, insert-after!, append!, ensure-import!, ensure-definition!, ensure-branch!
pack/python/a.scm:5:8: error: the pattern defines no capture `@m` [unknown-capture]
  5 |  (#eq? @m "A")
    |        ^^
  help: a predicate sees its own pattern only, which defines @n
pack/python/a.scm:6:25: error: `[` is no Python expression: it is not whole [bad-code]
  6 |  (#ensure-entry! @n "1" "["))
    |                         ^^^
  help: VALUE is Python code, written as it would stand in the file
pack/python/a.scm:7:19: error: this predicate stands outside every pattern and would hold for nothing [pattern-without-node]
  7 | ((identifier) @n) (#eq? @n "A")
    |                   ^^^^^^^^^^^^^
  help: move it inside the parentheses of its pattern: ((node) @capture (#eq? @capture "text"))
)");
}

TEST(RuleMistakes, CarriageReturnsAndForeignBytesAreShownSafely) {
  EXPECT_EQ(mistakes_of_rule(
                "((identifier) @n\r\n (#eq? @n \"\xc3\xa4\xff\") (#eg? @n \"\x1b[31m\"))\r\n"),
            R"(pack/python/a.scm:2:19: error: unknown predicate `#eg?` [unknown-predicate]
  2 |  (#eq? @n "ä\xff") (#eg? @n "\x1b[31m"))
    |                     ^^^^
  help: did you mean `#eq?`?
)");
  EXPECT_EQ(mistakes_of_rule(
                "((identifier) @n\r\n (#eq? @n \"\xc3\xa4\xff\")\r\n (#append! @n \"pass\"))\r\n"),
            "");
}

TEST(RuleMistakes, OfAVeryLongLineOnlyThePlaceIsShown) {
  const std::string filler(3000, 'x');
  EXPECT_EQ(mistakes_of_rule("((identifier) @n (#eq? @n \"" + filler +
                             "\") (#eg? @n \"a\") (#any-of? @n \"" + filler +
                             "\") (#append! @n \"pass\"))"),
            R"(pack/python/a.scm:1:3032: error: unknown predicate `#eg?` [unknown-predicate]
  1 | ...xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx") (#eg? @n "a") (#any-of? @n "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...
    |                                                                ^^^^
  help: did you mean `#eq?`?
)");
  EXPECT_EQ(
      mistakes_of_rule("((identifier) @n (#eq? @n \"a\") (#append! @n \"f(" + filler + "\"))"),
      R"(pack/python/a.scm:1:45: error: `f(xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...` is no Python statement: it is not whole [bad-code]
  1 | ((identifier) @n (#eq? @n "a") (#append! @n "f(xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...
    |                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  help: STATEMENT is Python code, written as it would stand in the file
)");
}

}  // namespace
}  // namespace portpatch::test
