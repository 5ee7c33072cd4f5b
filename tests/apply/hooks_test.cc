#include "apply/hooks.h"

#include <functional>

#include <gtest/gtest.h>

#include "tests/apply/faulty_file_system.h"
#include "tests/pull/pull_world.h"

namespace portpatch::test {
namespace {

using namespace std::string_literals;

/// The hooks call the program by its whole path.
Ran hook(const PullWorld& world, const std::string& arguments) {
  return world.portpatch("hook " + arguments);
}

const std::string kInstalled = R"(post-merge     installed  tree/.git/hooks/post-merge
    applies PACK
post-rewrite   installed  tree/.git/hooks/post-rewrite
    applies PACK
post-checkout  installed  tree/.git/hooks/post-checkout
    applies PACK
)";
const std::string kAbsent = R"(post-merge     absent     tree/.git/hooks/post-merge
post-rewrite   absent     tree/.git/hooks/post-rewrite
post-checkout  absent     tree/.git/hooks/post-checkout
)";

std::string with_pack(std::string text, const std::string& pack) {
  for (auto at = text.find("PACK"); at != std::string::npos; at = text.find("PACK"))
    text.replace(at, 4, pack);
  return text;
}

TEST(Hooks, AreInstalledShownAndTakenOut) {
  const PullWorld world;
  const auto listed = world.in_tree("ls .git/hooks");
  EXPECT_EQ(hook(world, "status").out, kAbsent);
  const auto installed = hook(world, "install pack");
  EXPECT_EQ(installed.status, 0) << installed.error;
  EXPECT_EQ(installed.out, with_pack(kInstalled, "pack"));
  EXPECT_EQ(hook(world, "install pack").out, with_pack(kInstalled, "pack")) << "again";
  EXPECT_EQ(hook(world, "uninstall").out, kAbsent);
  EXPECT_EQ(hook(world, "uninstall").status, 0);
  EXPECT_EQ(world.in_tree("ls .git/hooks"), listed);
}

TEST(Hooks, NameAPackInTheTreeByItsPathInTheTree) {
  const PullWorld world;
  world.run("cp -r pack tree/port; mkdir tree/sub");
  EXPECT_EQ(portpatch(world.scratch(), "hook install ../port", "tree/sub").out,
            with_pack(kInstalled, "port"));
  EXPECT_TRUE(world.in_tree("cat .git/hooks/post-merge")
                  .contains("hook run post-merge \"$#\" \"$@\" port\n"));
}

TEST(Hooks, RefuseWhatTheyDoNotUnderstand) {
  const PullWorld world;
  for (const auto* arguments :
       {"install", "frobnicate", "status pack", "uninstall pack", "run post-merge"}) {
    const auto ran = hook(world, arguments);
    EXPECT_EQ(ran.status, 2);
    EXPECT_EQ(ran.error,
              "error: `portpatch hook` wants `install PACK...`, `uninstall` or `status` "
              "[bad-arguments]\n  help: portpatch hook --help says more\n")
        << arguments;
  }
  EXPECT_TRUE(hook(world, "install nowhere").error.contains("[no-pack]"));
  EXPECT_TRUE(portpatch(world.scratch(), "-C pack hook status").error.contains("[no-repository]"));
  EXPECT_EQ(hook(world, "status").out, kAbsent);
}

TEST(Hooks, ApplyTheRulesAfterAMergeAndACheckout) {
  const PullWorld world;
  ASSERT_EQ(hook(world, "install pack").status, 0);
  world.advance();
  const auto said = world.in_tree("git pull -q --ff-only 2>&1");
  EXPECT_TRUE(said.contains("  edited     ")) << said;
  EXPECT_EQ(world.file("tables.py"), PullWorld::kPulledTables);
  EXPECT_EQ(world.in_tree("git checkout -q -b other 2>&1"), "portpatch: 2 rules hold\n");
  EXPECT_EQ(world.in_tree("git checkout -q -- tables.py 2>&1"), "");
  EXPECT_EQ(world.in_tree("git status -s"), " M limits.py\n")
      << "after the checkout of a file a hook does nothing";
  world.in_tree("git stash -q; git checkout -q HEAD~ 2>&1");
  EXPECT_TRUE(world.file("tables.py").contains("12: [6, 8]"));
}

TEST(Hooks, ApplyTheRulesAtTheEndOfARebaseAndAnAmendedCommit) {
  const PullWorld world;
  world.in_tree("echo mine >mine.txt; git add mine.txt; git commit -q -m mine");
  ASSERT_EQ(hook(world, "install pack").status, 0);
  world.advance();
  world.in_tree("git pull -q --rebase 2>&1");
  EXPECT_EQ(world.file("tables.py"), PullWorld::kPulledTables);
  EXPECT_EQ(world.in_tree("git status -sb; ls .git | grep rebase || true"),
            "## main...origin/main [ahead 1]\n M limits.py\n M tables.py\n");
  world.in_tree("git stash -q");
  EXPECT_TRUE(world.in_tree("git commit -q --amend -m amended 2>&1").contains("  edited     "));
  EXPECT_EQ(world.file("limits.py"), PullWorld::kPulledLimits);
}

TEST(Hooks, OnlyLookWhileGitHasSomethingUnderWay) {
  const PullWorld world;
  ASSERT_EQ(hook(world, "install pack").status, 0);
  world.advance();
  world.in_tree("echo dirty >>other.txt");
  const auto merged = world.in_tree("git pull -q --ff-only --autostash 2>&1 || true");
  EXPECT_TRUE(merged.contains("pending    ")) << merged;
  EXPECT_TRUE(merged.contains(
      "portpatch: only looked, as git has an autostash under way; afterwards: portpatch apply " +
      world.scratch().path("pack")))
      << merged;
  EXPECT_FALSE(world.file("tables.py").contains("12:"));
  world.in_tree("git reset -q --hard; git stash clear; git bisect start -q 2>&1");
  const auto bisected = world.in_tree("git checkout -q HEAD~ 2>&1");
  EXPECT_TRUE(bisected.contains(
      "portpatch: only looked, as git has a bisect under way; afterwards: portpatch apply "))
      << bisected;
  EXPECT_EQ(world.in_tree("git status -s"), "");
}

TEST(Hooks, AreSilentUnderPortpatchsOwnPull) {
  const PullWorld world;
  ASSERT_EQ(world.portpatch("apply pack").status, 0);
  ASSERT_EQ(hook(world, "install pack").status, 0);
  world.in_tree(
      "printf '#!/bin/sh\\necho other >>../called\\n' >.git/hooks/post-merge.before-portpatch; "
      "chmod +x .git/hooks/post-merge.before-portpatch");
  world.advance();
  const auto ran = world.portpatch("pull pack");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.error, "");
  EXPECT_EQ(world.run("cat called"), "other\n") << "the user's own hook is called";
  EXPECT_EQ(world.portpatch("undo --list").out.find("apply pack"),
            world.portpatch("undo --list").out.rfind("apply pack"));
}

TEST(Hooks, KeepAndCallTheHookThatWasThere) {
  const PullWorld world;
  const auto mine = "#!/bin/sh\necho \"mine $*\"; cat\nexit 3\n"s;
  for (const auto* name : {"post-merge", "post-rewrite", "post-checkout"})
    world.scratch().write("tree/.git/hooks/"s + name, mine, 0751);
  const auto before = world.in_tree("ls -l --time-style=+ .git/hooks; cat .git/hooks/post-*");
  EXPECT_TRUE(
      hook(world, "status").out.contains("post-merge     foreign    tree/.git/hooks/post-merge\n"));
  ASSERT_EQ(hook(world, "install pack").status, 0);
  EXPECT_TRUE(hook(world, "status")
                  .out.contains("    calls first tree/.git/hooks/post-merge.before-portpatch\n"));
  const auto amended = world.in_tree("git commit -q --amend -m amended 2>&1");
  EXPECT_TRUE(amended.starts_with("mine amend\n")) << amended;
  EXPECT_EQ(amended.size() > 100, true) << "the list of commits is handed on: " << amended;
  EXPECT_EQ(world.in_tree("git checkout -q -b other >/dev/null 2>&1 || echo $?"), "1\n")
      << "its failure is told to git";
  ASSERT_EQ(hook(world, "uninstall").status, 0);
  EXPECT_EQ(world.in_tree("ls -l --time-style=+ .git/hooks; cat .git/hooks/post-*"), before);
}

TEST(Hooks, ThatWereEditedAreLeftAlone) {
  const PullWorld world;
  ASSERT_EQ(hook(world, "install pack").status, 0);
  world.in_tree("echo 'echo more' >>.git/hooks/post-merge");
  const auto status = hook(world, "status");
  EXPECT_TRUE(status.out.starts_with("post-merge     changed    ")) << status.out;
  EXPECT_EQ(status.status, 1);
  const auto before = world.in_tree("cat .git/hooks/post-*");
  EXPECT_TRUE(hook(world, "uninstall").error.contains("[changed-hook]"));
  EXPECT_TRUE(hook(world, "install pack").error.contains("[changed-hook]"));
  EXPECT_EQ(world.in_tree("cat .git/hooks/post-*"), before);
}

TEST(Hooks, ThatTookTheirPlaceAreNotOverwritten) {
  const PullWorld world;
  world.scratch().write("tree/.git/hooks/post-merge", "#!/bin/sh\n", 0755);
  ASSERT_EQ(hook(world, "install pack").status, 0);
  world.scratch().write("tree/.git/hooks/post-merge", "#!/bin/sh\necho theirs\n", 0755);
  EXPECT_TRUE(hook(world, "install pack").error.contains("[two-hooks]"));
  EXPECT_TRUE(
      hook(world, "status")
          .out.contains("    the hook from before: tree/.git/hooks/post-merge.before-portpatch\n"));
}

TEST(Hooks, StandWhereCoreHooksPathSays) {
  const PullWorld world;
  world.in_tree("git config core.hooksPath .githooks");
  EXPECT_EQ(hook(world, "install pack").status, 0);
  EXPECT_EQ(world.in_tree("ls .githooks"), "post-checkout\npost-merge\npost-rewrite\n");
  world.advance();
  world.in_tree("git pull -q --ff-only 2>&1");
  EXPECT_EQ(world.file("tables.py"), PullWorld::kPulledTables);
  const auto shared = world.portpatch(
      "hook install pack",
      "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/tmp/shared");
  EXPECT_EQ(shared.status, 2);
  EXPECT_TRUE(shared.error.contains("[shared-hooks]")) << shared.error;
}

TEST(Hooks, ServeLinkedWorkTrees) {
  const PullWorld world;
  world.in_tree("git worktree add -q ../linked -b linked --track origin/main 2>&1");
  EXPECT_TRUE(portpatch(world.scratch(), "-C linked hook install pack")
                  .out.contains("tree/.git/hooks/post-merge"));
  world.advance();
  world.run("git -C linked pull -q --ff-only 2>&1");
  EXPECT_EQ(world.scratch().read("linked/tables.py"), PullWorld::kPulledTables);
  EXPECT_EQ(world.file("tables.py"), PullWorld::tables());
}

TEST(Hooks, NeverMakeGitFail) {
  const PullWorld world;
  ASSERT_EQ(hook(world, "install pack").status, 0);
  world.run("mv pack gone");
  const auto said = world.in_tree("git checkout -q -b other 2>&1; echo $?");
  EXPECT_TRUE(said.contains("portpatch: the rules were not applied\n0\n")) << said;
  world.in_tree(
      "sed -i \"s#^portpatch=.*#portpatch='/nowhere/portpatch'#\" .git/hooks/post-checkout");
  EXPECT_EQ(world.in_tree("PATH=/usr/bin:/bin; git checkout -q main 2>&1; echo $?"),
            "portpatch is not found, so the rules were not applied; afterwards: portpatch apply " +
                world.scratch().path("pack") + "\n0\n");
}

TEST(Hooks, CanBeCalledByThePreCommitFramework) {
  const PullWorld world;
  EXPECT_EQ(
      portpatch(world.scratch(), "hook framework ../pack", "tree", "PRE_COMMIT_CHECKOUT_TYPE=0")
          .error,
      "");
  EXPECT_EQ(world.file("tables.py"), PullWorld::tables());
  EXPECT_TRUE(
      portpatch(world.scratch(), "hook framework ../pack", "tree", "PRE_COMMIT_CHECKOUT_TYPE=1")
          .error.contains("  edited     "));
  EXPECT_TRUE(world.file("tables.py").contains("12: [6, 8]"));
  EXPECT_EQ(portpatch(world.scratch(), "hook framework ../pack", "tree",
                      "PRE_COMMIT_REWRITE_COMMAND=rebase")
                .error,
            "portpatch: 2 rules hold\n");
  EXPECT_EQ(portpatch(world.scratch(), "hook framework ../pack", "tree").error,
            "portpatch: 2 rules hold\n");
  EXPECT_EQ(portpatch(world.scratch(), "hook framework ../nowhere", "tree").status, 0);
}

/// What a faulty file system leaves of the hooks, and whether the command says that all is done.
void expect_before_or_after(const PullWorld& world,
                            const std::function<bool(const WorkTree&, FileSystem&)>& action,
                            const std::string& before, const std::string& after) {
  const auto tree = open_tree(world.scratch().path("tree"));
  world.run("cp -a tree/.git/hooks saved");
  for (int at = 1;; ++at) {
    SCOPED_TRACE(at);
    world.run("rm -rf tree/.git/hooks; cp -a saved tree/.git/hooks");
    FaultyFileSystem files(Fault::kFailOnce, at);
    const bool is_done = action(tree, files);
    EXPECT_EQ(world.in_tree("cd .git/hooks; head -n 100 *"), is_done ? after : before);
    if (files.count() < at) break;
  }
  world.run("rm -rf saved");
}

TEST(Hooks, AreAllInPlaceOrNoneWhereAStepFails) {
  const PullWorld world;
  world.in_tree("rm -rf .git/hooks; mkdir .git/hooks");
  world.scratch().write("tree/.git/hooks/post-rewrite", "#!/bin/sh\necho mine\n", 0755);
  const auto shown = [&] { return world.in_tree("cd .git/hooks; head -n 100 *"); };
  const auto program = world.scratch().path("program"), pack = world.scratch().path("pack");
  const auto install = [&](const WorkTree& tree, FileSystem& files) {
    return install_hooks(tree, files, program, {pack}).has_value();
  };
  const auto before = shown();
  const auto tree = open_tree(world.scratch().path("tree"));
  ASSERT_TRUE(install(tree, real_file_system()));
  const auto after = shown();
  expect_before_or_after(
      world,
      [](const WorkTree& at, FileSystem& files) { return uninstall_hooks(at, files).has_value(); },
      after, before);
  ASSERT_EQ(shown(), before);
  expect_before_or_after(world, install, before, after);
}

TEST(Hooks, OfAnInstallThatWasKilledAreInstalledAgain) {
  const PullWorld world;
  const std::string mine = "#!/bin/sh\necho mine\n";
  world.scratch().write("tree/.git/hooks/post-merge", mine, 0755);
  world.in_tree(
      "cd .git/hooks; ln post-merge post-merge.before-portpatch; echo half "
      ">post-merge.portpatch.tmp");
  EXPECT_EQ(hook(world, "install pack").status, 0);
  EXPECT_EQ(world.file(".git/hooks/post-merge.before-portpatch"), mine);
  EXPECT_EQ(hook(world, "uninstall").status, 0);
  EXPECT_EQ(world.file(".git/hooks/post-merge"), mine);
  EXPECT_EQ(world.in_tree("ls .git/hooks | grep portpatch || true"), "");
}

TEST(Hooks, DoNotTouchAnotherRepositoryThanGits) {
  const PullWorld world;
  world.run(
      "mkdir home; cp tree/tables.py home/; git --git-dir=dot.git --work-tree=home init -q -b main "
      "2>&1; git --git-dir=dot.git --work-tree=home add tables.py; "
      "git --git-dir=dot.git --work-tree=home commit -q -m one; cp -r home tree/home");
  world.run("cp tree/.git/hooks/*.sample dot.git/hooks/ 2>/dev/null || true");
  ASSERT_EQ(hook(world, "install pack").status, 0);
  world.run("cp tree/.git/hooks/post-checkout dot.git/hooks/");
  const auto said = world.run(
      "cd tree/home; git --git-dir=../../dot.git --work-tree=. checkout -q -b other 2>&1");
  EXPECT_TRUE(
      said.contains("portpatch: the rules were not applied: this is not the work tree that git "
                    "works on; afterwards: portpatch apply "))
      << said;
  EXPECT_EQ(world.in_tree("git status -s"), "?? home/\n");
}

}  // namespace
}  // namespace portpatch::test
