#include "apply/transaction.h"

#include <gtest/gtest.h>

#include "tests/apply/faulty_file_system.h"
#include "tests/apply/scenario.h"

namespace portpatch::test {
namespace {

class Transaction : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Trees, Transaction, testing::Bool(), [](const auto& parameter) {
  return parameter.param ? std::string("Git") : std::string("Plain");
});

/// Commits one change to the tree `tree` of `scratch` and returns its error's code, or "".
std::string code_of(const Scratch& scratch, const FileChange& change,
                    FileSystem& files = real_file_system()) {
  const auto run = commit_changes(open_tree(scratch.path("tree")), files, {change}, "apply x");
  return run ? "" : run.error().code;
}

TEST_P(Transaction, WritesBytesModesAndFoldersAndSaysSo) {
  Scenario scenario(GetParam());
  const auto run = scenario.commit();
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(scenario.state(), scenario.new_state());
  EXPECT_EQ(run->command, "apply rules/sm120");
  EXPECT_EQ(run->paths, (std::vector<std::string>{"a.py", "gone.txt", "new/folder/made.py",
                                                  scenario.pack_lock()}));
  EXPECT_EQ(run->backup,
            (GetParam() ? "refs/portpatch/backup/main/" : scenario.tree().state_dir + "/backup/") +
                run->id);
  const auto runs = list_runs(scenario.tree());
  ASSERT_TRUE(runs);
  ASSERT_EQ(runs->size(), 1U);
  EXPECT_EQ(runs->front().id, run->id);
  EXPECT_EQ(runs->front().paths, run->paths);
}

TEST(TransactionBackup, IsACommitThatGitCanRead) {
  Scenario scenario(true);
  const auto run = scenario.commit();
  ASSERT_TRUE(run);
  const auto git = [&](const std::string& command) {
    return scenario.scratch().run("git -C tree " + command);
  };
  EXPECT_EQ(git("fsck --strict 2>&1"), "notice: HEAD points to an unborn branch (master)\n");
  EXPECT_EQ(git("ls-tree -r --format='%(objectmode) %(path)' " + run->backup),
            "100644 manifest.json\n100644 pack/3\n100755 tree/a.py\n100644 tree/gone.txt\n");
  EXPECT_EQ(git("show " + run->backup + ":tree/a.py"), scenario.old_state().at("tree/a.py").bytes);
  EXPECT_EQ(git("log -1 --format='%an <%ae>%n%B' " + run->backup),
            "portpatch <portpatch@localhost>\n"
            "portpatch: files before `apply rules/sm120`\n\n"
            "The files as they were before portpatch wrote to them, under tree/ and pack/;\n"
            "manifest.json says which. `portpatch undo " +
                run->id + "` puts them back.\n\n");
  EXPECT_EQ(git("status --porcelain -uall"), "?? a.py\n?? kept.txt\n?? new/folder/made.py\n");
}

TEST(TransactionState, IsForItsOwnerAlone) {
  Scenario scenario(false);
  ASSERT_TRUE(scenario.commit());
  EXPECT_EQ(scenario.scratch().run("cd tree/.portpatch; find . -perm /077"), "");
}

TEST_P(Transaction, WritesNothingWhenAFileChangedMeanwhile) {
  Scenario scenario(GetParam());
  scenario.scratch().write("tree/gone.txt", "work\n");
  const auto before = scenario.state();
  const auto run = scenario.commit();
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, "changed-meanwhile");
  EXPECT_EQ(run.error().message, "gone.txt was changed while portpatch was at work");
  EXPECT_EQ(scenario.state(), before);
  EXPECT_TRUE(list_runs(scenario.tree()).value().empty());
}

TEST(TransactionCheck, SeesAChangeMadeWhileItWrites) {
  Scenario scenario(false);
  class Saving : public FaultyFileSystem {
   public:
    explicit Saving(const Scratch& scratch)
        : FaultyFileSystem(Fault::kKill, 0), scratch_(scratch) {}
    SystemResult<void> make_folder(const std::string& path, unsigned permissions) override {
      if (path.ends_with("new")) scratch_.write("tree/a.py", "saved by an editor\n", 0755);
      return FaultyFileSystem::make_folder(path, permissions);
    }

   private:
    const Scratch& scratch_;
  } files(scenario.scratch());
  const auto run = scenario.commit(files);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, "changed-meanwhile");
  auto expected = scenario.old_state();
  expected["tree/a.py"].bytes = "saved by an editor\n";
  EXPECT_EQ(scenario.state(), expected);
}

TEST(TransactionCheck, OnlyChecksWhatDoesNotChange) {
  Scenario scenario(false);
  const FileChange same{.path = "kept.txt", .before = "kept\n", .after = "kept\n"};
  const auto run = commit_changes(scenario.tree(), real_file_system(), {same}, "apply x");
  ASSERT_TRUE(run);
  EXPECT_EQ(run->id, "");
  EXPECT_TRUE(list_runs(scenario.tree()).value().empty());
}

TEST(TransactionCheck, FollowsALinkWithinTheTree) {
  Scratch scratch;
  scratch.write("tree/real/a.py", "old\n", 0755);
  fs::create_symlink("real/a.py", scratch.path("tree/link.py"));
  EXPECT_EQ(code_of(scratch, {.path = "link.py", .before = "old\n", .after = "new\n"}), "");
  EXPECT_EQ(scratch.read("tree/real/a.py"), "new\n");
  EXPECT_TRUE(fs::is_symlink(scratch.path("tree/link.py")));
  ASSERT_TRUE(undo_run(open_tree(scratch.path("tree")), real_file_system(), "", false));
  EXPECT_EQ(scratch.read("tree/real/a.py"), "old\n");
  EXPECT_EQ(code_of(scratch, {.path = "link.py", .before = "old\n", .after = std::nullopt}),
            "write-failed");
}

TEST(TransactionCheck, RefusesWhatLeadsOutOfTheTree) {
  Scratch scratch;
  scratch.write("out/a.py", "old\n");
  scratch.write("tree/kept.txt", "");
  scratch.run("git init -q tree");
  fs::create_symlink(scratch.path("out/a.py"), scratch.path("tree/link.py"));
  fs::create_symlink("../out", scratch.path("tree/folder"));
  fs::create_symlink(".git/config", scratch.path("tree/sneaky"));
  fs::create_symlink("nowhere", scratch.path("tree/dangling"));
  const auto config = scratch.read("tree/.git/config");
  for (const auto* path :
       {"link.py", "folder/a.py", "../out/a.py", "a/../../out/a.py", "./a.py", ""}) {
    EXPECT_EQ(code_of(scratch, {.path = path, .before = "old\n", .after = "new\n"}), "outside-tree")
        << path;
  }
  for (const auto& path :
       {std::string(".git/config"), std::string("sneaky"), std::string(".GIT/config"),
        scratch.path("tree/.git/config"), scratch.path("tree/sneaky")}) {
    EXPECT_EQ(code_of(scratch, {.path = path, .before = config, .after = "new\n"}), "outside-tree")
        << path;
  }
  for (const auto* path : {"folder/new.py", "dangling", ".git/hooks/post-merge"}) {
    EXPECT_EQ(code_of(scratch, {.path = path, .before = std::nullopt, .after = "new\n"}),
              "outside-tree")
        << path;
  }
  EXPECT_EQ(scratch.read("out/a.py"), "old\n");
  EXPECT_EQ(scratch.read("tree/.git/config"), config);
}

TEST(TransactionCheck, RefusesAReadOnlyFileEvenForRoot) {
  Scratch scratch;
  scratch.write("tree/a.py", "old\n", 0444);
  EXPECT_EQ(code_of(scratch, {.path = "a.py", .before = "old\n", .after = "new\n"}), "read-only");
  EXPECT_EQ(scratch.read("tree/a.py"), "old\n");
}

TEST(TransactionCheck, RefusesAFolderAndAFileNamedTwice) {
  Scratch scratch;
  scratch.write("tree/folder/a.py", "old\n");
  fs::create_symlink("folder/a.py", scratch.path("tree/link.py"));
  EXPECT_EQ(code_of(scratch, {.path = "folder", .before = "", .after = "new\n"}), "write-failed");
  const auto run = commit_changes(open_tree(scratch.path("tree")), real_file_system(),
                                  {{.path = "link.py", .before = "old\n", .after = "1\n"},
                                   {.path = "folder/a.py", .before = "old\n", .after = "2\n"}},
                                  "apply x");
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, "write-failed");
  EXPECT_EQ(scratch.read("tree/folder/a.py"), "old\n");
}

TEST(TransactionCheck, TakesNamesThatAreNotUtf8) {
  Scratch scratch;
  scratch.write("tree/\xff.py", "old\n");
  EXPECT_EQ(code_of(scratch, {.path = "\xff.py", .before = "old\n", .after = "new\n"}), "");
  const auto tree = open_tree(scratch.path("tree"));
  EXPECT_EQ(list_runs(tree).value().front().paths, std::vector<std::string>{"\xff.py"});
  ASSERT_TRUE(undo_run(tree, real_file_system(), "", false));
  EXPECT_EQ(scratch.read("tree/\xff.py"), "old\n");
}

TEST(TransactionCheck, KeepsLinkedWorkTreesApart) {
  Scratch scratch;
  scratch.run(
      "git init -q tree; cd tree; git commit -q --allow-empty -m one;"
      "git worktree add -q ../main 2>/dev/null");
  scratch.write("main/a.py", "old\n");
  const auto linked = open_tree(scratch.path("main"));
  const auto run = commit_changes(linked, real_file_system(),
                                  {{.path = "a.py", .before = "old\n", .after = "new\n"}},
                                  "apply x");
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->backup, "refs/portpatch/backup/worktrees/main/" + run->id);
  EXPECT_TRUE(list_runs(open_tree(scratch.path("tree"))).value().empty());
  EXPECT_EQ(list_runs(linked).value().size(), 1U);
}

}  // namespace
}  // namespace portpatch::test
