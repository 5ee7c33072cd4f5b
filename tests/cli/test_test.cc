#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "apply/transaction.h"
#include "tests/apply/faulty_file_system.h"
#include "tests/cli/program.h"

namespace portpatch::test {
namespace {

const std::string kRule =
    "; Ours.\n((assignment left: (identifier) @n right: (dictionary) @d)\n (#eq? @n \"TABLE\")\n "
    "(#ensure-entry! @d \"12\" \"1\"))\n";

/// A pack with one fixture, and a tree that nothing may touch.
class FixtureWorld : public World {
 public:
  explicit FixtureWorld(const std::string& after)
      : World({{"python/table.scm", kRule}}, {{"mine.py", "TABLE = {}\n"}}) {
    scratch().write("pack/tests/plain/before/a.py", "TABLE = {\n    9: 1,\n}\n");
    if (!after.empty()) scratch().write("pack/tests/plain/after/a.py", after);
  }
};

TEST(CommandTest, AFixtureThatHolds) {
  const FixtureWorld one("TABLE = {\n    9: 1,\n    12: 1,\n}\n");
  one.scratch().write("pack/tests/plain/outcomes", "python/table edited\n");
  const auto ran = portpatch(one.scratch(), "test pack");
  EXPECT_EQ(ran.error, "");
  EXPECT_EQ(ran.out, "passed   pack/tests/plain\n1 fixture, 0 failed\n");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(one.file("mine.py"), "TABLE = {}\n");
}

TEST(CommandTest, OutcomesThatCannotBeReadAreNotPassedOver) {
  const FixtureWorld one("TABLE = {\n    9: 1,\n    12: 1,\n}\n");
  fs::create_directories(one.scratch().path("pack/tests/plain/outcomes"));
  const auto ran = portpatch(one.scratch(), "test pack");
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.error,
            "error: cannot read pack/tests/plain/outcomes: not a regular file [unreadable-file]\n");
}

TEST(CommandTest, ADifferenceIsShown) {
  const FixtureWorld one("TABLE = {\n    9: 1,\n    12: 2,\n}\n");
  one.scratch().write("pack/tests/plain/outcomes", "python/table held\n");
  const auto ran = portpatch(one.scratch(), "test pack");
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.out,
            "failed   pack/tests/plain\n"
            "  what comes out is not after/:\n"
            "  the outcomes are not those of the file `outcomes`:\n"
            "  diff --git a/a.py b/a.py\n"
            "  index BLOBS 100644\n"
            "  --- a/a.py\n"
            "  +++ b/a.py\n"
            "  @@ -1,4 +1,4 @@\n"
            "   TABLE = {\n"
            "       9: 1,\n"
            "  -    12: 2,\n"
            "  +    12: 1,\n"
            "   }\n"
            "  diff --git a/outcomes b/outcomes\n"
            "  index BLOBS 100644\n"
            "  --- a/outcomes\n"
            "  +++ b/outcomes\n"
            "  @@ -1 +1 @@\n"
            "  -python/table held\n"
            "  +python/table edited\n"
            "1 fixture, 1 failed\n");
}

TEST(CommandTest, UpdateWritesWhatComesOutAndCanBeUndone) {
  const FixtureWorld one("");
  EXPECT_EQ(portpatch(one.scratch(), "test pack").status, 1);
  const auto ran = portpatch(one.scratch(), "-C tree test pack --update");
  EXPECT_EQ(ran.error, "");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(one.scratch().read("pack/tests/plain/after/a.py"),
            "TABLE = {\n    9: 1,\n    12: 1,\n}\n");
  EXPECT_EQ(one.scratch().read("pack/tests/plain/outcomes"), "python/table edited\n");
  EXPECT_EQ(portpatch(one.scratch(), "test pack").status, 0);
  EXPECT_EQ(portpatch(one.scratch(), "-C tree undo").status, 0);
  EXPECT_FALSE(fs::exists(one.scratch().path("pack/tests/plain/outcomes")));
}

TEST(CommandTest, UpdateTellsOfTheInterruptedRunThatItEnded) {
  const FixtureWorld one("");
  const auto tree = open_work_tree(one.scratch().path("tree"));
  ASSERT_TRUE(tree);
  for (int at = 1; !interrupted_run(*tree).value(); ++at) {
    const auto child = ::fork();
    if (child == 0) {
      FaultyFileSystem files(Fault::kKill, at);
      const auto run = commit_changes(*tree, files, {{"mine.py", "TABLE = {}\n", ""}},
                                      "apply pack");
      ::_exit(run ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << at;
  }
  const auto ran = portpatch(one.scratch(), "-C tree test pack --update");
  EXPECT_EQ(ran.status, 0);
  EXPECT_TRUE(ran.out.starts_with("note: the interrupted run RUN (apply pack) was rolled back"))
      << ran.out;
}

TEST(CommandTest, WithoutFixturesNothingIsProven) {
  const World one({{"python/table.scm", kRule}});
  const auto ran = portpatch(one.scratch(), "test pack");
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.out,
            "there is no fixture: a pack's tests are PACK/tests/NAME/before and after; --update "
            "writes after\n0 fixtures, 0 failed\n");
  EXPECT_EQ(portpatch(one.scratch(), "test pack/python/table").status, 2);
  EXPECT_EQ(portpatch(one.scratch(), "test nowhere").status, 2);
}

/// A pack, and a tree of four commits.
class DatedWorld : public World {
 public:
  DatedWorld() : World(PackText{{"python/table.scm", kRule}}) {
    scratch().run("rmdir tree; git init -q -b main tree");
    commit("2026-01-05", "echo 'TABLE = {9: 1}' >a.py", "Begin");
    commit("2026-01-06", "echo x >b.txt", "Add words");
    commit("2026-01-15", "echo y >a.py", "Drop the table");
    commit("2026-02-01", "echo z >b.txt", "More words");
  }

 private:
  void commit(const std::string& date, const std::string& change,
              const std::string& subject) const {
    scratch().run("cd tree; " + change + "; git add -A; GIT_AUTHOR_DATE=" + date +
                  "T12:00:00Z GIT_COMMITTER_DATE=" + date + "T12:00:00Z git commit -q -m '" +
                  subject + "'");
  }
};

TEST(CommandTest, AlongAHistory) {
  const DatedWorld one;
  const auto ran = portpatch(one.scratch(), "-C tree test pack --history HEAD~3..HEAD");
  EXPECT_EQ(ran.error, "");
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.out,
            "from      COMMIT (2026-01-05) Begin\n"
            "to        COMMIT (2026-02-01) More words\n"
            "commits   3 along first parents, and the one before\n"
            "\n"
            "pack/python/table\n"
            "  pending         2 commits    10 days\n"
            "  lost            2 commits    17 days  needs a person\n"
            "  COMMIT  2026-01-15  Drop the table\n"
            "    pending -> lost\n");
}

TEST(CommandTest, AHistoryOfPiecesIsTheWholeOne) {
  const DatedWorld one;
  const auto run = [&](const std::string& arguments) {
    return one.scratch().run(PORTPATCH_PROGRAM " -C tree --format json " + arguments + " || true");
  };
  one.scratch().write("1.json", run("timeline --shard 1/2 pack HEAD~3..HEAD"));
  one.scratch().write("2.json", run("timeline --shard 2/2 pack HEAD~3..HEAD"));
  EXPECT_EQ(run("test --merge 2.json 1.json"), run("test --history HEAD~3..HEAD pack"));
  one.scratch().run("git init -q other; cd other; git commit -q --allow-empty -m Other");
  EXPECT_EQ(portpatch(one.scratch(), "-C other test --merge 1.json 2.json").status, 2);
  EXPECT_EQ(portpatch(one.scratch(), "-C tree test --merge 1.json").error,
            R"(error: piece 2 of 2 is not here [missing-shard]
  help: make it with --shard 2/2
)");
}

}  // namespace
}  // namespace portpatch::test
