// Local edits that are commits, and the ways in which git can join them with upstream.
#include <gtest/gtest.h>

#include "tests/pull/pull_world.h"

namespace portpatch::test {
namespace {

constexpr const char* kAuthor =
    "GIT_AUTHOR_NAME='A. Porter' GIT_AUTHOR_EMAIL=porter@localhost GIT_AUTHOR_DATE='1700000000 "
    "+0200' ";

/// The port, committed: one commit for each table when `two`.
void commit_port(const PullWorld& world, bool two = false) {
  ASSERT_EQ(world.portpatch("apply pack").status, 0);
  if (two) world.in_tree("git add limits.py; "s + kAuthor + "git commit -q -m 'Port limits'");
  world.in_tree("git add -A; "s + kAuthor +
                "git commit -q -m \"$(printf 'Port to SM120\\n\\nMeasured.')\"");
}

std::string log(const PullWorld& world) {
  return world.in_tree(
      "git log --format='%an <%ae> %ad %s%n%b' --date=raw origin/main..HEAD; git status -s");
}

TEST(PullCommits, GitAloneConflicts) {
  const PullWorld world;
  commit_port(world);
  world.advance();
  EXPECT_EQ(
      world.in_tree("git pull -q --rebase >/dev/null 2>&1 || echo conflict; git rebase --abort"),
      "conflict\n");
}

TEST(PullCommits, AreMadeAgainWithAuthorDateAndMessage) {
  for (const auto* arguments :
       {"pull pack", "pull pack -- --rebase", "pull pack -- -r origin main"}) {
    SCOPED_TRACE(arguments);
    const PullWorld world;
    commit_port(world);
    world.advance();
    const auto begin = world.state();
    const auto ran = world.portpatch(arguments);
    EXPECT_EQ(ran.status, 0) << ran.error;
    EXPECT_TRUE(ran.out.contains("note: the local commit COMMIT (Port to SM120) was made again\n"))
        << ran.out;
    EXPECT_EQ(log(world),
              "A. Porter <porter@localhost> 1700000000 +0200 Port to SM120\nMeasured.\n\n");
    EXPECT_EQ(world.file("tables.py"), PullWorld::kPulledTables);
    EXPECT_EQ(world.file("limits.py"), PullWorld::kPulledLimits);
    EXPECT_EQ(world.in_tree("git rev-parse HEAD~"), world.run("git -C work rev-parse HEAD"));
    EXPECT_EQ(world.portpatch("undo").status, 0);
    EXPECT_EQ(world.state(), begin);
  }
}

TEST(PullCommits, SeveralAreMadeAgainEachWithItsRules) {
  const PullWorld world;
  commit_port(world, true);
  world.advance();
  EXPECT_EQ(world.portpatch("pull pack").status, 0);
  EXPECT_EQ(world.in_tree("git log --format=%s --name-only origin/main..HEAD; git status -s"),
            "Port to SM120\n\ntables.py\nPort limits\n\nlimits.py\n");
  EXPECT_EQ(world.file("tables.py"), PullWorld::kPulledTables);
}

TEST(PullCommits, ThatUpstreamHasBroughtAreLeftOut) {
  const PullWorld world;
  commit_port(world, true);
  world.push(
      "sed -i 's/    10: \\[2\\],/    10: [2],\\n    12: [6, 8],/' limits.py; sed -i 's/10: "
      "\\[4\\]/10: [4, 8]/' tables.py");
  const auto ran = world.portpatch("pull pack");
  EXPECT_EQ(ran.status, 0) << ran.error;
  EXPECT_TRUE(
      ran.out.contains("note: the local commit COMMIT (Port limits) is not needed any more: "
                       "upstream says it already\n"))
      << ran.out;
  EXPECT_TRUE(ran.out.contains("upstreamed pack/python/limits")) << ran.out;
  EXPECT_EQ(log(world),
            "A. Porter <porter@localhost> 1700000000 +0200 Port to SM120\nMeasured.\n\n");
}

TEST(PullCommits, ThatNeedAPersonAreNamedAndKeptByTheBackup) {
  const PullWorld world;
  commit_port(world, true);
  const auto old = world.in_tree("git rev-parse HEAD");
  world.push("printf 'OTHER = {}\\n' >limits.py");
  const auto ran = world.portpatch("pull pack");
  EXPECT_EQ(ran.status, 1) << ran.error;
  EXPECT_TRUE(
      ran.out.contains("note: the local commit COMMIT (Port limits) could not be made again: see "
                       "its rules above; it is kept: git show COMMIT\n"))
      << ran.out;
  EXPECT_EQ(
      world.in_tree(
          "git rev-parse $(git for-each-ref --format='%(refname)' refs/portpatch | tail -1)^1"),
      old);
  EXPECT_EQ(world.in_tree("git log --format=%s origin/main..HEAD"), "Port to SM120\n");
}

TEST(PullCommits, WithAnythingElseInThemAreGitsToRebase) {
  const PullWorld world;
  commit_port(world);
  world.in_tree("sed -i 's/line 20$/line twenty/' other.txt; git commit -q -a -m other");
  world.advance();
  const auto begin = world.state();
  const auto ran = world.portpatch("pull pack -- --rebase");
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(ran.error.contains("[pull-conflict]")) << ran.error;
  EXPECT_TRUE(ran.error.contains("note: conflict in limits.py\n  note: conflict in tables.py\n"))
      << ran.error;
  EXPECT_TRUE(ran.error.contains(
      "note: the pull was taken back: HEAD, branch, index and files are as they were before it\n"))
      << ran.error;
  EXPECT_EQ(world.state(), begin);
  EXPECT_TRUE(world.portpatch("pull pack -- --no-rebase").error.contains("[pull-conflict]"));
  EXPECT_EQ(world.state(), begin);
  const auto unsaid = world.portpatch("pull pack");
  EXPECT_EQ(unsaid.error, R"(error: `git pull` ended with status 128 [pull-failed]
  note: git: fatal: Need to specify how to reconcile divergent branches.
  note: the pull was taken back: HEAD, branch, index and files are as they were before it
  help: the branch has commits that upstream lacks, and not only edits of the rules: `portpatch pull PACK -- --rebase` or `-- --no-rebase` says how to join them
)");
  EXPECT_TRUE(world.portpatch("pull pack -- --ff-only").error.contains("[pull-failed]"));
  EXPECT_EQ(world.state(), begin);
}

TEST(PullCommits, OfAnotherKindAreRebasedOrMergedByGitUnderDirtyEdits) {
  for (const auto* how : {"--rebase", "--no-rebase"}) {
    SCOPED_TRACE(how);
    const PullWorld world;
    world.in_tree("sed -i 's/line 20$/line twenty/' other.txt; git commit -q -a -m other");
    ASSERT_EQ(world.portpatch("apply pack").status, 0);
    world.advance();
    const auto begin = world.state();
    const auto ran = world.portpatch("pull pack -- "s + how);
    EXPECT_EQ(ran.status, 0) << ran.error;
    EXPECT_EQ(world.file("tables.py"), PullWorld::kPulledTables);
    EXPECT_EQ(world.in_tree("grep -E 'nine|twenty' other.txt; git status -s; git rev-list --count "
                            "--merges origin/main..HEAD"),
              "line nine\nline twenty\n M limits.py\n M tables.py\n"s +
                  (how == "--rebase"s ? "0\n" : "1\n"));
    EXPECT_EQ(world.portpatch("undo").status, 0);
    EXPECT_EQ(world.state(), begin);
  }
}

TEST(PullCommits, AreNotRewrittenWhereTheSettingsSayMerge) {
  const PullWorld world;
  commit_port(world);
  world.in_tree("git config pull.rebase false");
  world.advance();
  const auto begin = world.state();
  EXPECT_TRUE(world.portpatch("pull pack").error.contains("[pull-conflict]"));
  EXPECT_EQ(world.state(), begin);
}

TEST(PullCommits, AndDirtyEditsTogether) {
  const PullWorld world;
  ASSERT_EQ(world.portpatch("apply pack").status, 0);
  world.in_tree(
      "git add limits.py; git commit -q -m 'Port limits'; echo mine >note.txt; git add note.txt");
  world.advance();
  const auto ran = world.portpatch("pull pack");
  EXPECT_EQ(ran.status, 0) << ran.error;
  EXPECT_EQ(world.in_tree("git log --format=%s --name-only origin/main..HEAD; git status -s"),
            "Port limits\n\nlimits.py\nA  note.txt\n M tables.py\n");
  EXPECT_EQ(world.file("tables.py"), PullWorld::kPulledTables);
  EXPECT_EQ(world.file("limits.py"), PullWorld::kPulledLimits);
}

}  // namespace
}  // namespace portpatch::test
