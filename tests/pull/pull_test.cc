#include <gtest/gtest.h>

#include "tests/pull/pull_world.h"

namespace portpatch::test {
namespace {

/// A refused or failed pull: exit status 2, the code named, and everything as it was.
void expect_refused(const PullWorld& world, const std::string& arguments, const std::string& code,
                    const std::string& environment = "") {
  const auto before = world.state();
  const auto ran = world.portpatch(arguments, environment);
  EXPECT_EQ(ran.status, 2) << ran.out << ran.error;
  EXPECT_TRUE(ran.error.contains("[" + code + "]")) << ran.error;
  EXPECT_EQ(world.state(), before) << ran.error;
}

TEST(Pull, TakesTheEditsOutPullsAndMakesThemAgain) {
  const PullWorld world;
  ASSERT_EQ(world.portpatch("apply pack").status, 0);
  world.advance();
  const auto ran = world.portpatch("pull pack");
  EXPECT_EQ(ran.error, "");
  EXPECT_EQ(ran.out, R"(tree      tree
pulled    COMMIT..COMMIT (1 commit)

  edited     pack/python/limits  limits.py:1
  edited     pack/python/tables  tables.py:1

2 rules: 2 edited
backup RUN; take it back with: portpatch undo
)");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(world.file("tables.py"), PullWorld::kPulledTables);
  EXPECT_EQ(world.file("limits.py"), PullWorld::kPulledLimits);
  EXPECT_EQ(world.file("sub/new.txt"), "new\n");
  EXPECT_EQ(world.in_tree("git status -sb"), "## main...origin/main\n M limits.py\n M tables.py\n");
  EXPECT_EQ(world.in_tree("git rev-parse HEAD"), world.run("git -C work rev-parse HEAD"));
}

TEST(Pull, SaysWhenThereIsNothingNew) {
  const PullWorld world;
  const auto ran = world.portpatch("pull pack");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.out, R"(tree      tree
pulled    nothing new: COMMIT has COMMIT

  edited     pack/python/limits  limits.py:1
  edited     pack/python/tables  tables.py:1

2 rules: 2 edited
backup RUN; take it back with: portpatch undo
)");
  EXPECT_TRUE(world.file("tables.py").contains("12: [6, 8]"));
}

TEST(Pull, SaysWhatUpstreamHasTakenOver) {
  const PullWorld world;
  ASSERT_EQ(world.portpatch("apply pack").status, 0);
  world.push("sed -i 's/    10: \\[4\\],/    10: [4],\\n    12: [6, 8],/' tables.py");
  const auto ran = world.portpatch("pull pack");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.out, R"(tree      tree
pulled    COMMIT..COMMIT (1 commit)
upstream  COMMIT (refs/remotes/origin/main)

  edited     pack/python/limits  limits.py:1
  upstreamed pack/python/tables  tables.py:4
note: pack/python/tables is upstream's; take it out with: portpatch retire pack/python/tables

2 rules: 1 upstreamed, 1 edited
backup RUN; take it back with: portpatch undo
)") << ran.error;
  EXPECT_EQ(world.in_tree("git status -s"), " M limits.py\n");
}

TEST(Pull, IsUndoneWithHeadIndexAndFiles) {
  const PullWorld world;
  ASSERT_EQ(world.portpatch("apply pack").status, 0);
  world.in_tree("git add tables.py; echo mine >>other.txt; sed -i 's/line 9$/line 9!/' other.txt");
  world.advance();
  const auto before = world.state();
  const auto refused = world.portpatch("pull pack");
  EXPECT_EQ(refused.status, 2);
  world.in_tree(
      "git checkout -q other.txt; sed -i 's/line 20$/line twenty/' other.txt; rm limits.py");
  const auto start = world.state();
  EXPECT_EQ(world.portpatch("pull pack").status, 2) << "the removed file is changed by the pull";
  EXPECT_EQ(world.state(), start);
  world.in_tree("git checkout -q limits.py");
  const auto begin = world.state();
  ASSERT_EQ(world.portpatch("pull --keep pack").status, 0);
  const auto end = world.state();
  EXPECT_NE(end, begin);
  const auto undone = world.portpatch("undo");
  EXPECT_EQ(undone.status, 0) << undone.error;
  EXPECT_EQ(undone.out, R"(note: refs/heads/main is COMMIT again, with the index as it was
  restored  limits.py
  restored  other.txt
  restored  tables.py

undo RUN: 3 files restored; take it back with: portpatch undo
)");
  EXPECT_EQ(world.state(), begin);
  EXPECT_EQ(world.portpatch("undo").status, 0);
  EXPECT_EQ(world.state(), end);
  EXPECT_EQ(world.portpatch("undo").status, 0);
  EXPECT_EQ(world.state(), begin);
  EXPECT_NE(before, begin);
}

TEST(Pull, IsNotUndoneOverLaterWorkUnlessForced) {
  const PullWorld world;
  ASSERT_EQ(world.portpatch("apply pack").status, 0);
  world.advance();
  const auto begin = world.state();
  ASSERT_EQ(world.portpatch("pull pack").status, 0);
  world.write("other.txt", "later\n");
  const auto later = world.state();
  const auto ran = world.portpatch("undo");
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.error, R"(error: the tree has been changed since run RUN (pull pack) [later-work]
  note: changed since: other.txt
  help: `portpatch undo --force` puts it back as it was before that run, and can itself be undone
)");
  EXPECT_EQ(world.state(), later);
  EXPECT_EQ(world.portpatch("undo --force").status, 0);
  EXPECT_EQ(world.state(), begin);
  EXPECT_EQ(world.portpatch("undo").status, 0);
  EXPECT_EQ(world.state(), later);
  world.in_tree("git checkout -q other.txt; git commit -q -a -m mine");
  EXPECT_TRUE(world.portpatch("undo").error.contains("later-work"));
  world.in_tree("git switch -q -c elsewhere");
  EXPECT_TRUE(world.portpatch("undo --force").error.contains("[later-work]"));
}

TEST(Pull, IsRefusedWhereItCannotBeginAndTouchesNothing) {
  const PullWorld world;
  ASSERT_EQ(world.portpatch("apply pack").status, 0);
  world.advance();
  EXPECT_TRUE(
      test::portpatch(world.scratch(), "-C pack pull pack").error.contains("[no-repository]"));
  EXPECT_TRUE(
      test::portpatch(world.scratch(), "-C up.git pull pack").error.contains("[bare-repository]"));
  world.run("git init -q empty; git init -q --object-format=sha256 other");
  EXPECT_TRUE(test::portpatch(world.scratch(), "-C empty pull pack").error.contains("[no-commit]"));
  EXPECT_TRUE(
      test::portpatch(world.scratch(), "-C other pull pack").error.contains("[sha256-repository]"));
  expect_refused(world, "pull nowhere", "no-pack");
  expect_refused(world, "pull pack -- --autostash", "pull-argument");
  expect_refused(world, "pull pack -- --squash", "pull-argument");
  expect_refused(world, "pull pack -- --rebase=interactive", "pull-argument");
  expect_refused(world, "pull pack -- --recurse-submodules", "pull-argument");
  expect_refused(world, "pull pack -- origin main:main", "pull-argument");
  expect_refused(world, "pull pack -- nowhere main", "fetch-failed");
  expect_refused(world, "pull pack -- origin nowhere", "fetch-failed");
  world.in_tree("git config branch.main.merge refs/heads/gone");
  expect_refused(world, "pull pack", "nothing-to-pull");
  world.in_tree("git config --unset branch.main.merge");
  expect_refused(world, "pull pack", "nothing-to-pull");
  EXPECT_EQ(world.portpatch("pull pack -- origin main").status, 0);
}

TEST(Pull, IsRefusedOnADetachedHeadUnlessABranchIsNamed) {
  const PullWorld world;
  ASSERT_EQ(world.portpatch("apply pack").status, 0);
  world.advance();
  world.in_tree("git checkout -q --detach");
  expect_refused(world, "pull pack", "detached-head");
  const auto begin = world.state();
  const auto ran = world.portpatch("pull pack -- --ff-only origin main");
  EXPECT_EQ(ran.status, 0) << ran.error;
  EXPECT_EQ(world.file("tables.py"), PullWorld::kPulledTables);
  EXPECT_EQ(world.in_tree("git rev-parse HEAD"), world.run("git -C work rev-parse HEAD"));
  EXPECT_EQ(world.portpatch("undo").status, 0);
  EXPECT_EQ(world.state(), begin);
}

TEST(Pull, IsRefusedWhileGitHasSomethingUnderWay) {
  for (const auto& [begin, what] : std::vector<std::pair<std::string, std::string>>{
           {"git bisect start -q 2>&1", "bisect"},
           {"git checkout -q -b side; sed -i 's/9: .*/9: [7],/' tables.py; git commit -qam side; "
            "git checkout -q main; sed -i 's/9: .*/9: [8],/' tables.py; git commit -qam mine; git "
            "merge side >/dev/null 2>&1 || true",
            "merge"},
           {"git checkout -q -b side; sed -i 's/9: .*/9: [7],/' tables.py; git commit -qam side; "
            "git checkout -q main; sed -i 's/9: .*/9: [8],/' tables.py; git commit -qam mine; git "
            "rebase side >/dev/null 2>&1 || true",
            "rebase"},
           {"git checkout -q -b side; sed -i 's/9: .*/9: [7],/' tables.py; git commit -qam side; "
            "git checkout -q main; sed -i 's/9: .*/9: [8],/' tables.py; git commit -qam mine; git "
            "cherry-pick side >/dev/null 2>&1 || true",
            "cherry-pick"}}) {
    SCOPED_TRACE(what);
    const PullWorld world;
    world.advance();
    world.in_tree(begin);
    expect_refused(world, "pull pack", "operation-in-progress");
  }
  const PullWorld world;
  world.advance();
  world.in_tree(
      "git checkout -q -b side; sed -i 's/9: .*/9: [7],/' tables.py; git commit -qam side; git "
      "checkout -q main; sed -i 's/9: .*/9: [8],/' tables.py; git stash -q; "
      "git merge -q side; git stash pop >/dev/null 2>&1 || true");
  expect_refused(world, "pull pack", "unmerged-index");
}

TEST(Pull, IsRefusedWhereItMeetsChangesThatNoRuleExplains) {
  const PullWorld world;
  ASSERT_EQ(world.portpatch("apply pack").status, 0);
  world.in_tree(
      "sed -i 's/line 9$/line 9!/' other.txt; echo '# mine' >>tables.py; echo more >>removed.txt");
  world.advance();
  world.write("new.txt", "untracked\n");
  const auto before = world.state();
  const auto ran = world.portpatch("pull pack");
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(
      ran.error,
      R"(error: the pull changes files with local changes that the rules do not explain [unexplained-changes]
  note: not explained, and pulled too: other.txt
  note: not explained, and pulled too: removed.txt
  note: not explained, and pulled too: tables.py
  help: commit them, write a rule for them, or pull with --keep, which joins the two where that is certain
)");
  EXPECT_EQ(world.state(), before);
}

TEST(Pull, PutsBackOtherChangesThatAreInNobodysWay) {
  const PullWorld world;
  world.scratch().run(
      "cd work; for i in a b c d e; do echo $i >$i.txt; done; git add -A; git commit -qm more; git "
      "push -q origin main; git -C ../tree pull -q");
  ASSERT_EQ(world.portpatch("apply pack").status, 0);
  world.in_tree(
      "echo dirty >>a.txt; rm b.txt; chmod +x c.txt; echo staged >>d.txt; git add d.txt; echo over "
      ">>d.txt; git rm -q e.txt; echo added >f.txt; git add f.txt; "
      "echo intent >g.txt; git add -N g.txt; echo untracked >h.txt; git mv -k e.txt i.txt; git add "
      "tables.py");
  const auto status = world.in_tree("git status -s");
  EXPECT_EQ(status,
            " M a.txt\n D b.txt\n M c.txt\nMM d.txt\nD  e.txt\nA  f.txt\n A g.txt\n M limits.py\nM "
            " tables.py\n?? h.txt\n");
  world.advance();
  const auto begin = world.state();
  const auto ran = world.portpatch("pull pack");
  EXPECT_EQ(ran.status, 0) << ran.error;
  EXPECT_TRUE(
      ran.out.contains("kept      a.txt (local changes that no rule explains)\nkept      b.txt"))
      << ran.out;
  EXPECT_EQ(world.in_tree("git status -s"), status);
  EXPECT_EQ(world.in_tree(
                "cat a.txt d.txt f.txt g.txt; git show :d.txt; git diff --cached --stat | tail -1"),
            "a\ndirty\nd\nstaged\nover\nadded\nintent\nd\nstaged\n 4 files changed, 3 "
            "insertions(+), 1 deletion(-)\n");
  EXPECT_EQ(world.file("tables.py"), PullWorld::kPulledTables);
  EXPECT_EQ(world.portpatch("undo").status, 0);
  EXPECT_EQ(world.state(), begin);
}

TEST(Pull, WithKeepJoinsWhatIsCertainAndOtherwiseTakesEverythingBack) {
  const PullWorld world;
  ASSERT_EQ(world.portpatch("apply pack").status, 0);
  world.in_tree(
      "sed -i 's/line 19$/line nineteen/' other.txt; chmod +x other.txt; git add other.txt");
  world.advance();
  const auto begin = world.state();
  const auto ran = world.portpatch("pull --keep pack");
  EXPECT_EQ(ran.status, 0) << ran.error;
  EXPECT_EQ(world.in_tree("grep -E 'nine' other.txt; git diff --cached --summary; git status -s"),
            "line nine\nline nineteen\n mode change 100644 => 100755 other.txt\n M limits.py\nM  "
            "other.txt\n M tables.py\n");
  EXPECT_EQ(world.portpatch("undo").status, 0);
  EXPECT_EQ(world.state(), begin);

  world.in_tree("sed -i 's/line 9$/line 9!/' other.txt");
  expect_refused(world, "pull --keep pack", "merge-conflict");
  world.in_tree("git reset -q --hard; echo more >>removed.txt");
  expect_refused(world, "pull --keep pack", "merge-conflict");
  world.in_tree("git reset -q --hard; rm other.txt");
  expect_refused(world, "pull --keep pack", "merge-conflict");
  world.in_tree("git reset -q --hard; printf 'a\\0b' >other.txt");
  expect_refused(world, "pull --keep pack", "merge-conflict");
  world.in_tree("git reset -q --hard; mkdir sub; echo other >sub/new.txt; git add sub");
  expect_refused(world, "pull --keep pack", "merge-conflict");
}

TEST(Pull, WithKeepJoinsFilesThatHoldEditsOfTheRulesAndOthers) {
  const PullWorld world;
  ASSERT_EQ(world.portpatch("apply pack").status, 0);
  world.in_tree(
      "echo '# mine' >>tables.py; sed -i '1i # debug' limits.py; sed -i '/12:/d' limits.py");
  world.advance();
  const auto begin = world.state();
  EXPECT_EQ(world.portpatch("pull pack").status, 2);
  const auto ran = world.portpatch("pull --keep pack");
  EXPECT_EQ(ran.status, 0) << ran.error;
  EXPECT_EQ(ran.out, R"(tree      tree
pulled    COMMIT..COMMIT (1 commit)
kept      limits.py (local changes that no rule explains)
kept      tables.py (local changes that no rule explains)
upstream  COMMIT (refs/remotes/origin/main)

  edited     pack/python/limits  limits.py:1
  edited     pack/python/tables  tables.py:1

2 rules: 2 edited
backup RUN; take it back with: portpatch undo
)");
  EXPECT_EQ(world.file("tables.py"), PullWorld::kPulledTables + "# mine\n"s);
  EXPECT_EQ(world.file("limits.py"), "# debug\n"s + PullWorld::kPulledLimits);
  EXPECT_EQ(world.portpatch("undo").status, 0);
  EXPECT_EQ(world.state(), begin);
}

TEST(Pull, IsRefusedWhereUntrackedOrIgnoredFilesStandInTheWay) {
  const PullWorld world;
  world.advance();
  world.write("sub/new.txt", "mine\n");
  expect_refused(world, "pull pack", "untracked-in-the-way");
  world.in_tree("echo sub >.git/info/exclude");
  expect_refused(world, "pull pack", "untracked-in-the-way");
  world.in_tree("rm -r sub; mkdir sub.d; ln -s sub.d sub");
  expect_refused(world, "pull pack", "untracked-in-the-way");
  world.in_tree("rm sub; echo other.d >.git/info/exclude; mkdir other.d; echo mine >other.d/mine");
  world.push("echo file >other.d");
  expect_refused(world, "pull pack", "untracked-in-the-way");
}

TEST(Pull, IsUndoneOverAnUntrackedFileAfterThatWasCopied) {
  const PullWorld world;
  ASSERT_EQ(world.portpatch("apply pack").status, 0);
  world.advance();
  ASSERT_EQ(world.portpatch("pull pack").status, 0);
  world.in_tree("echo mine >removed.txt; echo '*.txt' >.git/info/exclude");
  const auto ran = world.portpatch("undo");
  EXPECT_EQ(ran.status, 0) << ran.error;
  EXPECT_TRUE(
      ran.out.contains("note: removed.txt had been changed meanwhile; that version is now "
                       "tree/.git/portpatch/rescued/RUN/removed.txt\n"))
      << ran.out;
  EXPECT_EQ(world.in_tree("cat removed.txt .git/portpatch/rescued/*/removed.txt"),
            "removed\nmine\n");
}

TEST(Pull, IsRefusedWhereSomethingElseStandsWhereHeadHasFiles) {
  const PullWorld world;
  world.push("mkdir folder; echo a >folder/a; ln -s other.txt link");
  world.in_tree("git pull -q");
  world.advance();
  for (const auto* commands :
       {"rm -r folder; echo file >folder",
        "rm -r folder; mkdir ../real; echo real >../real/a; ln -s ../real folder",
        "rm link; echo file >link", "ln -sf tables.py link",
        "rm other.txt; mkdir other.txt; echo in >other.txt/in",
        "rm other.txt; ln -s tables.py other.txt"}) {
    SCOPED_TRACE(commands);
    world.in_tree(commands);
    expect_refused(world, "pull pack", "unsaveable");
    world.in_tree("rm -rf folder other.txt link; git reset -q --hard");
  }
}

TEST(Pull, NamesTheEditThatCouldNotBeMadeAgain) {
  const PullWorld world;
  ASSERT_EQ(world.portpatch("apply pack").status, 0);
  world.push("printf 'OTHER = {}\\n' >tables.py");
  const auto ran = world.portpatch("pull pack");
  EXPECT_EQ(ran.status, 1);
  EXPECT_TRUE(
      ran.out.contains("note: pack/python/tables ended as lost; your version of tables.py with it "
                       "is kept: git show refs/portpatch/backup/main/RUN:tree/tables.py\n"))
      << ran.out;
  EXPECT_EQ(world.file("tables.py"), "OTHER = {}\n");
  EXPECT_EQ(world.in_tree("git show $(git for-each-ref --format='%(refname)' refs/portpatch | tail "
                          "-1):tree/tables.py"),
            "TABLES = {\n    9: [4],\n    10: [4],\n    12: [6, 8],\n}\n");
  EXPECT_EQ(world.portpatch("undo").status, 0);
  EXPECT_TRUE(world.file("tables.py").contains("12: [6, 8]"));
}

TEST(Pull, IsNotLedAstrayBySettingsOfAutostash) {
  for (const auto* rebase : {"true", "false"}) {
    const PullWorld world;
    world.in_tree(
        "git config rebase.autoStash true; git config merge.autoStash true; git config pull.rebase "s +
        rebase);
    ASSERT_EQ(world.portpatch("apply pack").status, 0);
    world.in_tree("echo mine >>other.txt");
    world.push("sed -i 's/10: \\[4\\]/10: [4, 8]/' tables.py");
    EXPECT_EQ(world.portpatch("pull pack").status, 0);
    EXPECT_EQ(world.file("tables.py"), PullWorld::kPulledTables);
    EXPECT_EQ(world.in_tree("git stash list; git status -s"),
              " M limits.py\n M other.txt\n M tables.py\n");
  }
}

}  // namespace
}  // namespace portpatch::test
