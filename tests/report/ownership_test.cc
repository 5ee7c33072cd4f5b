// Whose an edit is: ours (held) or upstream's (upstreamed), from the merge base with the upstream.
#include <gtest/gtest.h>

#include "tests/report/world.h"

namespace portpatch::test {
namespace {

const PackText kPack{{"python/table.scm",
                      "((assignment left: (identifier) @n right: (dictionary) @d)\n (#eq? @n "
                      "\"TABLE\")\n (#ensure-entry! @d \"12\" \"1\"))\n"}};

World clone_of(const std::string& text) { return World(kPack, {{"a.py", text}}, true); }

TEST(Ownership, AnUncommittedEditIsOurs) {
  const auto world = clone_of("TABLE = {9: 1}\n");
  EXPECT_EQ(world.outcomes("apply"), "python/table edited");
  EXPECT_EQ(world.said("status"), R"(tree      tree
upstream  COMMIT (refs/remotes/origin/main)

  held       pack/python/table  a.py:1

1 rule: 1 held
)");
}

TEST(Ownership, ACommittedPortIsOursToo) {
  const auto world = clone_of("TABLE = {9: 1}\n");
  EXPECT_EQ(world.outcomes("apply"), "python/table edited");
  world.scratch().run("git -C tree commit -qam port");
  EXPECT_EQ(world.outcomes("status"), "python/table held");
}

TEST(Ownership, WhatTheMergeBaseSaysIsUpstreams) {
  const auto world = clone_of("TABLE = {9: 1, 12: 1}\n");
  EXPECT_EQ(world.said("status"), R"(tree      tree
upstream  COMMIT (refs/remotes/origin/main)

  upstreamed pack/python/table  a.py:1
note: pack/python/table is upstream's; take it out with: portpatch retire pack/python/table

1 rule: 1 upstreamed
)");
}

TEST(Ownership, WhatUpstreamSaysOnlyAfterThePullIsNotYetUpstreams) {
  const auto world = clone_of("TABLE = {9: 1}\n");
  EXPECT_EQ(world.outcomes("apply"), "python/table edited");
  world.scratch().run(
      "cd up; echo 'TABLE = {9: 1, 12: 1}' > a.py; git commit -qam theirs; cd ../tree; git fetch "
      "-q");
  EXPECT_EQ(world.outcomes("status"), "python/table held");
  world.scratch().run("cd tree; git checkout -q a.py; git pull -q");
  EXPECT_EQ(world.outcomes("status"), "python/table upstreamed");
}

TEST(Ownership, UnapplyLeavesWhatUpstreamHasTakenOver) {
  const auto world = clone_of("TABLE = {9: 1, 12: 1}\n");
  EXPECT_EQ(world.said("unapply"), R"(tree      tree
upstream  COMMIT (refs/remotes/origin/main)

  upstreamed pack/python/table  a.py:1
note: pack/python/table is upstream's; take it out with: portpatch retire pack/python/table

1 rule: 1 upstreamed
)");
  EXPECT_EQ(world.file("a.py"), "TABLE = {9: 1, 12: 1}\n");
}

TEST(Ownership, WithoutAnUpstreamItIsSaidThatItIsNotKnown) {
  const World world(kPack, {{"a.py", "TABLE = {9: 1, 12: 1}\n"}});
  world.scratch().run("cd tree; git init -q -b main; git add -A; git commit -q -m base");
  EXPECT_EQ(world.said("status"), R"(tree      tree
upstream  not known: there is no upstream ref

  held       pack/python/table  a.py:1

1 rule: 1 held
)");
}

TEST(Ownership, AnUpstreamThatPackTomlNamesMustExist) {
  auto pack = kPack;
  pack["pack.toml"] = "format = 1\nupstream = \"origin/nowhere\"\n";
  const World world(pack, {{"a.py", "TABLE = {9: 1, 12: 1}\n"}});
  world.clone();
  EXPECT_EQ(
      world.said("status"),
      R"(error: this repository has no ref origin/nowhere, which the pack names as its upstream [no-upstream-ref]
  help: fetch it, or name another `upstream` in pack.toml
)");
}

TEST(Ownership, AConflictWithUpstreamThatIsKeptIsNotCalledUpstreamed) {
  auto pack = kPack;
  pack["pack.toml"] = "format = 1\n[defaults]\non-conflict = \"keep-upstream\"\n";
  const World world(pack, {{"a.py", "TABLE = {12: 2}\n"}});
  world.clone();
  EXPECT_EQ(world.said("status"), R"(tree      tree

  held       pack/python/table  a.py:1 (upstream kept)

1 rule: 1 held
)");
}

}  // namespace
}  // namespace portpatch::test
