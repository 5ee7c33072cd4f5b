#include "repo/upstream.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/text.h"
#include "repo/git_config.h"
#include "tests/repo/scratch.h"

namespace portpatch::test {
namespace {

/// `upstream` with two commits, and `tree`, a clone of it, with a local commit; then a third commit
/// upstream, fetched.
void make_clone(const Scratch& scratch, const std::string& clone_options = "") {
  scratch.write("upstream/a.py", "a = 1\r\n");
  scratch.write("upstream/folder/b.py", "b\n");
  scratch.run(
      "git init -q -b main upstream; cd upstream; git config uploadpack.allowFilter true;"
      "git add .; git commit -q -m one; echo two >c.py; git add .; git commit -q -m two; cd ..;"
      "git clone -q " +
      clone_options +
      " file://$PWD/upstream tree; cd tree; echo local >a.py;"
      "git commit -q -a -m local; cd ../upstream; echo 'a = 3' >a.py; git commit -q -a -m three;"
      "cd ../tree; git fetch -q");
}

std::string git(const Scratch& scratch, const std::string& command) {
  return std::string(trim(scratch.run("git -C tree " + command)));
}

UpstreamRefs refs_of(const Scratch& scratch, std::string_view configured = "") {
  const auto refs = read_upstream_refs(open_tree(scratch.path("tree")), configured);
  if (!refs) throw std::runtime_error(refs.error().message);
  return *refs;
}

Result<Upstream> open_upstream(const Scratch& scratch) {
  return Upstream::open(open_tree(scratch.path("tree")), refs_of(scratch));
}

TEST(UpstreamRefs, AreTheSameLooseAndPacked) {
  Scratch scratch;
  make_clone(scratch);
  const auto expect_refs = [&] {
    for (const auto* configured :
         {"", "@{upstream}", "origin/main", "origin", "refs/remotes/origin/main"}) {
      const auto refs = refs_of(scratch, configured);
      EXPECT_EQ(refs.head, git(scratch, "rev-parse HEAD"));
      EXPECT_EQ(refs.name, "refs/remotes/origin/main");
      EXPECT_EQ(refs.upstream, git(scratch, "rev-parse origin/main"));
    }
  };
  expect_refs();
  scratch.run("git -C tree pack-refs --all");
  expect_refs();
}

TEST(UpstreamRefs, FollowTheBranchsConfiguration) {
  Scratch scratch;
  make_clone(scratch);
  scratch.run(
      "cd tree; git branch -q base HEAD~; git checkout -q -b 'a/b\"c' --track base 2>/dev/null");
  EXPECT_EQ(refs_of(scratch).name, "refs/heads/base");
  EXPECT_EQ(refs_of(scratch).upstream, git(scratch, "rev-parse base"));
  scratch.run("cd tree; git checkout -q --detach; git remote set-head -d origin");
  EXPECT_EQ(refs_of(scratch).name, "refs/remotes/origin/main");
  EXPECT_EQ(refs_of(scratch).head, git(scratch, "rev-parse HEAD"));
}

TEST(UpstreamRefs, OfALinkedWorkTreeAreItsOwn) {
  Scratch scratch;
  make_clone(scratch);
  scratch.run(
      "cd tree; git worktree add -q -b side ../linked HEAD~ 2>/dev/null;"
      "git branch -q --set-upstream-to=origin/main side");
  const auto refs = read_upstream_refs(open_tree(scratch.path("linked")), "");
  ASSERT_TRUE(refs);
  EXPECT_EQ(refs->head, git(scratch, "rev-parse side"));
  EXPECT_EQ(refs->upstream, git(scratch, "rev-parse origin/main"));
}

TEST(UpstreamRefs, TakeATagAndAnIdAndRefuseWhatIsMissing) {
  Scratch scratch;
  make_clone(scratch);
  scratch.run("git -C tree tag -a -m v1 v1 origin/main~");
  EXPECT_EQ(refs_of(scratch, "v1").upstream, git(scratch, "rev-parse v1"));
  const auto id = git(scratch, "rev-parse origin/main~");
  EXPECT_EQ(refs_of(scratch, id).upstream, id);
  const auto tree = open_tree(scratch.path("tree"));
  for (const auto* name : {"upstream/main", "../config", "config", "refs/heads/../../config"}) {
    const auto missing = read_upstream_refs(tree, name);
    ASSERT_FALSE(missing) << name;
    EXPECT_EQ(missing.error().code, "no-upstream-ref");
  }
  const auto upstream = Upstream::open(tree, refs_of(scratch, "v1"));
  ASSERT_TRUE(upstream);
  EXPECT_EQ(upstream->commit(), git(scratch, "rev-parse v1^{commit}"));
}

TEST(UpstreamRefs, OfAnUnbornBranchAreEmpty) {
  Scratch scratch;
  scratch.run("git init -q tree");
  const auto refs = refs_of(scratch);
  EXPECT_EQ(refs.head + refs.name + refs.upstream, "");
  const auto upstream = open_upstream(scratch);
  ASSERT_TRUE(upstream);
  EXPECT_EQ(upstream->unknown_because(), "HEAD has no commit yet");
}

TEST(Upstream, IsTheMergeBaseAndReadsStoredBytes) {
  Scratch scratch;
  make_clone(scratch);
  const auto upstream = open_upstream(scratch);
  ASSERT_TRUE(upstream) << upstream.error().message;
  EXPECT_EQ(upstream->commit(), git(scratch, "rev-parse HEAD~"));
  EXPECT_EQ(upstream->read("a.py").value(), "a = 1\r\n");
  EXPECT_EQ(upstream->read("folder/b.py").value(), "b\n");
  for (const auto* path : {"folder", "folder/none.py", "a.py/none"}) {
    EXPECT_EQ(upstream->read(path).value(), std::nullopt) << path;
  }
  EXPECT_EQ(upstream->history()->read(git(scratch, "rev-parse HEAD"), "a.py").value(), "local\n");
  EXPECT_EQ(upstream->history()->read("main", "a.py").error().code, "absent-commit");
}

TEST(Upstream, OfUnrelatedHistoriesIsUnknown) {
  Scratch scratch;
  make_clone(scratch);
  scratch.run("cd tree; git checkout -q --orphan other; git commit -q -m other");
  const auto upstream = open_upstream(scratch);
  ASSERT_TRUE(upstream);
  EXPECT_EQ(upstream->commit(), "");
  EXPECT_EQ(upstream->unknown_because(),
            "the histories of HEAD and refs/remotes/origin/main do not meet in this repository");
  EXPECT_EQ(upstream->read("a.py").error().code, "no-upstream-commit");
}

TEST(Upstream, OfAShallowCloneIsFoundWhereItReaches) {
  Scratch scratch;
  make_clone(scratch, "--depth=1");
  const auto upstream = open_upstream(scratch);
  ASSERT_TRUE(upstream) << upstream.error().message;
  EXPECT_EQ(upstream->commit(), git(scratch, "rev-parse HEAD~"));
}

TEST(Upstream, DoesNotFetchWhatAPartialCloneLacks) {
  Scratch scratch;
  make_clone(scratch, "--filter=blob:none --no-checkout");
  scratch.run("cd tree; git reset -q");  // the local commit took everything else out
  const auto upstream = open_upstream(scratch);
  ASSERT_TRUE(upstream) << upstream.error().message;
  const auto bytes = upstream->read("folder/b.py");
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().code, "absent-blob");
}

TEST(Upstream, RefusesAForeignOwnerWithTheRemedy) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a repository away";
  Scratch scratch;
  make_clone(scratch);
  scratch.run("chown -R 12345 tree");
  const auto upstream = open_upstream(scratch);
  ASSERT_FALSE(upstream);
  EXPECT_EQ(upstream.error().code, "foreign-owner") << upstream.error().message;
  EXPECT_EQ(upstream.error().remedy,
            "if you trust it: git config --global --add safe.directory " + scratch.path("tree"));
}

TEST(Upstream, RefusesASha256Repository) {
  Scratch scratch;
  scratch.run("git init -q --object-format=sha256 tree");
  const auto tree = open_tree(scratch.path("tree"));
  EXPECT_EQ(read_upstream_refs(tree, "").error().code, "sha256-repository");
  EXPECT_EQ(Upstream::open(tree, {}).error().code, "sha256-repository");
}

TEST(GitConfig, ReadsSectionsQuotesAndComments) {
  const std::string_view text =
      "# [branch \"x\"]\n[Branch \"a\\\"b\"] remote = \"or\" igin ; no\n\tMERGE=refs/heads/x \\\n"
      "y\n[core]\r\n\tbare\r\n\tname = a#b\r\n[branch.Old]\nremote = old\n[core] name = \"a#b\"\n";
  EXPECT_EQ(config_value(text, "branch", "a\"b", "remote"), "or igin");
  EXPECT_EQ(config_value(text, "branch", "a\"b", "merge"), "refs/heads/x y");
  EXPECT_EQ(config_value(text, "core", "", "bare"), "true");
  EXPECT_EQ(config_value(text, "core", "", "name"), "a#b");
  EXPECT_EQ(config_value(text, "branch", "old", "remote"), "old");
  EXPECT_EQ(config_value(text, "branch", "x", "remote"), std::nullopt);
}

}  // namespace
}  // namespace portpatch::test
