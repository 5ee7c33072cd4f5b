// Pulls that are killed, interrupted from the keyboard, or fail late; tests/faults kills at
// each step.
#include <gtest/gtest.h>

#include "tests/pull/pull_world.h"

namespace portpatch::test {
namespace {

/// Pulls in the background with a hook of git's that writes `reached` and waits; returns once it is
/// there.
void begin_slow_pull(const PullWorld& world, const std::string& seconds = "60") {
  world.scratch().write("tree/.git/hooks/post-merge",
                        "#!/bin/sh\ntouch ../reached\nexec sleep " + seconds + "\n", 0755);
  world.run("rm -f reached; setsid " PORTPATCH_PROGRAM
            " -C tree pull pack >pull.out 2>&1 & echo $! >pid; while [ ! -e reached ]; do sleep "
            "0.02; done");
}

TEST(PullInterrupted, ByAKillWhileGitIsAtWork) {
  const PullWorld world;
  ASSERT_EQ(world.portpatch("apply pack").status, 0);
  world.in_tree("echo mine >>other.txt; git add other.txt");
  world.push("sed -i 's/10: \\[4\\]/10: [4, 8]/' tables.py; echo new >new.txt");
  const auto begin = world.state();
  begin_slow_pull(world);
  EXPECT_EQ(world.portpatch("apply pack").error, "error: another portpatch (process " +
                                                     world.run("tr -d '\\n' <pid") +
                                                     ") is writing to tree [locked]\n  help: wait "
                                                     "until it has ended; the lock ends with it\n");
  EXPECT_TRUE(world.portpatch("undo").error.contains("[locked]"));
  EXPECT_FALSE(world.portpatch("status pack").out.contains("interrupted"));
  // A busy machine takes a moment to end it.
  world.run(
      "kill -9 $(cat pid); for i in $(seq 250); do kill -0 $(cat pid) 2>/dev/null || break; sleep "
      "0.02; done");
  EXPECT_TRUE(world.portpatch("status pack")
                  .out.contains("note: run RUN (pull pack) was interrupted; the next command that "
                                "writes puts HEAD, index and files back as they were before it"))
      << world.portpatch("status pack").out;
  const auto running = world.portpatch("undo");
  EXPECT_EQ(running.status, 2);
  EXPECT_TRUE(running.error.contains("[git-running]")) << running.error;
  world.run("pkill -9 -s $(cat pid) || true; sleep 0.1");
  const auto undone = world.portpatch("undo");
  EXPECT_EQ(
      undone.error,
      R"(error: the interrupted run RUN (pull pack) was rolled back: HEAD, index and files are as before it [interrupted-run]
  help: run `portpatch undo` again to undo the run before it
)");
  EXPECT_EQ(world.state(), begin);
  EXPECT_FALSE(world.portpatch("status pack").out.contains("interrupted"));
}

TEST(PullInterrupted, FromTheKeyboardIsTakenBackAtOnce) {
  const PullWorld world;
  ASSERT_EQ(world.portpatch("apply pack").status, 0);
  world.advance();
  const auto begin = world.state();
  world.scratch().write("tree/.git/hooks/post-merge", "#!/bin/sh\nkill -INT 0\nsleep 60\n", 0755);
  // A shell ignores SIGINT for what it runs in the background, and so would everything below.
  world.run("setsid -w env --default-signal=INT " PORTPATCH_PROGRAM
            " -C tree pull pack >pull.out 2>&1 || echo $? >>pull.out");
  const auto said = world.scratch().read("pull.out");
  EXPECT_TRUE(said.contains("the pull was taken back") && said.ends_with("\n2\n")) << said;
  world.in_tree("rm .git/hooks/post-merge");
  EXPECT_EQ(world.state(), begin);
}

TEST(PullInterrupted, IsNotRolledBackOverACommitMadeSinceUnlessForced) {
  const PullWorld world;
  ASSERT_EQ(world.portpatch("apply pack").status, 0);
  world.advance();
  const auto begin = world.state();
  begin_slow_pull(world);
  world.run(
      "kill -9 $(cat pid); pkill -9 -s $(cat pid) || true; sleep 0.1; rm "
      "tree/.git/hooks/post-merge");
  world.in_tree("echo work >>other.txt; git commit -q -a -m work; echo more >>other.txt");
  const auto later = world.state();
  const auto ran = world.portpatch("apply pack");
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(
      ran.error,
      R"(error: run RUN (pull pack) was interrupted, and since then the commit COMMIT was made [interrupted-run-conflict]
  help: `portpatch undo --force` puts HEAD, index and files back as they were before that run, and keeps the commit under a ref
)");
  EXPECT_EQ(world.portpatch("undo").error, ran.error);
  EXPECT_EQ(world.state(), later);
  const auto forced = world.portpatch("undo --force");
  EXPECT_TRUE(forced.error.contains(
      "; HEAD was COMMIT, which is kept as refs/portpatch/rescued/RUN; other.txt had been changed "
      "meanwhile; that version is now tree/.git/portpatch/rescued/RUN/other.txt ["))
      << forced.error;
  EXPECT_EQ(world.state(), begin);
  EXPECT_EQ(
      world.in_tree(
          "git show $(git for-each-ref --format='%(refname)' refs/portpatch/rescued):other.txt | "
          "tail -1; tail -n 2 .git/portpatch/rescued/*/other.txt"),
      "work\nwork\nmore\n");
}

TEST(PullInterrupted, WorkThatCameInMeanwhileIsCopiedBeforeItIsTakenBack) {
  const PullWorld world;
  world.in_tree("sed -i 's/10: \\[4\\]/10: [9]/' tables.py; git commit -q -a -m mine");
  world.advance();
  const auto begin = world.state();
  world.scratch().write("tree/.git/hooks/pre-rebase", "#!/bin/sh\necho meanwhile >>other.txt\n",
                        0755);
  const auto ran = world.portpatch("pull pack -- --rebase");
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(
      ran.error.contains("note: other.txt had been changed meanwhile; that version is now "
                         "tree/.git/portpatch/rescued/RUN/other.txt\n"))
      << ran.error;
  EXPECT_EQ(world.state(), begin);
  EXPECT_EQ(world.in_tree("tail -n 1 .git/portpatch/rescued/*/other.txt"), "meanwhile\n");
}

TEST(PullInterrupted, AFailureAfterThePullTakesItBack) {
  const PullWorld world;
  world.push("cp -r ../pack port");
  world.in_tree("git pull -q");
  ASSERT_EQ(world.portpatch("apply tree/port").status, 0);
  world.push("echo '(' >port/python/limits.scm; sed -i 's/10: \\[4\\]/10: [4, 8]/' tables.py");
  const auto begin = world.state();
  const auto ran = world.portpatch("pull tree/port");
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(ran.error.contains(
      "note: the pull was taken back: HEAD, branch, index and files are as they were before it\n"))
      << ran.error;
  EXPECT_EQ(world.state(), begin);
}

TEST(PullInterrupted, ARunThatWasInterruptedBeforeIsEndedFirst) {
  const PullWorld world;
  ASSERT_EQ(world.portpatch("apply pack").status, 0);
  world.advance();
  begin_slow_pull(world);
  world.run(
      "kill -9 $(cat pid); pkill -9 -s $(cat pid) || true; sleep 0.1; rm "
      "tree/.git/hooks/post-merge");
  const auto ran = world.portpatch("pull pack");
  EXPECT_EQ(ran.status, 0) << ran.error;
  EXPECT_TRUE(
      ran.out.contains("note: the interrupted run RUN (pull pack) was rolled back: HEAD, index and "
                       "files are as before it\n"))
      << ran.out;
  EXPECT_EQ(world.file("tables.py"), PullWorld::kPulledTables);
}

}  // namespace
}  // namespace portpatch::test
