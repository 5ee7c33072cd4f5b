#include "repo/pull_arguments.h"

#include <gtest/gtest.h>

#include "tests/repo/scratch.h"

namespace portpatch::test {
namespace {

using namespace std::string_literals;
using Words = std::vector<std::string>;

class PullArgumentsTest : public testing::Test {
 protected:
  PullArgumentsTest() { scratch_.run("git init -q tree"); }
  PullArguments parse(const Words& arguments) const {
    auto parsed = parse_pull_arguments(open_tree(scratch_.path("tree")), arguments,
                                       "refs/heads/main");
    EXPECT_TRUE(parsed) << parsed.error().message;
    return parsed ? *parsed : PullArguments{};
  }
  Joining joining(const std::string& settings, const Words& arguments = {}) const {
    scratch_.run("cd tree; rm -f .git/config; git init -q; " + settings);
    return parse(arguments).joining;
  }
  Scratch scratch_;
};

TEST_F(PullArgumentsTest, AreSortedByWhatTheyAreFor) {
  const auto parsed = parse({"--depth", "3", "-X", "theirs", "-j4", "--tags", "-q", "origin",
                             "--strategy=ort", "main", "--rebase", "--future"});
  EXPECT_EQ(parsed.fetch, (Words{"--depth", "3", "-j4", "--tags", "-q"}));
  EXPECT_EQ(parsed.join, (Words{"-X", "theirs", "-q", "--strategy=ort", "--rebase", "--future"}));
  EXPECT_EQ(parsed.places, (Words{"origin", "main"}));
  EXPECT_EQ(parsed.joining, Joining::kRebase);
}

TEST_F(PullArgumentsTest, SayHowToJoinBeforeTheSettingsDo) {
  EXPECT_EQ(joining(""), Joining::kUnsaid);
  EXPECT_EQ(joining("git config pull.rebase true"), Joining::kRebase);
  EXPECT_EQ(joining("git config pull.rebase merges"), Joining::kRebase);
  EXPECT_EQ(joining("git config pull.rebase false"), Joining::kMerge);
  for (const auto* off : {"False", "NO", "off", "0"}) {
    EXPECT_EQ(joining("git config pull.rebase "s + off), Joining::kMerge) << off;
    EXPECT_EQ(joining("git config pull.rebase true", {"--rebase="s + off}), Joining::kMerge) << off;
  }
  EXPECT_EQ(joining("", {"--rebase=Yes"}), Joining::kRebase);
  EXPECT_EQ(joining("", {"--reb"}), Joining::kRebase);
  EXPECT_EQ(joining("", {"-rmerges"}), Joining::kRebase);
  EXPECT_EQ(joining("git config pull.rebase true", {"-rfalse"}), Joining::kMerge);
  EXPECT_EQ(joining("git config pull.rebase true", {"--rebase="}), Joining::kMerge);
  EXPECT_EQ(joining("git config pull.rebase false; git config branch.main.rebase true"),
            Joining::kRebase);
  EXPECT_EQ(joining("git config pull.ff only"), Joining::kFastForwardOnly);
  EXPECT_EQ(joining("git config pull.ff false"), Joining::kMerge);
  EXPECT_EQ(joining("git config pull.rebase true", {"--no-rebase"}), Joining::kMerge);
  EXPECT_EQ(joining("git config pull.rebase false", {"--rebase", "--ff-only"}),
            Joining::kFastForwardOnly);
}

TEST_F(PullArgumentsTest, ThatCannotBeTakenBackAreRefused) {
  const auto tree = open_tree(scratch_.path("tree"));
  for (const auto* argument :
       {"--autostash", "--squash", "--no-commit", "--edit", "-e", "--dry-run", "--append",
        "--recurse-submodules=yes", "--rebase=interactive", "--autos", "--squ", "--no-com",
        "--recurse=yes", "--reb=i", "-ri", "--rebase=sideways", "-rsideways"}) {
    const auto parsed = parse_pull_arguments(tree, {argument}, "");
    ASSERT_FALSE(parsed) << argument;
    EXPECT_EQ(parsed.error().code, "pull-argument");
    EXPECT_NE(parsed.error().remedy, "");
  }
  scratch_.run("cd tree; git config pull.rebase sideways");
  const auto parsed = parse_pull_arguments(tree, {}, "");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().message, "`sideways` is no value of pull.rebase");
}

}  // namespace
}  // namespace portpatch::test
