// Every outcome that a rule can end in, as the whole report says it.
#include <gtest/gtest.h>

#include "tests/report/world.h"

namespace portpatch::test {
namespace {

std::string table_rule(const std::string& name = "TABLE", const std::string& value = "[6, 8]",
                       const std::string& key = "12") {
  return "; Measured on our machines.\n((assignment left: (identifier) @n right: (dictionary) "
         "@d)\n (#eq? @n \"" +
         name + "\")\n (#ensure-entry! @d \"" + key + "\" \"" + value + "\"))\n";
}

PackText pack_of(const std::string& settings = "", const std::string& lock = "") {
  PackText pack{{"python/table.scm", table_rule()}, {"pack.toml", "format = 1\n" + settings}};
  if (!lock.empty()) pack["pack.lock"] = "format = 1\n" + lock;
  return pack;
}

std::string lock_at(const std::string& path) {
  return "[[rules.\"python/table\"]]\npath = \"" + path + "\"\nscope = \"\"\ntext = \"{9: 1}\"\n";
}

TEST(Outcomes, PendingEditedHeldReverted) {
  const World world(pack_of("after-edit = \"restart the servers\"\n"),
                    {{"a.py", "TABLE = {9: 1}\n"}});
  EXPECT_EQ(world.said("status"), R"(tree      tree
upstream  not known: the tree is no git work tree

  pending    pack/python/table  a.py:1

1 rule: 1 pending
next: portpatch apply pack
)");
  EXPECT_EQ(world.said("apply"), R"(tree      tree
upstream  not known: the tree is no git work tree

  edited     pack/python/table  a.py:1

1 rule: 1 edited
to do now: restart the servers
backup RUN; take it back with: portpatch undo
)");
  EXPECT_EQ(world.said("apply"), R"(tree      tree
upstream  not known: the tree is no git work tree

  held       pack/python/table  a.py:1

1 rule: 1 held
)");
  EXPECT_EQ(world.said("unapply"), R"(tree      tree
upstream  not known: the tree is no git work tree

  reverted   pack/python/table  a.py:1

1 rule: 1 reverted
backup RUN; take it back with: portpatch undo
)");
  EXPECT_EQ(world.file("a.py"), "TABLE = {9: 1}\n");
}

TEST(Outcomes, LostNamesWhereItWas) {
  const World world(pack_of("[defaults]\nowner = \"me\"\n", lock_at("a.py")),
                    {{"a.py", "OTHER = {}\n"}, {"b.py", "x = 1\n"}});
  EXPECT_EQ(world.said("status"), R"(tree      tree
upstream  not known: the tree is no git work tree

  lost       pack/python/table  no place in the tree

lost pack/python/table
  | Measured on our machines.
  at the base it was in a.py
  its pattern matches nowhere; 2 files were searched
  not known: its history: the tree is no git work tree; the copy in pack.lock was looked for
  owner: me
  next: portpatch explain pack/python/table

1 rule: 1 lost
)");
}

TEST(Outcomes, MovedNeedsAPersonOnce) {
  const World world(pack_of("", lock_at("a.py")),
                    {{"a.py", "OTHER = {}\n"}, {"b.py", "TABLE = {9: 1}\n"}});
  EXPECT_EQ(world.said("apply"), R"(tree      tree
upstream  not known: the tree is no git work tree

  moved      pack/python/table  b.py:1

moved pack/python/table
  | Measured on our machines.
  at the base it was in a.py
  moved
    from    a.py, TABLE
    to      b.py:1, TABLE
    because the same name (25), 100 % of its items are there (20), at module level, as before (6)
    51 points, 51 ahead of the next
  not known: its history: the tree is no git work tree; the copy in pack.lock was looked for
    b.py:1: the place is here now; the rule would be applied here
      look at it, then accept the move
  next: portpatch apply --accept-moves pack/python/table

1 rule: 1 moved
)");
  EXPECT_EQ(world.file("b.py"), "TABLE = {9: 1}\n");
  auto accept = world.request("apply");
  accept.accept_moves = true;
  EXPECT_EQ(world.said(accept), R"(tree      tree
upstream  not known: the tree is no git work tree

  edited     pack/python/table  b.py:1
note: pack/python/table went from a.py to b.py:1

1 rule: 1 edited
backup RUN; take it back with: portpatch undo
)");
  EXPECT_EQ(world.file("b.py"), "TABLE = {9: 1, 12: [6, 8]}\n");
  EXPECT_EQ(world.outcomes("apply"), "python/table held");
}

TEST(Outcomes, MovedIsNeverTakenWhereTheRuleSaysNever) {
  const World world(pack_of("[defaults]\nrelocate = \"never\"\n", lock_at("a.py")),
                    {{"b.py", "TABLE = {9: 1}\n"}});
  auto accept = world.request("apply");
  accept.accept_moves = true;
  EXPECT_EQ(world.said(accept), R"(tree      tree
upstream  not known: the tree is no git work tree

  moved      pack/python/table  b.py:1

moved pack/python/table
  | Measured on our machines.
  at the base it was in a.py
  moved
    from    a.py, TABLE
    to      b.py:1, TABLE
    because the same name (25), 100 % of its items are there (20), at module level, as before (6)
    51 points, 51 ahead of the next
  not known: its history: the tree is no git work tree; the copy in pack.lock was looked for
    b.py:1: the place is here now; the rule would be applied here
      relocate = "never": change the rule or its base by hand
  next: portpatch explain pack/python/table

1 rule: 1 moved
)");
  EXPECT_EQ(world.file("b.py"), "TABLE = {9: 1}\n");
}

TEST(Outcomes, NamesakesElsewhereDoNotCountAtTheBase) {
  const World world(pack_of("", lock_at("b.py")),
                    {{"a.py", "TABLE = {}\n"}, {"b.py", "TABLE = {9: 1}\n"}});
  EXPECT_EQ(world.outcomes("apply"), "python/table edited");
  EXPECT_EQ(world.file("a.py"), "TABLE = {}\n");
}

TEST(Outcomes, AmbiguousListsEveryPlace) {
  const World many(pack_of(),
                   {{"a.py", "TABLE = {}\n"}, {"b.py", "x = 1\n\n\nclass A:\n    TABLE = {}\n"}});
  EXPECT_EQ(many.said("status"), R"(tree      tree
upstream  not known: the tree is no git work tree

  ambiguous  pack/python/table  a.py:1 and 1 more

ambiguous pack/python/table
  | Measured on our machines.
  it matches at 2 places where `expect` says 1
    a.py:1: TABLE = {}
    b.py:5 in A: TABLE = {}
  next: portpatch refresh pack/python/table --at a.py:1  (or the place that is meant), or set `expect`

1 rule: 1 ambiguous
)");
  const World odd(pack_of(), {{"a b;c.py", "TABLE = {}\n"}, {"d.py", "TABLE = {}\n"}});
  EXPECT_TRUE(odd.said("status").contains("refresh pack/python/table --at 'a b;c.py:1'  (or"));
  const World named(pack_of(), {{"a.py", "TABLE = {9: 1}\n"}});
  named.scratch().run("cp -r pack 'my pack'");
  auto request = named.request("status");
  request.packs = {named.scratch().path("my pack")};
  EXPECT_TRUE(named.said(request).contains("next: portpatch apply 'my pack'\n"));
  const World few(pack_of("[defaults]\nexpect = 2\n"), {{"a.py", "TABLE = {}\n"}});
  EXPECT_EQ(few.said("status"), R"(tree      tree
upstream  not known: the tree is no git work tree

  ambiguous  pack/python/table  a.py:1

ambiguous pack/python/table
  | Measured on our machines.
  it matches at 1 place where `expect` says 2
    a.py:1: TABLE = {}
  next: portpatch explain pack/python/table

1 rule: 1 ambiguous
)");
}

TEST(Outcomes, ExpectSaysHowManyPlacesThereAre) {
  const std::map<std::string, std::string> one{{"a.py", "TABLE = {}\n"}};
  const std::map<std::string, std::string> two{{"a.py", "TABLE = {}\n"},
                                               {"b.py", "TABLE = {12: [6, 8]}\n"}};
  const std::map<std::string, std::string> four{
      {"a.py", "TABLE = {}\n"}, {"b.py", "TABLE = {}\nTABLE = {1: 2}\n"}, {"c.py", "TABLE = {}\n"}};
  const auto outcome = [&](const std::string& expect,
                           const std::map<std::string, std::string>& files) {
    return World(pack_of("[defaults]\nexpect = " + expect + "\n"), files)
        .outcomes("apply")
        .substr(13);
  };
  EXPECT_EQ(outcome("2", one), "ambiguous");
  EXPECT_EQ(outcome("2", two), "edited");
  EXPECT_EQ(outcome("\"1..3\"", one), "edited");
  EXPECT_EQ(outcome("\"1..3\"", two), "edited");
  EXPECT_EQ(outcome("\"1..3\"", four), "ambiguous");
  EXPECT_EQ(outcome("\"all\"", four), "edited");
  EXPECT_EQ(outcome("\"all\"", {{"a.py", ""}}), "lost");
}

TEST(Outcomes, AConflictShowsBothTextsAndTheWaysOut) {
  const World stop(pack_of(), {{"a.py", "TABLE = {12: [4]}\n"}});
  EXPECT_EQ(stop.said("apply"), R"(tree      tree
upstream  not known: the tree is no git work tree

  conflict   pack/python/table  a.py:1

conflict pack/python/table
  | Measured on our machines.
    a.py:1: the key 12 stands there with another value
      ours    [6, 8]
      theirs  [4]
      decide which one is right: change the rule, or set on-conflict in pack.toml
  next: portpatch explain pack/python/table

1 rule: 1 conflict
)");
  const World keep(pack_of("[defaults]\non-conflict = \"keep-upstream\"\n"),
                   {{"a.py", "TABLE = {12: [4]}\n"}});
  EXPECT_EQ(keep.said("apply"), R"(tree      tree
upstream  not known: the tree is no git work tree

  held       pack/python/table  a.py:1 (upstream kept)

1 rule: 1 held
)");
  EXPECT_EQ(keep.file("a.py"), "TABLE = {12: [4]}\n");
  const World over(pack_of("[defaults]\non-conflict = \"override\"\n"),
                   {{"a.py", "TABLE = {12: [4]}\n"}});
  EXPECT_EQ(over.outcomes("apply"), "python/table edited");
  EXPECT_EQ(over.file("a.py"), "TABLE = {12: [6, 8]}\n");
}

TEST(Outcomes, BlockedByASyntaxErrorAroundThePlace) {
  const World world(pack_of(), {{"a.py", "x = 1\n\ndef f():\n    TABLE = {9: 1, 10 2}\n"}});
  EXPECT_EQ(world.said("apply"), R"(tree      tree
upstream  not known: the tree is no git work tree

  blocked    pack/python/table  a.py:4

blocked pack/python/table
  | Measured on our machines.
    a.py:4 in f: the statement around it has a syntax error
      mend the file, or edit it by hand
  next: portpatch explain pack/python/table

1 rule: 1 blocked
)");
}

TEST(Outcomes, AnErrorElsewhereInTheFileBlocksNothing) {
  const World world(pack_of(), {{"a.py", "TABLE = {9: 1}\n\ndef f(:\n    pass\n\n\ny = (1\n"}});
  EXPECT_EQ(world.outcomes("apply"), "python/table edited");
}

TEST(Outcomes, BlockedByANameThatIsNotVisible) {
  const World world({{"python/table.scm", table_rule("TABLE", "4 * MiB")}},
                    {{"a.py", "TABLE = {9: 1}\nMiB = 2\n"}});
  EXPECT_EQ(world.said("apply"), R"(tree      tree
upstream  not known: the tree is no git work tree

  blocked    pack/python/table  a.py:1

blocked pack/python/table
  | Measured on our machines.
    a.py:1: `MiB`, which the edit uses, is defined only further down
      import or define it there, or list it under `names` of the rule in pack.toml
  next: portpatch explain pack/python/table

1 rule: 1 blocked
)");
  const World named({{"python/table.scm", table_rule("TABLE", "4 * MiB")},
                     {"pack.toml", "format = 1\n[defaults]\nnames = [\"MiB\"]\n"}},
                    {{"a.py", "TABLE = {9: 1}\n"}});
  EXPECT_EQ(named.outcomes("apply"), "python/table edited");
}

TEST(Outcomes, AGroupStandsOrFallsTogether) {
  const PackText pack{
      {"python/a.scm", table_rule("A")},
      {"python/b.scm", table_rule("B")},
      {"python/c.scm", table_rule("C")},
      {"pack.toml",
       "format = 1\n[rules.\"python/a\"]\ngroup = \"g\"\n[rules.\"python/b\"]\ngroup = \"g\"\n"}};
  const World world(pack, {{"a.py", "A = {}\nC = {}\n"}});
  EXPECT_EQ(world.said("apply"), R"(tree      tree
upstream  not known: the tree is no git work tree

  blocked    pack/python/a  a.py:1
  lost       pack/python/b  no place in the tree
  edited     pack/python/c  a.py:2

blocked pack/python/a
  | Measured on our machines.
    a.py:1: python/b is lost, and group `g` of pack stands or falls together
  next: portpatch explain pack/python/a

lost pack/python/b
  | Measured on our machines.
  its pattern matches nowhere; 1 file was searched
  next: portpatch explain pack/python/b

3 rules: 1 edited, 1 lost, 1 blocked
backup RUN; take it back with: portpatch undo
)");
  EXPECT_EQ(world.file("a.py"), "A = {}\nC = {12: [6, 8]}\n");
}

TEST(Outcomes, AllOrNothingIsOneGroup) {
  const World world({{"python/a.scm", table_rule("A")}, {"python/b.scm", table_rule("B")}},
                    {{"a.py", "A = {}\n"}});
  auto request = world.request("apply");
  request.all_or_nothing = true;
  EXPECT_EQ(world.said(request), R"(tree      tree
upstream  not known: the tree is no git work tree

  blocked    pack/python/a  a.py:1
  lost       pack/python/b  no place in the tree

blocked pack/python/a
  | Measured on our machines.
    a.py:1: python/b is lost, and the whole run (--all-or-nothing) stands or falls together
  next: portpatch explain pack/python/a

lost pack/python/b
  | Measured on our machines.
  its pattern matches nowhere; 1 file was searched
  next: portpatch explain pack/python/b

2 rules: 1 lost, 1 blocked
)");
  EXPECT_EQ(world.file("a.py"), "A = {}\n");
}

TEST(Outcomes, TwoRulesThatFightOverAPlaceAreBothRefused) {
  const World world(
      {{"python/a.scm", table_rule("TABLE", "1")}, {"python/b.scm", table_rule("TABLE", "2")}},
      {{"a.py", "TABLE = {}\n"}});
  const auto outcomes = world.outcomes("apply");
  EXPECT_EQ(outcomes, "python/a blocked, python/b blocked");
  EXPECT_EQ(world.file("a.py"), "TABLE = {}\n");
}

TEST(Outcomes, TwoRulesMayAddToOneTable) {
  const World world({{"python/a.scm", table_rule("TABLE", "1", "12")},
                     {"python/b.scm", table_rule("TABLE", "2", "11")}},
                    {{"a.py", "TABLE = {10: 0}\n"}});
  EXPECT_EQ(world.outcomes("apply"), "python/a edited, python/b edited");
  EXPECT_EQ(world.file("a.py"), "TABLE = {10: 0, 11: 2, 12: 1}\n");
}

TEST(Outcomes, ARestingRuleIsNamed) {
  const World world({{"python/a.scm", table_rule("A")},
                     {"python/b.scm", table_rule("B")},
                     {"pack.toml", "format = 1\n[rules.\"python/b\"]\nenabled = false\n"}},
                    {{"a.py", "A = {}\nB = {}\n"}});
  EXPECT_EQ(world.said("status"), R"(tree      tree
upstream  not known: the tree is no git work tree

  pending    pack/python/a  a.py:1
  resting    pack/python/b  (enabled = false)

1 rule: 1 pending
next: portpatch apply pack
)");
}

TEST(Outcomes, SeveralPacksAreOneRun) {
  const World world({{"python/a.scm", table_rule("A")}}, {{"a.py", "A = {}\nB = {}\n"}});
  write_pack(world.scratch(), {{"python/b.scm", table_rule("B")}}, "second");
  auto request = world.request("apply");
  request.packs.push_back(world.scratch().path("second"));
  EXPECT_EQ(world.outcomes(request), "python/a edited, python/b edited");
  EXPECT_EQ(world.file("a.py"), "A = {12: [6, 8]}\nB = {12: [6, 8]}\n");
}

TEST(Outcomes, ShapesAreTriedInOrder) {
  const std::string rule =
      "((assignment left: (identifier) @n right: (dictionary) @d) (#eq? @n \"TABLE\") "
      "(#ensure-entry! @d \"12\" \"1\"))\n"
      "((assignment left: (subscript value: (identifier) @n)) @row (#eq? @n \"TABLE\") "
      "(#ensure-entry! @row \"12\" \"1\"))\n";
  const World both({{"python/a.scm", rule}}, {{"a.py", "TABLE = {9: 1}\nTABLE[10] = 1\n"}});
  EXPECT_EQ(both.outcomes("apply"), "python/a edited");
  EXPECT_EQ(both.file("a.py"), "TABLE = {9: 1, 12: 1}\nTABLE[10] = 1\n");
  const World second({{"python/a.scm", rule}},
                     {{"a.py", "TABLE = f()\nTABLE[9] = 1\nTABLE[10] = 1\n"}});
  EXPECT_EQ(second.outcomes("apply"), "python/a edited");
  EXPECT_EQ(second.file("a.py"), "TABLE = f()\nTABLE[9] = 1\nTABLE[10] = 1\nTABLE[12] = 1\n");
}

}  // namespace
}  // namespace portpatch::test
