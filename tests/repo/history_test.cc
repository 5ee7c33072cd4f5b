#include "repo/history.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "tests/repo/scratch.h"

namespace portpatch::test {
namespace {

std::string git(const Scratch& scratch, const std::string& command,
                const std::string& folder = "tree") {
  return std::string(trim(scratch.run("git -C " + folder + " " + command)));
}

/// Commits whatever stands in `tree`, at a fixed time, and returns the commit.
std::string commit(const Scratch& scratch, const std::string& subject) {
  scratch.run(
      "test -d tree/.git || git init -q -b main tree; cd tree; git add -A; "
      "GIT_AUTHOR_DATE=2026-01-05T12:00:00Z"
      " GIT_COMMITTER_DATE=2026-01-05T12:00:00Z git commit -q --allow-empty -m '" +
      subject + "'");
  return git(scratch, "rev-parse HEAD");
}

History open_history(const Scratch& scratch, const std::string& folder = "tree") {
  const auto tree = open_repository_tree(scratch.path(folder));
  if (!tree) throw std::runtime_error(tree.error().message);
  auto history = History::open(*tree);
  if (!history) throw std::runtime_error(history.error().message);
  return std::move(*history);
}

/// "- a.py", "+ b.py" and "* c.py" for what went, came and was changed.
std::vector<std::string> signs(const Result<std::vector<ChangedFile>>& changes) {
  if (!changes) return {"failed: " + changes.error().message};
  std::vector<std::string> all;
  for (const auto& file : *changes)
    all.push_back((file.before.empty() ? "+ " : file.after.empty() ? "- " : "* ") + file.path);
  return all;
}

using Lines = std::vector<std::string>;

TEST(History, NamesTheFilesOfACommitByPathAndBlob) {
  Scratch scratch;
  scratch.write("tree/b.py", "b\n");
  scratch.write("tree/a/x.py", "x\n");
  scratch.write("tree/a.py", "a\n", 0755);
  scratch.run("ln -s b.py tree/link.py");
  const auto id = commit(scratch, "one");
  const auto history = open_history(scratch);
  const auto files = history.files(id);
  ASSERT_TRUE(files);
  Lines said;
  for (const auto& file : *files) said.push_back(file.path + " " + file.blob);
  // Sorted by path, not in git's order; a link is no regular file.
  EXPECT_EQ(said, (Lines{"a.py " + git(scratch, "rev-parse HEAD:a.py"),
                         "a/x.py " + git(scratch, "rev-parse HEAD:a/x.py"),
                         "b.py " + git(scratch, "rev-parse HEAD:b.py")}));
  EXPECT_EQ(history.read((*files)[1].blob).value(), "x\n");
  EXPECT_EQ(history.read(id, "b.py").value(), "b\n");
  for (const auto* path : {"link.py", "a", "a/none", "b.py/c", "none/x.py"}) {
    EXPECT_EQ(history.read(id, path).value(), std::nullopt) << path;
    EXPECT_EQ(history.blob(id, path).value(), std::nullopt) << path;
  }
}

TEST(History, ComparesCommitsFileByFile) {
  Scratch scratch;
  scratch.write("tree/same/a.py", "a\n");
  scratch.write("tree/b.py", "b\n");
  scratch.write("tree/gone/c.py", "c\n");
  scratch.write("tree/mode.py", "m\n");
  const auto one = commit(scratch, "one");
  scratch.run(
      "cd tree; git rm -rq gone; echo 2 >b.py; chmod +x mode.py; mkdir new; echo d >new/d.py");
  const auto two = commit(scratch, "two");
  const auto history = open_history(scratch);
  EXPECT_EQ(signs(history.changes(one, two)), (Lines{"* b.py", "- gone/c.py", "+ new/d.py"}));
  EXPECT_EQ(signs(history.changes(two, one)), (Lines{"* b.py", "+ gone/c.py", "- new/d.py"}));
  EXPECT_EQ(signs(history.changes(two, two)), Lines{});
  const auto changes = history.changes(one, two).value();
  EXPECT_EQ(changes[0].before, git(scratch, "rev-parse HEAD~:b.py"));
  EXPECT_EQ(changes[0].after, git(scratch, "rev-parse HEAD:b.py"));
}

TEST(History, AFileThatBecomesAFolderGoesAndItsFilesCome) {
  Scratch scratch;
  scratch.write("tree/a", "a\n");
  scratch.write("tree/b/c/d.py", "d\n");
  scratch.write("tree/e.py", "e\n");
  const auto one = commit(scratch, "one");
  scratch.run("cd tree; rm -r a b e.py; mkdir -p a/x; echo 1 >a/x/y.py; echo b >b; ln -s a e.py");
  const auto two = commit(scratch, "two");
  const auto history = open_history(scratch);
  EXPECT_EQ(signs(history.changes(one, two)),
            (Lines{"- a", "+ a/x/y.py", "+ b", "- b/c/d.py", "- e.py"}));
  EXPECT_EQ(signs(history.changes(two, one)),
            (Lines{"+ a", "- a/x/y.py", "- b", "+ b/c/d.py", "+ e.py"}));
}

TEST(History, NamesThatGitSortsAsFoldersAreComparedByName) {
  Scratch scratch;
  scratch.write("tree/a/x.py", "x\n");  // git sorts the folder as "a/", behind "a.py" and "a-b"
  scratch.write("tree/a.py", "1\n");
  scratch.write("tree/a-b", "1\n");
  const auto one = commit(scratch, "one");
  scratch.run("cd tree; echo 2 >a.py; rm a-b; echo 2 >a/x.py; echo 1 >a0");
  const auto two = commit(scratch, "two");
  EXPECT_EQ(signs(open_history(scratch).changes(one, two)),
            (Lines{"- a-b", "* a.py", "* a/x.py", "+ a0"}));
}

TEST(History, TheFirstParentLineLeavesMergedBranchesOut) {
  Scratch scratch;
  const auto one = commit(scratch, "one");
  git(scratch, "checkout -q -b side");
  scratch.write("tree/side.py", "s\n");
  const auto side = commit(scratch, "side");
  git(scratch, "checkout -q main");
  scratch.write("tree/main.py", "m\n");
  const auto two = commit(scratch, "two");
  scratch.run(
      "cd tree; GIT_COMMITTER_DATE=2026-01-05T12:00:00Z git merge -q --no-ff -m merge side 2>&1");
  const auto merge = git(scratch, "rev-parse HEAD");
  const auto history = open_history(scratch);
  EXPECT_EQ(history.first_parents(one, merge).value(), (Lines{two, merge}));
  EXPECT_EQ(history.first_parents(merge, merge).value(), Lines{});
  EXPECT_EQ(history.first_parents(side, merge).value(), std::nullopt);
  EXPECT_EQ(history.first_parents(merge, one).value(), std::nullopt);
  EXPECT_EQ(history.first_parent(merge).value(), two);
  EXPECT_EQ(history.first_parent(one).value(), std::nullopt);
  EXPECT_EQ(history.merge_base(side, two).value(), one);
  EXPECT_EQ(signs(history.changes(two, merge)), Lines{"+ side.py"});
}

TEST(History, AWrongClockDoesNotBreakTheLine) {
  Scratch scratch;
  const auto one = commit(scratch, "one");
  scratch.run(
      "cd tree; GIT_COMMITTER_DATE='1990-01-01T00:00:00Z' git commit -q --allow-empty -m old; "
      "GIT_COMMITTER_DATE='2030-01-01T00:00:00Z' git commit -q --allow-empty -m new");
  const auto
      line = open_history(scratch).first_parents(one, git(scratch, "rev-parse HEAD")).value();
  ASSERT_TRUE(line);
  EXPECT_EQ(line->size(), 2u);
}

TEST(History, SaysWhatACommitIs) {
  Scratch scratch;
  const auto id = commit(scratch, "Split the communicators");
  const auto history = open_history(scratch);
  const auto info = history.info(id);
  ASSERT_TRUE(info);
  EXPECT_EQ(info->id, id);
  EXPECT_EQ(info->subject, "Split the communicators");
  EXPECT_EQ(info->date, "2026-01-05");
  EXPECT_EQ(describe(*info), id.substr(0, 12) + " (2026-01-05) Split the communicators");
}

TEST(History, ResolvesWhatGitResolvesToACommit) {
  Scratch scratch;
  const auto one = commit(scratch, "one");
  scratch.write("tree/a.py", "a\n");
  const auto two = commit(scratch, "two");
  git(scratch, "tag -a -m v1 v1 HEAD~");
  const auto history = open_history(scratch);
  for (const auto& name : {std::string("HEAD"), std::string("main"), two, two.substr(0, 9),
                           std::string("v1~0^{commit}~0")}) {
    EXPECT_EQ(history.resolve(name).value(), name.starts_with("v1") ? one : two) << name;
  }
  EXPECT_EQ(history.resolve("v1").value(), one);
  EXPECT_EQ(history.resolve("HEAD~").value(), one);
  for (const auto* name :
       {"none", "HEAD~7", "HEAD:a.py", "", "..", "0123456789012345678901234567890123456789"}) {
    const auto unknown = history.resolve(name);
    ASSERT_FALSE(unknown) << name;
    EXPECT_EQ(unknown.error().code, "unknown-revision") << name;
    EXPECT_EQ(unknown.error().message,
              "`" + std::string(name) + "` names no commit of this repository");
    EXPECT_EQ(unknown.error().remedy,
              "see `git log --oneline --all`; a commit of a remote is there after `git fetch`");
  }
}

TEST(History, KnowsTheEdgeOfAShallowClone) {
  Scratch scratch;
  const auto one = commit(scratch, "one");
  const auto two = commit(scratch, "two");
  const auto three = commit(scratch, "three");
  scratch.run("git clone -q --depth=2 file://$PWD/tree shallow");
  const auto whole = open_history(scratch), history = open_history(scratch, "shallow");
  EXPECT_FALSE(whole.is_shallow());
  EXPECT_TRUE(history.is_shallow());
  EXPECT_TRUE(history.has_commit(two));
  EXPECT_FALSE(history.has_commit(one));
  EXPECT_EQ(history.first_parent(three).value(), two);
  EXPECT_EQ(history.first_parent(two).value(), std::nullopt);
  EXPECT_EQ(history.first_parents(two, three).value(), Lines{three});
  EXPECT_EQ(history.first_parents(one, three).error().code, "absent-commit");
  EXPECT_EQ(history.info(one).error().code, "absent-commit");
  EXPECT_EQ(history.merge_base(three, three).value(), three);
  EXPECT_EQ(history.merge_base(two, three).value(), two);
}

TEST(History, DoesNotFetchWhatAPartialCloneLacks) {
  Scratch scratch;
  scratch.write("tree/a/b.py", "b\n");
  const auto one = commit(scratch, "one");
  scratch.write("tree/a/b.py", "2\n");
  const auto two = commit(scratch, "two");
  git(scratch, "config uploadpack.allowFilter true");
  scratch.run(
      "git clone -q --bare --filter=blob:none file://$PWD/tree blobless; git clone -q --bare "
      "--filter=tree:0 file://$PWD/tree treeless");
  const auto blobless = open_history(scratch, "blobless");
  EXPECT_EQ(signs(blobless.changes(one, two)), Lines{"* a/b.py"}) << "only folders are needed";
  const auto text = blobless.read(two, "a/b.py");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, "absent-blob");
  EXPECT_EQ(text.error().remedy,
            "a shallow or partial clone lacks it: `git fetch --unshallow`, or `git fetch --refetch "
            "--no-filter`");
  const auto treeless = open_history(scratch, "treeless");
  EXPECT_EQ(treeless.first_parents(one, two).value(), Lines{two});
  EXPECT_EQ(treeless.changes(one, two).error().code, "absent-blob");
  EXPECT_EQ(treeless.files(two).error().code, "absent-blob");
}

TEST(History, OfAPlainFolderIsAnError) {
  Scratch scratch;
  EXPECT_EQ(History::open(open_tree(scratch.path())).error().code, "no-repository");
  EXPECT_EQ(open_repository_tree(scratch.path()).error().code, "no-repository");
}

// `git hash-object --literally` makes trees that git itself would not.
TEST(History, RefusesNamesThatAreNoFiles) {
  Scratch scratch;
  scratch.write("tree/good.py", "a = 1\n");
  const auto base = commit(scratch, "base");
  const auto history = open_history(scratch);
  const auto refused = [&](const std::string& entries) {
    // An entry is `100644 NAME`, a zero byte and the blob's 20 bytes; here any blob will do.
    scratch.run(
        "python3 -c \"import sys; [sys.stdout.buffer.write(b'100644 ' + n.encode() + b'\\0' + b'1' "
        "* 20)"
        " for n in sys.argv[1:]]\" " +
        entries + " > bytes");
    const auto folder = git(scratch, "hash-object -t tree -w --literally ../bytes");
    const auto bad = git(scratch, "commit-tree -m bad -p " + base + " " + folder);
    const auto files = history.files(bad);
    const auto changes = history.changes(base, bad);
    EXPECT_EQ(files.has_value(), changes.has_value()) << entries;
    return files ? std::string() : files.error().code;
  };
  for (const auto* names : {"..", ".", ".git", ".GIT", "a/b.py", "../b.py", "/b.py", "a.py a.py"})
    EXPECT_EQ(refused(names), "damaged-folder") << names;
  for (const auto* names : {"...", ".gitignore", "..b", "git", "a.py b.py"})
    EXPECT_EQ(refused(names), "") << names;
}

}  // namespace
}  // namespace portpatch::test
