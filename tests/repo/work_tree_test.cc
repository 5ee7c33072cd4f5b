#include "repo/work_tree.h"

#include <gtest/gtest.h>

#include "repo/ref_files.h"
#include "tests/repo/scratch.h"

namespace portpatch::test {
namespace {

std::string code_of(const std::string& folder) {
  const auto tree = open_work_tree(folder);
  return tree ? "" : tree.error().code;
}

TEST(WorkTree, OfGitIsFoundFromAFolderInIt) {
  Scratch scratch;
  scratch.run("git init -q tree; mkdir -p tree/a/b; ln -s tree/a link");
  const auto tree = open_tree(scratch.path("link/b"));
  EXPECT_EQ(tree.root, scratch.path("tree"));
  EXPECT_EQ(tree.git_dir, scratch.path("tree/.git"));
  EXPECT_EQ(tree.common_dir, scratch.path("tree/.git"));
  EXPECT_EQ(tree.state_dir, scratch.path("tree/.git/portpatch"));
}

TEST(WorkTree, WhoseFilesOfGitCannotBeReadIsNoOtherTree) {
  // A folder in the file's place stands for a disk that fails.
  for (const auto* file : {"index", "packed-refs", "config", "sequencer/todo"}) {
    Scratch scratch;
    scratch.run("git init -q tree; cd tree/.git; mkdir -p sequencer; rm -f " + std::string(file) +
                "; mkdir " + file);
    const auto tree = open_tree(scratch.path("tree"));
    const auto problem = [&]() -> Result<void> {
      if (auto files = list_files(tree); !files) return std::unexpected(files.error());
      if (auto head = read_ref(tree, "HEAD"); !head) return std::unexpected(head.error());
      const auto operation = operation_in_progress(tree);
      return operation ? Result<void>() : std::unexpected(operation.error());
    }();
    ASSERT_FALSE(problem) << file;
    EXPECT_EQ(problem.error().message,
              "cannot read " + scratch.path("tree/.git/") + file + ": not a regular file");
  }
}

TEST(WorkTree, IgnoresTheEnvironment) {
  Scratch scratch;
  scratch.run("git init -q tree; git init -q other");
  ::setenv("GIT_DIR", scratch.path("other/.git").c_str(), 1);
  const auto tree = open_tree(scratch.path("tree"));
  ::unsetenv("GIT_DIR");
  EXPECT_EQ(tree.git_dir, scratch.path("tree/.git"));
}

TEST(WorkTree, LinkedAndSubmoduleAreFollowed) {
  Scratch scratch;
  scratch.run(
      "git init -q tree; cd tree; git commit -q --allow-empty -m one;"
      "git worktree add -q ../linked 2>/dev/null;"
      "git -c protocol.file.allow=always submodule --quiet add ../tree sub 2>/dev/null");
  const auto linked = open_tree(scratch.path("linked"));
  EXPECT_EQ(linked.git_dir, scratch.path("tree/.git/worktrees/linked"));
  EXPECT_EQ(linked.common_dir, scratch.path("tree/.git"));
  EXPECT_EQ(linked.state_dir, linked.git_dir + "/portpatch");
  const auto sub = open_tree(scratch.path("tree/sub"));
  EXPECT_EQ(sub.root, scratch.path("tree/sub"));
  EXPECT_EQ(sub.git_dir, scratch.path("tree/.git/modules/sub"));
  EXPECT_EQ(sub.common_dir, sub.git_dir);
}

TEST(WorkTree, PlainFolderIsItselfOrTheOneWithState) {
  Scratch scratch;
  scratch.write("plain/a/b.py", "");
  EXPECT_EQ(open_tree(scratch.path("plain/a")).root, scratch.path("plain/a"));
  EXPECT_FALSE(open_tree(scratch.path("plain/a")).is_git());
  fs::create_directory(scratch.path("plain/.portpatch"));
  EXPECT_EQ(open_tree(scratch.path("plain/a")).root, scratch.path("plain"));
}

TEST(WorkTree, RefusesWhatIsNone) {
  Scratch scratch;
  scratch.run("git init -q --bare bare; git init -q tree; mkdir broken moved");
  scratch.write("broken/.git", "nonsense\n");
  scratch.write("moved/.git", "gitdir: ../nowhere\n");
  EXPECT_EQ(code_of(scratch.path("bare")), "bare-repository");
  EXPECT_EQ(code_of(scratch.path("bare/refs")), "bare-repository");
  EXPECT_EQ(code_of(scratch.path("tree/.git/refs")), "bare-repository");
  EXPECT_EQ(code_of(scratch.path("missing")), "missing-folder");
  EXPECT_EQ(code_of(scratch.path("moved/.git")), "missing-folder");
  EXPECT_EQ(code_of(scratch.path("broken")), "broken-git-file");
  EXPECT_EQ(code_of(scratch.path("moved")), "broken-git-file");
}

TEST(ListFiles, OfAPlainFolderSkipsWhatIsNoSource) {
  Scratch scratch;
  for (const auto* name : {"b.py", "a/c.py", "a-b.py", "a/__pycache__/c.pyc", ".portpatch/lock",
                           "node_modules/x.js", "a/.git/config"}) {
    scratch.write(std::string("plain/") + name, "");
  }
  fs::create_symlink("b.py", scratch.path("plain/link.py"));
  EXPECT_EQ(list_files(open_tree(scratch.path("plain"))).value(),
            (std::vector<std::string>{"a-b.py", "a/c.py", "b.py"}));
}

TEST(ListFiles, OfASha256RepositorySaysSo) {
  Scratch scratch;
  scratch.run("git init -q --object-format=sha256 tree");
  const auto files = list_files(open_tree(scratch.path("tree")));
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().code, "sha256-repository");
}

TEST(OperationInProgress, IsNamed) {
  Scratch scratch;
  scratch.run("git init -q tree");
  const auto tree = open_tree(scratch.path("tree"));
  EXPECT_EQ(operation_in_progress(tree).value(), std::nullopt);
  for (const auto& [file, operation] :
       {std::pair("BISECT_LOG", "bisect"), std::pair("REVERT_HEAD", "revert"),
        std::pair("CHERRY_PICK_HEAD", "cherry-pick"), std::pair("MERGE_HEAD", "merge"),
        std::pair("rebase-merge/head-name", "rebase")}) {
    scratch.write(std::string("tree/.git/") + file, "");
    EXPECT_EQ(operation_in_progress(tree).value(), operation);
  }
}

}  // namespace
}  // namespace portpatch::test
