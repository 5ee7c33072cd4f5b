// Revisions are read from git's objects: `status --rev`, `explain --rev`.
#include <gtest/gtest.h>

#include "base/text.h"
#include "tests/cli/program.h"

namespace portpatch::test {
namespace {

const std::string kRule =
    "; Measured.\n((assignment left: (identifier) @n right: (dictionary) @d)\n (#eq? @n "
    "\"TABLE\")\n (#ensure-entry! @d \"12\" \"1\"))\n";

/// Upstream at `base` has not the entry, at `theirs` it has; `tree` is a clone of the first.
class CloneWorld : public World {
 public:
  CloneWorld() : World({{"python/table.scm", kRule}}, {{"a.py", "TABLE = {9: 1}\n"}}, true) {
    scratch().run(
        "git -C up tag base; echo 'TABLE = {9: 1, 12: 1}' >up/a.py; git -C up commit -q -a -m "
        "theirs; git -C tree fetch -q; git clone -q --bare up bare");
  }
};

std::string outcome(const World& world, const std::string& arguments) {
  const auto ran = portpatch(world.scratch(), arguments);
  if (ran.status == 2) return ran.error;
  for (const auto line : split_lines(ran.out)) {
    if (line.contains("pack/python/table")) return std::string(trim(line));
  }
  return ran.out;
}

TEST(Revision, IsReadInsteadOfTheFiles) {
  const CloneWorld world;
  world.write("a.py", "OTHER = {}\n");
  EXPECT_EQ(portpatch(world.scratch(), "-C tree status --rev HEAD pack").out, R"(tree      tree
revision  COMMIT (HEAD)

  pending    pack/python/table  a.py:1

1 rule: 1 pending
next: portpatch pull pack
)");
  EXPECT_TRUE(outcome(world, "-C tree status pack").starts_with("lost"))
      << "the files are read without --rev";
  EXPECT_EQ(world.file("a.py"), "OTHER = {}\n");
  EXPECT_FALSE(fs::exists(world.scratch().path("tree/.git/portpatch"))) << "nothing is written";
}

TEST(Revision, AheadOfAPullShowsWhatUpstreamHas) {
  const CloneWorld world;
  EXPECT_EQ(outcome(world, "-C tree status --rev origin/main pack"),
            "upstreamed pack/python/table  a.py:1");
  EXPECT_EQ(outcome(world, "-C tree status --rev HEAD pack"),
            "pending    pack/python/table  a.py:1");
  const auto ran = portpatch(world.scratch(),
                             "-C tree --format json status --rev origin/main pack");
  EXPECT_EQ(ran.status, 0);
  EXPECT_TRUE(ran.out.contains(
      "\"revision\": {\n    \"name\": \"origin/main\",\n    \"commit\": \"COMMIT\"\n  }"))
      << ran.out;
}

TEST(Revision, OfALocalPortIsOurs) {
  const CloneWorld world;
  EXPECT_EQ(portpatch(world.scratch(), "-C tree apply pack").status, 0);
  world.scratch().run("git -C tree commit -q -a -m port");
  EXPECT_EQ(outcome(world, "-C tree status --rev HEAD pack"),
            "held       pack/python/table  a.py:1");
  EXPECT_EQ(outcome(world, "-C tree status --rev HEAD~ pack"),
            "pending    pack/python/table  a.py:1");
}

TEST(Revision, IsNotAnsweredFromMemory) {
  const CloneWorld world;
  for (int i = 0; i < 2; ++i) EXPECT_EQ(portpatch(world.scratch(), "-C tree apply pack").status, 0);
  EXPECT_EQ(outcome(world, "-C tree status pack"), "held       pack/python/table  a.py:1");
  EXPECT_EQ(outcome(world, "-C tree status --rev HEAD pack"),
            "pending    pack/python/table  a.py:1");
  EXPECT_EQ(outcome(world, "-C tree status pack"), "held       pack/python/table  a.py:1");
}

TEST(Revision, OfABareRepositoryIsReadToo) {
  const CloneWorld world;
  EXPECT_EQ(outcome(world, "-C bare status --rev base pack"),
            "pending    pack/python/table  a.py:1");
  // It has no upstream ref that could tell whose the entry is.
  EXPECT_EQ(outcome(world, "-C bare status --rev main pack"),
            "held       pack/python/table  a.py:1");
  EXPECT_EQ(outcome(world, "-C bare status pack"),
            R"(error: bare is a git dir without files [bare-repository]
  help: name a work tree (`git worktree add` makes one), or read a revision with --rev
)");
  EXPECT_TRUE(portpatch(world.scratch(), "-C bare explain --rev base pack/python/table")
                  .out.contains("outcome   pending"));
}

TEST(Revision, ThatIsUnknownOrCannotBeIsRefused) {
  const CloneWorld world;
  EXPECT_EQ(outcome(world, "-C tree status --rev v9 pack"),
            R"(error: `v9` names no commit of this repository [unknown-revision]
  help: see `git log --oneline --all`; a commit of a remote is there after `git fetch`
)");
  world.scratch().write("plain/a.py", "TABLE = {}\n");
  EXPECT_EQ(outcome(world, "-C plain status --rev HEAD pack"),
            R"(error: plain is in no git repository, so it has no revisions [no-repository]
  help: name a repository with -C, or leave the revision out
)");
  EXPECT_EQ(portpatch(world.scratch(), "-C tree apply --rev HEAD pack").status, 2)
      << "only commands that read take it";
}

}  // namespace
}  // namespace portpatch::test
