// Every outcome that a rule can end in, as the whole report says it.
#include <gtest/gtest.h>

#include "tests/report/world.h"

namespace portpatch::test {
namespace {

std::string table_rule(const std::string& name = "TABLE", const std::string& value = "[6, 8]", const std::string& key = "12") {
  return "; Measured on our machines.\n((assignment left: (identifier) @n right: (dictionary) @d)\n (#eq? @n \"" + name +
         "\")\n (#ensure-entry! @d \"" + key + "\" \"" + value + "\"))\n";
}

PackText pack_of(const std::string& settings = "", const std::string& lock = "") {
  PackText pack{{"python/table.scm", table_rule()}, {"pack.toml", "format = 1\n" + settings}};
  if (!lock.empty()) pack["pack.lock"] = "format = 1\n" + lock;
  return pack;
}

std::string lock_at(const std::string& path) { return "[[rules.\"python/table\"]]\npath = \"" + path + "\"\nscope = \"\"\ntext = \"{9: 1}\"\n"; }

TEST(Outcomes, PendingEditedHeldReverted) {
  const World world(pack_of("after-edit = \"restart the servers\"\n"), {{"a.py", "TABLE = {9: 1}\n"}});
  EXPECT_EQ(world.said("status"), R"(?)");
  EXPECT_EQ(world.said("apply"), R"(?)");
  EXPECT_EQ(world.said("apply"), R"(?)");
  EXPECT_EQ(world.said("unapply"), R"(?)");
  EXPECT_EQ(world.file("a.py"), "TABLE = {9: 1}\n");
}

TEST(Outcomes, LostNamesWhereItWas) {
  const World world(pack_of("[defaults]\nowner = \"me\"\n", lock_at("a.py")), {{"a.py", "OTHER = {}\n"}, {"b.py", "x = 1\n"}});
  EXPECT_EQ(world.said("status"), R"(?)");
}

TEST(Outcomes, MovedNeedsAPersonOnce) {
  const World world(pack_of("", lock_at("a.py")), {{"a.py", "OTHER = {}\n"}, {"b.py", "TABLE = {9: 1}\n"}});
  EXPECT_EQ(world.said("apply"), R"(?)");
  EXPECT_EQ(world.file("b.py"), "TABLE = {9: 1}\n");
  auto accept = world.request("apply");
  accept.accept_moves = true;
  EXPECT_EQ(world.said(accept), R"(?)");
  EXPECT_EQ(world.file("b.py"), "TABLE = {9: 1, 12: [6, 8]}\n");
  EXPECT_EQ(world.outcomes("apply"), "python/table held");
}

TEST(Outcomes, MovedIsNeverTakenWhereTheRuleSaysNever) {
  const World world(pack_of("[defaults]\nrelocate = \"never\"\n", lock_at("a.py")), {{"b.py", "TABLE = {9: 1}\n"}});
  auto accept = world.request("apply");
  accept.accept_moves = true;
  EXPECT_EQ(world.said(accept), R"(?)");
  EXPECT_EQ(world.file("b.py"), "TABLE = {9: 1}\n");
}

TEST(Outcomes, NamesakesElsewhereDoNotCountAtTheBase) {
  const World world(pack_of("", lock_at("b.py")), {{"a.py", "TABLE = {}\n"}, {"b.py", "TABLE = {9: 1}\n"}});
  EXPECT_EQ(world.outcomes("apply"), "python/table edited");
  EXPECT_EQ(world.file("a.py"), "TABLE = {}\n");
}

TEST(Outcomes, AmbiguousListsEveryPlace) {
  const World many(pack_of(), {{"a.py", "TABLE = {}\n"}, {"b.py", "x = 1\n\n\nclass A:\n    TABLE = {}\n"}});
  EXPECT_EQ(many.said("status"), R"(?)");
  const World few(pack_of("[defaults]\nexpect = 2\n"), {{"a.py", "TABLE = {}\n"}});
  EXPECT_EQ(few.said("status"), R"(?)");
}

TEST(Outcomes, ExpectSaysHowManyPlacesThereAre) {
  const std::map<std::string, std::string> one{{"a.py", "TABLE = {}\n"}};
  const std::map<std::string, std::string> two{{"a.py", "TABLE = {}\n"}, {"b.py", "TABLE = {12: [6, 8]}\n"}};
  const std::map<std::string, std::string> four{{"a.py", "TABLE = {}\n"}, {"b.py", "TABLE = {}\nTABLE = {1: 2}\n"}, {"c.py", "TABLE = {}\n"}};
  const auto outcome = [&](const std::string& expect, const std::map<std::string, std::string>& files) {
    return World(pack_of("[defaults]\nexpect = " + expect + "\n"), files).outcomes("apply").substr(13);
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
  EXPECT_EQ(stop.said("apply"), R"(?)");
  const World keep(pack_of("[defaults]\non-conflict = \"keep-upstream\"\n"), {{"a.py", "TABLE = {12: [4]}\n"}});
  EXPECT_EQ(keep.said("apply"), R"(?)");
  EXPECT_EQ(keep.file("a.py"), "TABLE = {12: [4]}\n");
  const World over(pack_of("[defaults]\non-conflict = \"override\"\n"), {{"a.py", "TABLE = {12: [4]}\n"}});
  EXPECT_EQ(over.outcomes("apply"), "python/table edited");
  EXPECT_EQ(over.file("a.py"), "TABLE = {12: [6, 8]}\n");
}

TEST(Outcomes, BlockedByASyntaxErrorAroundThePlace) {
  const World world(pack_of(), {{"a.py", "x = 1\n\ndef f():\n    TABLE = {9: 1, 10 2}\n"}});
  EXPECT_EQ(world.said("apply"), R"(?)");
}

TEST(Outcomes, AnErrorElsewhereInTheFileBlocksNothing) {
  const World world(pack_of(), {{"a.py", "TABLE = {9: 1}\n\ndef f(:\n    pass\n\n\ny = (1\n"}});
  EXPECT_EQ(world.outcomes("apply"), "python/table edited");
}

TEST(Outcomes, BlockedByANameThatIsNotVisible) {
  const World world({{"python/table.scm", table_rule("TABLE", "4 * MiB")}}, {{"a.py", "TABLE = {9: 1}\nMiB = 2\n"}});
  EXPECT_EQ(world.said("apply"), R"(?)");
  const World named({{"python/table.scm", table_rule("TABLE", "4 * MiB")}, {"pack.toml", "format = 1\n[defaults]\nnames = [\"MiB\"]\n"}},
                    {{"a.py", "TABLE = {9: 1}\n"}});
  EXPECT_EQ(named.outcomes("apply"), "python/table edited");
}

TEST(Outcomes, AGroupStandsOrFallsTogether) {
  const PackText pack{{"python/a.scm", table_rule("A")}, {"python/b.scm", table_rule("B")}, {"python/c.scm", table_rule("C")},
                      {"pack.toml", "format = 1\n[rules.\"python/a\"]\ngroup = \"g\"\n[rules.\"python/b\"]\ngroup = \"g\"\n"}};
  const World world(pack, {{"a.py", "A = {}\nC = {}\n"}});
  EXPECT_EQ(world.said("apply"), R"(?)");
  EXPECT_EQ(world.file("a.py"), "A = {}\nC = {12: [6, 8]}\n");
}

TEST(Outcomes, AllOrNothingIsOneGroup) {
  const World world({{"python/a.scm", table_rule("A")}, {"python/b.scm", table_rule("B")}}, {{"a.py", "A = {}\n"}});
  auto request = world.request("apply");
  request.all_or_nothing = true;
  EXPECT_EQ(world.said(request), R"(?)");
  EXPECT_EQ(world.file("a.py"), "A = {}\n");
}

TEST(Outcomes, TwoRulesThatFightOverAPlaceAreBothRefused) {
  const World world({{"python/a.scm", table_rule("TABLE", "1")}, {"python/b.scm", table_rule("TABLE", "2")}}, {{"a.py", "TABLE = {}\n"}});
  EXPECT_EQ(world.said("apply"), R"(?)");
  EXPECT_EQ(world.file("a.py"), "TABLE = {}\n");
}

TEST(Outcomes, TwoRulesMayAddToOneTable) {
  const World world({{"python/a.scm", table_rule("TABLE", "1", "12")}, {"python/b.scm", table_rule("TABLE", "2", "11")}}, {{"a.py", "TABLE = {10: 0}\n"}});
  EXPECT_EQ(world.outcomes("apply"), "python/a edited, python/b edited");
  EXPECT_EQ(world.file("a.py"), "TABLE = {10: 0, 11: 2, 12: 1}\n");
}

TEST(Outcomes, ARestingRuleIsNamed) {
  const World world({{"python/a.scm", table_rule("A")}, {"python/b.scm", table_rule("B")},
                     {"pack.toml", "format = 1\n[rules.\"python/b\"]\nenabled = false\n"}},
                    {{"a.py", "A = {}\nB = {}\n"}});
  EXPECT_EQ(world.said("status"), R"(?)");
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
      "((assignment left: (identifier) @n right: (dictionary) @d) (#eq? @n \"TABLE\") (#ensure-entry! @d \"12\" \"1\"))\n"
      "((assignment left: (subscript value: (identifier) @n)) @row (#eq? @n \"TABLE\") (#ensure-entry! @row \"12\" \"1\"))\n";
  const World both({{"python/a.scm", rule}}, {{"a.py", "TABLE = {9: 1}\nTABLE[10] = 1\n"}});
  EXPECT_EQ(both.outcomes("apply"), "python/a edited");
  EXPECT_EQ(both.file("a.py"), "TABLE = {9: 1, 12: 1}\nTABLE[10] = 1\n");
  const World second({{"python/a.scm", rule}}, {{"a.py", "TABLE = f()\nTABLE[9] = 1\nTABLE[10] = 1\n"}});
  EXPECT_EQ(second.outcomes("apply"), "python/a edited");
  EXPECT_EQ(second.file("a.py"), "TABLE = f()\nTABLE[9] = 1\nTABLE[10] = 1\nTABLE[12] = 1\n");
}

}  // namespace
}  // namespace portpatch::test
