// Three-way merges of trees: what both sides changed, in small cases.
#include <gtest/gtest.h>

#include "edit/merge_text.h"
#include "edit/tree_compare.h"
#include "syntax/code_form.h"
#include "tests/edit/apply_rule.h"
#include "tests/syntax/tree.h"

namespace portpatch::test {
namespace {

/// Theirs with what makes ours of base; "conflict: ...", or "form differs" when the text is not the
/// merged tree.
std::string merged(const std::string& base, const std::string& ours, const std::string& theirs,
                   std::string_view name = "python") {
  const auto b = tree_of(name, base), o = tree_of(name, ours), t = tree_of(name, theirs);
  const MatchTree base_tree(b, b.root()), ours_tree(o, o.root()), theirs_tree(t, t.root());
  const auto merge = merge_trees(base_tree, ours_tree, theirs_tree);
  if (merge.conflict)
    return "conflict: " + merge.conflict->reason + " <" + merge.conflict->base + "|" +
           merge.conflict->ours + "|" + merge.conflict->theirs + ">";
  const auto edits = merge_edits(b, o, t, merge.changes);
  if (!edits) return edits.error().code + ": " + edits.error().message;
  auto text = apply_edits(t.text(), edits->edits);
  const auto after = tree_of(name, text);
  return exact_form(after, after.root()) == merge.form
             ? text
             : "form differs:\n" + text + "\n" + merge.form + "\n" +
                   exact_form(after, after.root());
}

/// The lines a, b, c with some of them changed.
const std::string kBase = "a = 1\nb = 2\nc = 3\n";

TEST(TreeMerge, OneSideAlone) {
  EXPECT_EQ(merged(kBase, kBase, "a = 9\nb = 2\n"), "a = 9\nb = 2\n");
  EXPECT_EQ(merged(kBase, "a = 9\nb = 2\nd = 4\nc = 3\n", kBase), "a = 9\nb = 2\nd = 4\nc = 3\n");
  EXPECT_EQ(merged(kBase, "b = 2\nc = 3\n", kBase), "b = 2\nc = 3\n");
  EXPECT_EQ(merged(kBase, "z = 0\na = 1\nb = 2\nc = 3\ny = 9\n", kBase),
            "z = 0\na = 1\nb = 2\nc = 3\ny = 9\n");
  EXPECT_EQ(merged(kBase, "c = 3\nf(x)\n", kBase), "c = 3\nf(x)\n");
}

TEST(TreeMerge, BothSidesInDifferentPlaces) {
  EXPECT_EQ(merged(kBase, "a = 9\nb = 2\nc = 3\n", "a = 1\nb = 2\nc = 8\n"),
            "a = 9\nb = 2\nc = 8\n");
  EXPECT_EQ(merged("x = f(1, 2)\n", "x = f(9, 2)\n", "x = f(1, 2, k=3)\n"), "x = f(9, 2, k=3)\n");
  EXPECT_EQ(merged("x = f(1, 2)\n", "x = g(1, 2)\n", "x = f(1, 3)\n"), "x = g(1, 3)\n");
  EXPECT_EQ(merged("if a:\n    b()\nelse:\n    c()\n", "if a or x:\n    b()\nelse:\n    c()\n",
                   "if a:\n    b()\n    d()\nelse:\n    c()\n"),
            "if a or x:\n    b()\n    d()\nelse:\n    c()\n");
  EXPECT_EQ(merged(kBase, "b = 2\nc = 3\n", "a = 1\nb = 2\nc = 4\n"), "b = 2\nc = 4\n");
}

TEST(TreeMerge, BothTheSameOnce) {
  EXPECT_EQ(merged(kBase, "a = 9\nb = 2\nc = 3\n", "a = 9\nb = 2\nc = 3\n"),
            "a = 9\nb = 2\nc = 3\n");
  EXPECT_EQ(merged(kBase, "a = 1\nn = 0\nb = 2\nc = 4\n", "a = 1\nn = 0\nb = 2\nc = 3\n"),
            "a = 1\nn = 0\nb = 2\nc = 4\n");
  EXPECT_EQ(merged(kBase, "a = 1\nc = 3\n", "a = 1\nc = 3\n"), "a = 1\nc = 3\n");
}

TEST(TreeMerge, TheSamePlaceInTwoWaysIsAConflict) {
  EXPECT_EQ(merged(kBase, "a = 8\nb = 2\nc = 3\n", "a = 9\nb = 2\nc = 3\n"),
            "conflict: both changed it <1|8|9>");
  EXPECT_EQ(merged(kBase, "a = 1\nx = 0\nb = 2\nc = 3\n", "a = 1\ny = 0\nb = 2\nc = 3\n"),
            "conflict: both inserted something here <|x = 0|y = 0>");
  EXPECT_EQ(merged(kBase, "a = 1\nc = 3\n", "a = 1\nb = 9\nc = 3\n"),
            "conflict: ours removes what upstream has changed <b = 2||b = 9>");
  EXPECT_EQ(merged(kBase, "a = 1\nb = 9\nc = 3\n", "a = 1\nc = 3\n"),
            "conflict: ours changes what upstream has taken away <b = 2|b = 9|>");
  EXPECT_EQ(merged(kBase, "a = 1\nb = 2\nx()\nc = 3\n", "a = 1\nc = 3\n").substr(0, 9),
            "conflict:");
}

TEST(TreeMerge, EqualNeighboursAreNeverGuessed) {
  const std::string twice = "f()\ng()\nf()\nh()\n";
  EXPECT_EQ(merged("f()\nf()\ng()\n", "f()\ng()\n", "f()\nf()\ng()\nh()\n").substr(0, 38),
            "conflict: several statements or items ");
  EXPECT_EQ(merged("f()\nf()\ng()\n", "f()\ng()\n", "f()\nf()\ng()\n"), "f()\ng()\n");
  EXPECT_EQ(merged(twice, "g()\nf()\nh()\n", "f()\ng()\nf()\nh()\nz()\n"), "g()\nf()\nh()\nz()\n");
}

TEST(TreeMerge, UnorderedContainersTakeBoth) {
  EXPECT_EQ(merged("x = {1: a}\n", "x = {1: a, 2: b}\n", "x = {1: a, 3: c}\n"),
            "x = {1: a, 3: c, 2: b}\n");
  EXPECT_EQ(merged("x = {1: a}\n", "x = {1: a, 2: b}\n", "x = {1: a, 2: c}\n"),
            "conflict: both inserted this key <|2: b|2: c>");
  EXPECT_EQ(merged("x = {1: a}\n", "x = {1: a, 2: b}\n", "x = {1: a, 2: b, 3: c}\n"),
            "x = {1: a, 2: b, 3: c}\n");
  EXPECT_EQ(merged("x = [1]\n", "x = [1, 2]\n", "x = [1, 3]\n"),
            "conflict: both inserted something here <|2|3>");
  EXPECT_EQ(merged("x = {\n    1: a,  # one\n}\n", "x = {\n    1: a,\n    # ours\n    2: b,\n}\n",
                   "x = {\n    1: a,  # one\n    3: c,\n}\n"),
            "x = {\n    1: a,  # one\n    3: c,\n    # ours\n    2: b,\n}\n");
}

TEST(TreeMerge, CommentsAndLayoutOfTheirsStay) {
  EXPECT_EQ(
      merged("def f(a):\n    x = a\n    return x\n", "def f(a):\n    x = a + 1\n    return x\n",
             "def f(a):  # f\n    # why\n    x = a  # a\n\n    return x\n"),
      "def f(a):  # f\n    # why\n    x = a + 1  # a\n\n    return x\n");
  EXPECT_EQ(merged("def f():\n    a()\n    b()\n",
                   "def f():\n    a()\n    # ours\n    n()  # new\n    b()\n",
                   "def f():\n    a()  # one\n    # two\n    b()\n    c()\n"),
            "def f():\n    a()  # one\n    # ours\n    n()  # new\n    # two\n    b()\n    c()\n");
  EXPECT_EQ(merged("x = f(1)\n", "x = [1]\n", "x = f(  # theirs\n    1)\n").substr(0, 13),
            "comment-lost:");
}

TEST(TreeMerge, OursCommentsComeAndGo) {
  const std::string base = "def f():\n    a()\n    b()  # old\n    c()\n";
  const std::string
      ours = "def f():\n    # first\n    a()  # one\n    b()\n    # last\n    # of all\n    c()\n";
  const std::string theirs = "def f():\n    a()\n    b()  # old\n    # theirs\n    c()\n    d()\n";
  const std::string both =
      "def f():\n    # first\n    a()  # one\n    b()\n    # theirs\n    # last\n    # of all\n    "
      "c()\n    d()\n";
  EXPECT_EQ(merged(base, ours, theirs), both);
  EXPECT_EQ(merged(base, ours, both), both);
  EXPECT_EQ(merged(ours, base, both), theirs);
  EXPECT_EQ(merged("a()\n# why\nn()\nb()\n", "a()\nb()\n", "a()\n# theirs\n# why\nn()\nb()\n"),
            "a()\n# theirs\nb()\n");
}

TEST(TreeMerge, CommentsThatOursTakesInsideStandOnce) {
  EXPECT_EQ(
      merged("class A:\n    a = 1    # why\n\n    def f(self):\n        pass\n",
             "class A:\n    if x:\n        a = 1    # why\n\n    def f(self):\n        pass\n",
             "class A:\n    a = 1    # why\n\n    def f(self):\n        g()\n"),
      "class A:\n    if x:\n        a = 1    # why\n\n    def f(self):\n        g()\n");
  EXPECT_EQ(
      merged(
          "def f():\n    if a:\n        # lazy\n        return\n    b()\n",
          "def f():\n    if x:\n        if a:\n            # lazy\n            return\n    b()\n",
          "def f():\n    if a:\n        # lazy\n        return\n    c()\n    b()\n"),
      "def f():\n    if x:\n        if a:\n            # lazy\n            return\n    c()\n    "
      "b()\n");
}

TEST(TreeMerge, OursStandsInTheirsIndentation) {
  EXPECT_EQ(
      merged("def f():\n    a()\n", "def f():\n    a()\n    if x:\n        b(\n            1)\n",
             "class C:\n    def f():\n        a()\n"),
      "class C:\n    def f():\n        a()\n        if x:\n            b(\n                1)\n");
  EXPECT_EQ(
      merged("if y:\n    a()\nelse:\n    b()\n",
             "if y:\n    a()\nelif z:\n    n(\"\"\"one\n  two\"\"\")\nelse:\n    b()\n",
             "if y:\n    a()  # a\nelse:\n    b()\n    c()\n"),
      "if y:\n    a()  # a\nelif z:\n    n(\"\"\"one\n  two\"\"\")\nelse:\n    b()\n    c()\n");
  EXPECT_EQ(merged("def f(a):\n    return a\n", "def f(a) -> int:\n    return a\n",
                   "def f(a, b):\n    return a + b\n"),
            "def f(a, b) -> int:\n    return a + b\n");
  EXPECT_EQ(
      merged("def f():\n    a()\n", "@cached\ndef f():\n    a()\n", "def f():\n    a()\n    b()\n")
          .substr(0, 9),
      "conflict:");
}

TEST(TreeMerge, AStatementThatWasMovedIsFollowed) {
  EXPECT_EQ(merged("a(1)\nb(2)\nc(3)\n", "a(9)\nb(2)\nc(3)\n", "b(2)\nc(3)\na(1)\n"),
            "b(2)\nc(3)\na(9)\n");
  EXPECT_EQ(merged("a(1)\nb(2)\nc(3)\n", "a(1)\nb(9)\nc(3)\n", "a(1)\nwith x:\n    b(2)\nc(3)\n"),
            "a(1)\nwith x:\n    b(9)\nc(3)\n");
  EXPECT_EQ(merged("a(1)\nb(2)\nc(3)\n", "a(1)\nn()\nb(2)\nc(3)\n",
                   "with x:\n    a(1)\n    b(2)\nc(3)\n"),
            "with x:\n    a(1)\n    n()\n    b(2)\nc(3)\n");
  EXPECT_EQ(merged("a(1)\nb(2)\n", "a(9)\nb(2)\n", "b(2)\na(1)\na(1)\n").substr(0, 9), "conflict:");
  // Moved and changed: the loop is like nothing else.
  EXPECT_EQ(
      merged("for x in y:\n    run(x)\nend(y)\n", "for x in y:\n    run(x)\n    stop(x)\nend(y)\n",
             "with lock:\n    for x in y:\n        run(x, z)\nend(y)\n"),
      "with lock:\n    for x in y:\n        run(x, z)\n        stop(x)\nend(y)\n");
  EXPECT_EQ(
      merged("for x in y:\n    run(x)\nend(y)\n", "for x in y:\n    run(x)\n    stop(x)\nend(y)\n",
             "with lock:\n    for x in y:\n        run(x, z)\n    for x in y:\n        run(x, "
             "w)\nend(y)\n")
          .substr(0, 9),
      "conflict:");
}

TEST(TreeMerge, AStatementThatHasGrownIsTheSame) {
  const std::string grown =
      "if major == 9:\n    return (major, a)\nelif major == 12:\n    from x import y\n    z = "
      "y(12)\n    if z:\n        return f(z, 1)\n    raise E(z, 2)\nelif major >= 10:\n    return "
      "(major, a)\n";
  EXPECT_EQ(
      merged("if major == 9:\n    return (major, a)\nelif major >= 10:\n    return (major, a)\n",
             "if major == 9:\n    return (major, a)\nelif major >= 10:\n    return (major, b)\n",
             grown),
      grown.substr(0, grown.size() - 3) + "b)\n");
}

TEST(TreeMerge, InCpp) {
  EXPECT_EQ(
      merged("int f(int a) {\n  if (a == 90) return 1;\n  return 0;\n}\n",
             "int f(int a) {\n  if (a == 90 || a == 120) return 1;\n  return 0;\n}\n",
             "int f(int a) {\n  // cc\n  if (a == 90) return 1;\n  log(a);\n  return 0;\n}\n",
             "cpp"),
      "int f(int a) {\n  // cc\n  if (a == 90 || a == 120) return 1;\n  log(a);\n  return 0;\n}\n");
  EXPECT_EQ(merged("void f() {\n  if (a) {\n    g();\n  } else {\n    h();\n  }\n}\n",
                   "void f() {\n  if (a) {\n    g();\n    n();\n  } else {\n    h();\n  }\n}\n",
                   "void f() {\n  if (a) {\n    g();\n  } else {\n    h(1);\n  }\n}\n", "cpp"),
            "void f() {\n  if (a) {\n    g();\n    n();\n  } else {\n    h(1);\n  }\n}\n");
  EXPECT_EQ(
      merged(
          "void f() {\n  switch (a) {\n    case 90: return g();\n    default: return;\n  }\n}\n",
          "void f() {\n  switch (a) {\n    case 90: return g();\n    case 120: return n();\n    "
          "default: return;\n  }\n}\n",
          "void f() {\n  switch (a) {\n    case 90: return g(1);\n    default: return;\n  }\n}\n",
          "cpp"),
      "void f() {\n  switch (a) {\n    case 90: return g(1);\n    case 120: return n();\n    "
      "default: return;\n  }\n}\n");
}

/// The directive on function f, with BASE and OURS as texts.
std::string on_function(const std::string& base, const std::string& ours, const std::string& source,
                        bool reverts = false) {
  const auto rule = "((function_definition name: (identifier) @n) @node (#eq? @n \"f\") " +
                    directive("merge!", {base, ours}) + ")";
  return reverts ? revert_rule("python", rule, source) : apply_rule("python", rule, source);
}

TEST(Merge, TheDirectiveAndItsWayBack) {
  const std::string base = "def f(a):\n    b = a\n    return b\n",
                    ours = "def f(a):\n    b = a + 1\n    return b\n";
  const std::string theirs =
      "x = 1\n\n\nclass C:\n    @d\n    def f(a):\n        # theirs\n        b = a\n        "
      "print(b)\n        return b\n";
  const std::string both =
      "x = 1\n\n\nclass C:\n    @d\n    def f(a):\n        # theirs\n        b = a + 1\n        "
      "print(b)\n        return b\n";
  EXPECT_EQ(on_function(base, ours, theirs), both);
  EXPECT_EQ(on_function(base, ours, both), "holds");
  EXPECT_EQ(on_function(base, ours, both, true), theirs);
  EXPECT_EQ(on_function(base, ours, theirs, true), "holds");
  EXPECT_EQ(on_function(base, ours, "def f(a):\n    b = a - 1\n    return b\n"),
            "conflict: differs: both changed it; the base says `a`");
  EXPECT_EQ(on_function(base, ours, "def f(a):\n    b = a - 1\n    return b\n", true).substr(0, 12),
            "no-way-back:");
  EXPECT_EQ(on_function("x = 1\n", "x = 2\n", theirs).substr(0, 17), "blocked: bad-base");
  // Upstream has since moved what ours has changed: it holds all the same, and goes out again.
  const std::string
      moved = "def f(a):\n    if a:\n        b = a + 1\n        print(b)\n    return b\n";
  EXPECT_EQ(on_function(base, ours, moved), "holds");
  EXPECT_EQ(on_function(base, ours, moved, true),
            "def f(a):\n    if a:\n        b = a\n        print(b)\n    return b\n");
}

TEST(Merge, WhatUpstreamAddsToOursIsNoConflict) {
  const std::string base = "def f(a):\n    b = a\n    c = b\n    return c\n",
                    ours =
                        "def f(a):\n    if a:\n        b = 1\n    else:\n        b = a\n        c "
                        "= b\n    return c\n";
  const auto theirs = [](const std::string& first, const std::string& last) {
    return "def f(a):\n    if a:\n" + first + "        b = 1\n    else:\n        b = a\n" + last +
           "    return c\n";
  };
  EXPECT_EQ(on_function(base, ours, theirs("        patch()\n", "        c = b\n")), "holds");
  EXPECT_EQ(on_function(base, ours, theirs("", "        c = b\n        print(c)\n")), "holds");
  // Not where something of ours is missing, or what ours took out is there again.
  EXPECT_EQ(on_function(base, ours, theirs("        patch()\n", "")).substr(0, 9), "conflict:");
  // Nor what upstream changed of what ours took out or moved.
  const std::string checked = "def f(a):\n    check(a, 1)\n    b = load(a)\n    return b\n",
                    unchecked = "def f(a):\n    b = load(a)\n    return b\n",
                    other = "def f(a):\n    check(a, 2)\n    b = load(a)\n    return b\n";
  EXPECT_EQ(on_function(checked, unchecked, other).substr(0, 9), "conflict:");
  EXPECT_EQ(on_function(unchecked, checked, other, true).substr(0, 12), "no-way-back:");
  EXPECT_EQ(on_function("def f():\n    init()\n    load()\n    run()\n",
                        "def f():\n    load()\n    init()\n    run()\n",
                        "def f():\n    init()\n    load()\n    init()\n    run()\n")
                .substr(0, 9),
            "conflict:");
  const std::string shorter = "def f(a):\n    b = a\n    return c\n";
  EXPECT_EQ(on_function(base, shorter, base), shorter);
  EXPECT_EQ(
      on_function(base, shorter, "def f(a):\n    b = a\n    if a:\n        c = b\n    return c\n")
          .substr(0, 9),
      "conflict:");
}

TEST(Merge, WholeIndentedLinesAndDecorators) {
  const std::string theirs =
      "d = 1\n\n\nclass C:\n    @d\n    def f(a):\n        \"\"\"Doc.\n        More.\"\"\"\n       "
      " return a\n";
  EXPECT_EQ(
      on_function(
          "    @d\n    def f(a):\n        \"\"\"Doc.\n        More.\"\"\"\n        return a\n",
          "    @d\n    @e\n    def f(a):\n        \"\"\"Doc.\n        More.\"\"\"\n        return "
          "a * 2\n",
          theirs),
      "blocked: unseen-name: `e`, which the edit uses, is not defined in the file");
  EXPECT_EQ(
      on_function(
          "    @d\n    def f(a):\n        \"\"\"Doc.\n        More.\"\"\"\n        return a\n",
          "    @d\n    def f(a):\n        \"\"\"Doc.\n        More.\"\"\"\n        return a * 2\n",
          theirs),
      "d = 1\n\n\nclass C:\n    @d\n    def f(a):\n        \"\"\"Doc.\n        More.\"\"\"\n       "
      " return a * 2\n");
}

}  // namespace
}  // namespace portpatch::test
