#include "repo/commit_range.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "tests/repo/scratch.h"

namespace portpatch::test {
namespace {

/// main: one, two, merge of side, three; side: from one.
class CommitRangeTest : public testing::Test {
 protected:
  CommitRangeTest() {
    scratch_.run(
        "git init -q -b main tree; cd tree; c() { git commit -q --allow-empty -m $1; git tag $1; };"
        "c one; git checkout -q -b s; c side; git checkout -q main; c two; git merge -q --no-ff -m "
        "m s; git tag merge; c three;"
        "git checkout -q -b o one; c other; git checkout -q --orphan a; c alone; git checkout -q "
        "main");
  }

  Result<CommitRange> resolve(const std::string& text, const std::string& folder = "tree") const {
    const auto tree = open_repository_tree(scratch_.path(folder));
    if (!tree) return std::unexpected(tree.error());
    const auto history = History::open(*tree);
    if (!history) return std::unexpected(history.error());
    return resolve_range(*history, text);
  }
  std::string id(const std::string& name) const {
    return std::string(trim(scratch_.run("git -C tree rev-parse " + name)));
  }

  /// The error as it is printed; ids of commits by their tags.
  std::string error(const std::string& text, const std::string& folder = "tree") const {
    const auto range = resolve(text, folder);
    if (range) return "no error";
    auto said = render(range.error(), false);
    for (const auto* name : {"one", "two", "side", "other"}) {
      for (auto at = said.find(id(name).substr(0, 12)); at != std::string::npos;
           at = said.find(id(name).substr(0, 12)))
        said.replace(at, 12, "<" + std::string(name) + ">");
    }
    return said;
  }

  Scratch scratch_;
};

using Commits = std::vector<std::string>;

TEST_F(CommitRangeTest, HoldsTheCommitsBehindTheFirstUpToTheLast) {
  const auto range = resolve("one..three");
  ASSERT_TRUE(range) << range.error().message;
  EXPECT_EQ(range->from, id("one"));
  EXPECT_EQ(range->to, id("three"));
  EXPECT_EQ(range->commits, (Commits{id("two"), id("merge"), id("three")}));
  EXPECT_EQ(range->name, "one..three");
}

TEST_F(CommitRangeTest, AnEndThatIsLeftOutIsHead) {
  EXPECT_EQ(resolve("two..")->commits, (Commits{id("merge"), id("three")}));
  scratch_.run("git -C tree checkout -q one");
  EXPECT_EQ(resolve("..two")->commits, Commits{id("two")});
  EXPECT_EQ(resolve("HEAD..HEAD")->commits, Commits{});
}

TEST_F(CommitRangeTest, WhatIsNoRangeIsRefused) {
  EXPECT_EQ(error("three"), R"(error: `three` is no range of commits [bad-range]
  help: write A..B: the commits after A up to B; `A..` ends at HEAD, `..B` begins there
)");
  EXPECT_EQ(error("one...three"), R"(error: `one...three` is no range of commits [bad-range]
  help: a timeline goes along first parents from A to B: write `A..B` with two dots
)");
  for (const auto* text : {"..", "../pack", "one..two..three"}) {
    EXPECT_EQ(error(text), "error: `" + std::string(text) + R"(` is no range of commits [bad-range]
  help: the packs come first, then one range A..B: the commits after A up to B
)");
  }
  EXPECT_EQ(error("one..none"),
            R"(error: `none` names no commit of this repository [unknown-revision]
  help: see `git log --oneline --all`; a commit of a remote is there after `git fetch`
)");
}

TEST_F(CommitRangeTest, ACommitOffTheLineIsRefusedWithWhatToWriteInstead) {
  EXPECT_EQ(error("three..one"),
            R"(error: three is not on the first-parent line of one [not-first-parent]
  note: one comes before three: the range is the wrong way round
  help: write `one..three`
)");
  EXPECT_EQ(error("side..three"),
            R"(error: side is not on the first-parent line of three [not-first-parent]
  note: side came in through the other side of a merge
  help: begin at a commit of `git log --first-parent three`
)");
  EXPECT_EQ(error("other..three"),
            R"(error: other is not on the first-parent line of three [not-first-parent]
  note: the two parted at <one>
  help: `<one>..three` begins there
)");
  EXPECT_EQ(error("alone..three"),
            R"(error: alone is not on the first-parent line of three [not-first-parent]
  note: the two have no common history
  help: name two commits of one branch
)");
}

TEST_F(CommitRangeTest, TheEdgeOfAShallowCloneIsSaid) {
  scratch_.run(
      "git clone -q --depth=1 file://$PWD/tree shallow; cd shallow; git fetch -q --depth=1 origin "
      "tag two");
  EXPECT_EQ(error("two..main", "shallow"),
            R"(error: two is not on the first-parent line of main [not-first-parent]
  note: the history of this repository is cut off (a shallow clone)
  help: `git fetch --unshallow` brings the rest; or begin at a commit that is here
)");
  EXPECT_EQ(resolve(id("one") + "..main", "shallow").error().code, "unknown-revision");
  EXPECT_EQ(resolve("main..main", "shallow")->commits, Commits{});
}

}  // namespace
}  // namespace portpatch::test
