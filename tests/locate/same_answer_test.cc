// Lock, memory and prefilter only make a run quicker: outcomes are the same without them.
#include <gtest/gtest.h>

#include "tests/report/world.h"

namespace portpatch::test {
namespace {

PackText pack() {
  const auto rule = [](const std::string& name) {
    return "((assignment left: (identifier) @n right: (dictionary) @d)\n (#any-of? @n \"" + name +
           "\" \"" + name +
           "_OLD\")\n (#ensure-entry! @d \"12\" \"1\"))\n"
           "((assignment left: (identifier) @n right: (list)? @l) @a\n (#match? @n \"^" +
           name + "_LIST$\")\n (#append! @a \"pass\"))\n";
  };
  return {{"python/held.scm", rule("HELD")},         {"python/pending.scm", rule("PENDING")},
          {"python/conflict.scm", rule("CONFLICT")}, {"python/lost.scm", rule("LOST")},
          {"python/twice.scm", rule("TWICE")},       {"python/renamed.scm", rule("RENAMED")}};
}

World world() {
  return World(pack(), {{"a.py", "HELD = {12: 1}\nPENDING = {}\nTWICE = {}\n"},
                        {"b/c.py", "CONFLICT = {12: 2}\nTWICE = {}\n"},
                        {"d.py", "# nothing\n"},
                        {"e.py", "RENAMED_OLD = {}\n"},
                        {"f.txt", "LOST = {}\n"}});
}

constexpr std::string_view kOutcomes =
    "python/conflict conflict, python/held held, python/lost lost, python/pending pending, "
    "python/renamed pending, python/twice ambiguous";

TEST(SameAnswer, WithAndWithoutPrefilter) {
  const auto one = world();
  auto request = one.request("status");
  EXPECT_EQ(one.outcomes(request), kOutcomes);
  request.use_prefilter = false;
  EXPECT_EQ(one.outcomes(request), kOutcomes);
}

// So many that one pass over a text looks for all of them; some have literals too short for it.
TEST(SameAnswer, OfManyRulesWithAndWithoutPrefilter) {
  PackText many = pack();
  std::string text;
  for (int i = 0; i < 40; ++i) {
    const auto name = (i % 4 ? "NAME_" : "N") + std::to_string(i);
    many["python/many" + std::to_string(i) +
         ".scm"] = "((assignment left: (identifier) @n right: (dictionary) @d)\n (#eq? @n \"" +
                   name + "\")\n (#ensure-entry! @d \"12\" \"1\"))\n";
    if (i % 3 == 0) text += name + " = {}\n";
  }
  const World one(many, {{"a.py", "HELD = {12: 1}\n"}, {"b/c.py", text}});
  auto request = one.request("status");
  const auto with = one.outcomes(request);
  EXPECT_TRUE(with.contains("python/many39 pending"));
  EXPECT_TRUE(with.contains("python/many38 lost"));
  request.use_prefilter = false;
  EXPECT_EQ(one.outcomes(request), with);
}

TEST(SameAnswer, WithAndWithoutTheLock) {
  const auto one = world();
  auto refreshing = one.request("refresh");
  (void)refresh(refreshing);
  auto request = one.request("status");
  EXPECT_EQ(one.outcomes(request), kOutcomes);
  request.use_base = false;
  EXPECT_EQ(one.outcomes(request), kOutcomes);
}

TEST(SameAnswer, WithAndWithoutMemory) {
  const World one({{"python/table.scm",
                    "((assignment left: (identifier) @n right: (dictionary) @d)\n (#eq? @n "
                    "\"TABLE\")\n (#ensure-entry! @d \"12\" \"1\"))\n"}},
                  {{"a.py", "TABLE = {}\n"}, {"b.py", "x = 1\n"}});
  one.clone();
  ASSERT_TRUE(refresh(one.request("refresh")));
  EXPECT_EQ(one.outcomes("apply"), "python/table edited");
  EXPECT_EQ(one.outcomes("apply"), "python/table held");
  const auto remembered = run(one.request("status"));
  ASSERT_TRUE(remembered);
  EXPECT_TRUE(remembered->from_memory);
  auto fresh = one.request("status");
  fresh.use_memory = false;
  EXPECT_EQ(one.said(one.request("status")), one.said(fresh));
}

TEST(SameAnswer, MemoryIsNotTrustedAfterAnyChange) {
  const World one({{"python/table.scm",
                    "((assignment left: (identifier) @n right: (dictionary) @d)\n (#eq? @n "
                    "\"TABLE\")\n (#ensure-entry! @d \"12\" \"1\"))\n"}},
                  {{"a.py", "TABLE = {}\n"}});
  one.clone();
  ASSERT_TRUE(refresh(one.request("refresh")));
  EXPECT_EQ(one.outcomes("apply"), "python/table edited");
  EXPECT_EQ(one.outcomes("apply"), "python/table held");
  one.write("a.py", "TABLE = {12: 2}\n");
  EXPECT_EQ(one.outcomes("status"), "python/table conflict");
  one.write("a.py", "TABLE = {12: 1}\n");
  EXPECT_EQ(one.outcomes("status"), "python/table held");
  one.scratch().run(
      "cd tree; git commit -qam port; git push -q origin HEAD:other; cd ../up; git merge -q other; "
      "cd ../tree; git fetch -q");
  EXPECT_EQ(one.outcomes("status"), "python/table upstreamed");
  one.scratch().write("pack/python/table.scm",
                      "((assignment left: (identifier) @n right: (dictionary) @d)\n (#eq? @n "
                      "\"TABLE\")\n (#ensure-entry! @d \"13\" \"1\"))\n");
  EXPECT_EQ(one.outcomes("status"), "python/table pending");
}

TEST(SameAnswer, DamagedMemoryIsIgnored) {
  const World one({{"python/table.scm",
                    "((assignment left: (identifier) @n right: (dictionary) @d)\n (#eq? @n "
                    "\"TABLE\")\n (#ensure-entry! @d \"12\" \"1\"))\n"}},
                  {{"a.py", "TABLE = {12: 1}\n"}});
  ASSERT_TRUE(refresh(one.request("refresh")));
  EXPECT_EQ(one.outcomes("apply"), "python/table held");
  one.scratch().run(
      "for f in tree/.portpatch/memory-*.json; do printf '{\"format\": 1, \"rules\": [3' > $f; "
      "done");
  EXPECT_EQ(one.outcomes("apply"), "python/table held");
}

TEST(Locate, OnlyTrackedFilesOfTheLanguageAreSearched) {
  const World one({{"python/table.scm",
                    "((assignment left: (identifier) @n right: (dictionary) @d)\n (#eq? @n "
                    "\"TABLE\")\n (#ensure-entry! @d \"12\" \"1\"))\n"}},
                  {{"a.py", "TABLE = {}\n"}});
  one.clone();
  one.write("untracked.py", "TABLE = {}\n");
  one.write("b.txt", "TABLE = {}\n");
  EXPECT_EQ(one.outcomes("status"), "python/table pending");
}

TEST(Locate, APlainFolderIsSearchedWhole) {
  const World one({{"python/table.scm",
                    "((assignment left: (identifier) @n right: (dictionary) @d)\n (#eq? @n "
                    "\"TABLE\")\n (#ensure-entry! @d \"12\" \"1\"))\n"}},
                  {{"site-packages/x/a.py", "TABLE = {}\n"},
                   {"__pycache__/a.py", "TABLE = {}\n"},
                   {".git/a.py", "TABLE = {}\n"}});
  EXPECT_EQ(one.outcomes("apply"), "python/table edited");
  EXPECT_EQ(one.file("site-packages/x/a.py"), "TABLE = {12: 1}\n");
}

TEST(Locate, AFileOverTheLimitIsNamed) {
  const World one({{"python/table.scm",
                    "((assignment left: (identifier) @n right: (dictionary) @d)\n (#eq? @n "
                    "\"TABLE\")\n (#ensure-entry! @d \"12\" \"1\"))\n"}},
                  {{"a.py", "TABLE = {}\n"}});
  one.scratch().run("truncate -s 67108865 tree/large.py");
  EXPECT_EQ(one.said("status"), R"(tree      tree
upstream  not known: the tree is no git work tree

  pending    pack/python/table  a.py:1
not searched: large.py: limit-file-size: 67108865 bytes, and 67108864 bytes are the most; take it out of the tree, or split it

1 rule: 1 pending
next: portpatch apply pack
)");
}

TEST(Locate, ConditionalsInCppDoNotHideAPlace) {
  const World one(
      {{"cpp/list.scm",
        "((init_declarator declarator: (array_declarator declarator: (identifier) @n) value: "
        "(initializer_list) @l)\n (#eq? @n \"kArchs\")\n (#ensure-element! @l \"120\"))\n"}},
      {{"a.cu", "int kArchs[] = {\n    90,\n#ifdef A\n    100,\n#else\n    101,\n#endif\n};\n"},
       {"b.cu",
        "#ifdef A\nint other;\n#endif\nvoid f() {\n  if (a\n#ifdef B\n      && b\n#endif\n  ) "
        "{}\n}\n"}});
  EXPECT_EQ(one.outcomes("apply"), "cpp/list edited");
  EXPECT_EQ(one.file("a.cu"), R"(int kArchs[] = {
    90,
    120,
#ifdef A
    100,
#else
    101,
#endif
};
)");
}

}  // namespace
}  // namespace portpatch::test
