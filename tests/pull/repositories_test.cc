// Repositories as they are: linked work trees, shallow and partial clones, sparse trees,
// submodules, other line ends.
#include <gtest/gtest.h>

#include "tests/pull/pull_world.h"

namespace portpatch::test {
namespace {

TEST(PullRepositories, LinkedWorkTree) {
  const PullWorld world;
  world.in_tree("git worktree add -q ../linked -b linked --track origin/main 2>&1");
  ASSERT_EQ(portpatch(world.scratch(), "-C linked apply pack").status, 0);
  const auto main_tree = world.state();
  world.advance();
  const auto ran = portpatch(world.scratch(), "-C linked pull pack");
  EXPECT_EQ(ran.status, 0) << ran.error;
  EXPECT_EQ(world.scratch().read("linked/tables.py"), PullWorld::kPulledTables);
  EXPECT_EQ(world.run("git -C linked status -sb"),
            "## linked...origin/main\n M limits.py\n M tables.py\n");
  EXPECT_EQ(world.state(), main_tree);
  EXPECT_EQ(portpatch(world.scratch(), "-C linked undo").status, 0);
  EXPECT_EQ(world.run("git -C linked status -sb"),
            "## linked...origin/main [behind 1]\n M limits.py\n M tables.py\n");
}

TEST(PullRepositories, ShallowClone) {
  const PullWorld world;
  world.push("echo more >>other.txt");
  world.run("rm -rf tree; git clone -q --depth 1 file://$PWD/up.git tree");
  ASSERT_EQ(world.portpatch("apply pack").status, 0);
  const auto begin = world.state();
  world.advance();
  const auto ran = world.portpatch("pull pack");
  EXPECT_EQ(ran.status, 0) << ran.error;
  EXPECT_EQ(world.file("tables.py"), PullWorld::kPulledTables);
  EXPECT_EQ(world.portpatch("undo").status, 0);
  EXPECT_EQ(world.state(), begin);
  world.in_tree("git commit -q -a -m port");
  // Cut off at its tip, upstream has no history in common with the local commit.
  const auto committed = world.state();
  EXPECT_EQ(world.portpatch("pull pack -- --depth 1").status, 2);
  EXPECT_EQ(world.state(), committed);
  world.in_tree("git fetch -q --unshallow");
  EXPECT_EQ(world.portpatch("pull pack").status, 0);
  EXPECT_EQ(world.file("limits.py"), PullWorld::kPulledLimits);
}

TEST(PullRepositories, PartialClone) {
  const PullWorld world;
  world.run(
      "git -C up.git config uploadpack.allowFilter true; rm -rf tree; git clone -q "
      "--filter=blob:none file://$PWD/up.git tree");
  ASSERT_EQ(world.portpatch("apply pack").status, 0);
  world.in_tree("sed -i 's/line 19$/line nineteen/' other.txt");
  const auto begin = world.state();
  world.advance();
  EXPECT_EQ(world.portpatch("pull pack").status, 2);
  EXPECT_EQ(world.state(), begin);
  const auto ran = world.portpatch("pull --keep pack");
  EXPECT_EQ(ran.status, 0) << ran.error;
  EXPECT_EQ(world.file("tables.py"), PullWorld::kPulledTables);
  EXPECT_EQ(world.in_tree("grep nine other.txt"), "line nine\nline nineteen\n");
  EXPECT_EQ(world.portpatch("undo").status, 0);
  EXPECT_EQ(world.state(), begin);
}

TEST(PullRepositories, SparseTree) {
  const PullWorld world;
  world.push(
      "mkdir -p far/away; cp other.txt far/away/; cp tables.py far/away/tables.py; mkdir near; mv "
      "limits.py near/");
  world.in_tree("git pull -q; git sparse-checkout set near");
  EXPECT_FALSE(fs::exists(world.scratch().path("tree/far")));
  ASSERT_EQ(world.portpatch("apply pack").status, 0);
  const auto begin = world.state();
  world.push(
      "sed -i 's/10: \\[4\\]/10: [4, 8]/' tables.py; sed -i s/away/gone/ far/away/other.txt; echo "
      "new >far/new.txt; echo new >near/new.txt");
  const auto ran = world.portpatch("pull pack");
  EXPECT_EQ(ran.status, 0) << ran.error << ran.out;
  EXPECT_EQ(world.file("tables.py"), PullWorld::kPulledTables);
  EXPECT_FALSE(fs::exists(world.scratch().path("tree/far")));
  EXPECT_EQ(world.file("near/new.txt"), "new\n");
  EXPECT_EQ(world.portpatch("undo").status, 0);
  EXPECT_EQ(world.state(), begin);
}

TEST(PullRepositories, SubmoduleIsLeftAsItIs) {
  const PullWorld world;
  world.run(
      "git init -q -b main part; cd part; echo 1 >a; git add a; git commit -q -m one; echo 2 >a; "
      "git commit -q -a -m two");
  const std::string allow = "git -c protocol.file.allow=always ";
  world.push(allow + "submodule add -q ../part part 2>&1; git -C part checkout -q HEAD~");
  world.in_tree("git pull -q; " + allow + "submodule update -q --init 2>&1");
  ASSERT_EQ(world.portpatch("apply pack").status, 0);
  world.advance();
  world.in_tree("echo dirty >>part/a");
  EXPECT_EQ(world.portpatch("pull pack").status, 0);
  EXPECT_EQ(world.in_tree("git status -s; cat part/a"),
            " M limits.py\n m part\n M tables.py\n1\ndirty\n");
  world.push("git -C part checkout -q main; git add part", "move part");
  const auto before = world.state();
  const auto ran = world.portpatch("pull pack");
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(ran.error.contains("[submodule-changed]")) << ran.error;
  EXPECT_EQ(world.state(), before);
  world.in_tree("git -C part checkout -q a");
  const auto moved = world.portpatch(
      "pull pack", "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=submodule.recurse GIT_CONFIG_VALUE_0=true");
  EXPECT_EQ(moved.status, 0) << moved.error;
  EXPECT_TRUE(moved.out.contains(
      "note: the submodule part was moved by upstream; to check it out: git submodule update\n"))
      << moved.out;
  EXPECT_EQ(world.in_tree("cat part/a"), "1\n");
}

TEST(PullRepositories, LineEndsOfTheWorkTree) {
  const PullWorld world;
  world.run("rm -rf tree; git clone -q -c core.autocrlf=true up.git tree 2>&1");
  ASSERT_EQ(world.portpatch("apply pack").status, 0);
  world.in_tree("sed -i 's/line 19/line nineteen/' other.txt");
  world.advance();
  const auto begin = world.state();
  const auto ran = world.portpatch("pull --keep pack");
  EXPECT_EQ(ran.status, 0) << ran.error;
  EXPECT_EQ(world.file("tables.py"),
            "TABLES = {\r\n    9: [4],\r\n    10: [4, 8],\r\n    12: [6, 8],\r\n}\r\n");
  EXPECT_EQ(world.in_tree("grep nine other.txt"), "line nine\r\nline nineteen\r\n");
  EXPECT_TRUE(ran.out.contains("kept      other.txt (")) << ran.out;
  EXPECT_FALSE(ran.out.contains("kept      tables.py")) << ran.out;
  EXPECT_EQ(world.portpatch("undo").status, 0);
  EXPECT_EQ(world.state(), begin);
}

TEST(PullRepositories, FilesThatGitIsToldNotToLookAt) {
  const PullWorld world;
  world.in_tree(
      "git update-index --assume-unchanged removed.txt other.txt; echo mine >>removed.txt");
  ASSERT_EQ(world.portpatch("apply pack").status, 0);
  world.push("sed -i 's/10: \\[4\\]/10: [4, 8]/' tables.py");
  EXPECT_EQ(world.portpatch("pull pack").status, 0);
  EXPECT_EQ(world.file("removed.txt"), "removed\nmine\n");
  world.push("echo theirs >removed.txt");
  const auto before = world.state();
  EXPECT_EQ(world.portpatch("pull pack").status, 2);
  EXPECT_EQ(world.state(), before);
}

TEST(PullRepositories, OddNames) {
  const PullWorld world;
  world.push(
      "printf 'a\\n' >'a b.txt'; printf 'a\\n' >$'tab\\t\\xff.txt'; printf 'a\\n' >'[x]*.txt'; "
      "printf 'a\\n' >:x.txt");
  world.in_tree(
      "git pull -q; for f in 'a b.txt' $(printf 'tab\\t\\377.txt') '[x]*.txt' :x.txt; do :; done; "
      "printf 'mine\\n' | tee -a 'a b.txt' '[x]*.txt' :x.txt >/dev/null; "
      "git --literal-pathspecs add ':x.txt' '[x]*.txt'; printf 'new\\n' >$'new\\nline.txt' "
      "2>/dev/null || true");
  ASSERT_EQ(world.portpatch("apply pack").status, 0);
  const auto status = world.in_tree("git status -s");
  world.advance();
  const auto begin = world.state();
  const auto ran = world.portpatch("pull pack");
  EXPECT_EQ(ran.status, 0) << ran.error;
  EXPECT_EQ(world.in_tree("git status -s"), status);
  EXPECT_EQ(world.portpatch("undo").status, 0);
  EXPECT_EQ(world.state(), begin);
}

}  // namespace
}  // namespace portpatch::test
