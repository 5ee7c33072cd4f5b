#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace portpatch::test {
namespace {

const std::string kRule =
    "((assignment left: (identifier) @n right: (dictionary) @d)\n (#eq? @n \"TABLE\")\n "
    "(#ensure-entry! @d \"12\" \"1\"))\n";
const std::string kOther =
    "((assignment left: (identifier) @n right: (dictionary) @d)\n (#eq? @n \"OTHER\")\n "
    "(#ensure-entry! @d \"1\" \"1\"))\n";

/// Five commits: found, other words, conflict, gone, upstreamed.
class HistoryWorld : public World {
 public:
  HistoryWorld() : World({{"python/table.scm", kRule}, {"python/other.scm", kOther}}) {
    scratch().run("rmdir tree; git init -q -b main tree");
    commit("printf 'TABLE = {9: 1}\\nclass A:\\n    OTHER = {}\\n' >a.py", "Begin");
    commit("echo x >b.txt", "Add words");
    commit("sed -i 's/9: 1/12: 2/' a.py", "Add SM120");
    commit("sed -i /TABLE/d a.py", "Drop the table");
    commit("echo 'TABLE = {12: 1}' >c.py", "Add the table again");
  }

 private:
  void commit(const std::string& change, const std::string& subject) const {
    scratch().run("cd tree; " + change +
                  "; git add -A; GIT_AUTHOR_DATE=2026-01-05T12:00:00Z "
                  "GIT_COMMITTER_DATE=2026-01-05T12:00:00Z git commit -q -m '" +
                  subject + "'");
  }
};

TEST(CommandTimeline, ShowsABlockForEachRule) {
  const HistoryWorld world;
  const auto ran = portpatch(world.scratch(), "-C tree timeline pack HEAD~4..");
  EXPECT_EQ(ran.error, "");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.out, R"(tree      tree
from      COMMIT (2026-01-05) Begin
to        COMMIT (2026-01-05) Add the table again
commits   4 along first parents

pack/python/other
  COMMIT  2026-01-05  pending              a.py in A
  no change

pack/python/table
  COMMIT  2026-01-05  pending              a.py
  COMMIT  2026-01-05  pending -> conflict  Add SM120
                                                 the key 12 stands there with another value
  COMMIT  2026-01-05  conflict -> lost     Drop the table
                                                 no place in the tree
  COMMIT  2026-01-05  lost -> upstreamed   Add the table again
                                                 c.py

2 rules, 3 changes; at COMMIT: 1 upstreamed, 1 pending
)");
  EXPECT_EQ(portpatch(world.scratch(), "-C tree timeline pack HEAD~4..HEAD~1").status, 1)
      << "lost at the end";
  EXPECT_EQ(portpatch(world.scratch(), "-C tree timeline pack/python/other HEAD~4..HEAD~1").status,
            0);
}

TEST(CommandTimeline, JoinsPiecesInAnyOrder) {
  const HistoryWorld world;
  const auto& scratch = world.scratch();
  const auto json = [&](const std::string& arguments, const std::string& file) {
    return scratch.run(PORTPATCH_PROGRAM " --format json timeline " + arguments + " >" + file +
                       " && echo 0 || echo $?");
  };
  EXPECT_EQ(json("-C tree pack HEAD~4..", "whole.json"), "0\n");
  EXPECT_EQ(json("-C tree --shard 1/3 pack HEAD~4..", "1.json"), "0\n");
  EXPECT_EQ(json("-C tree --shard 2/3 pack HEAD~4..", "2.json"), "1\n")
      << "each piece exits by its own end";
  EXPECT_EQ(json("-C tree --shard 3/3 pack HEAD~4..", "3.json"), "0\n");
  EXPECT_EQ(json("--merge 3.json 1.json 2.json", "merged.json"), "0\n");
  EXPECT_EQ(scratch.read("merged.json"), scratch.read("whole.json"));
  EXPECT_EQ(portpatch(scratch, "timeline --merge 1.json 2.json 3.json").out,
            portpatch(scratch, "-C tree timeline pack HEAD~4..").out);
  EXPECT_EQ(portpatch(scratch, "timeline --merge 1.json 3.json").error,
            R"(error: piece 2 of 3 is not here [missing-shard]
  help: make it with --shard 2/3
)");
  EXPECT_EQ(portpatch(scratch, "timeline --merge 1.json none.json pack/pack.toml").error,
            R"(error: cannot read none.json: No such file or directory [unreadable-file]
error: pack/pack.toml holds no timeline: it is no JSON [no-timeline]
  help: give the files that `portpatch timeline --format json --shard I/N PACK... A..B` printed
2 errors
)");
  EXPECT_TRUE(portpatch(scratch, "-C tree timeline --shard 2/3 pack HEAD~4..")
                  .out.contains("; piece 2 of 3: the 1 after COMMIT"));
}

TEST(CommandTimeline, MistakesHaveTheirRemedy) {
  const HistoryWorld world;
  const auto error = [&](const std::string& arguments) {
    const auto ran = portpatch(world.scratch(), arguments);
    return ran.status == 2 ? ran.error : "exit " + std::to_string(ran.status);
  };
  EXPECT_EQ(error("-C tree timeline pack"),
            R"(error: a timeline needs packs and a range of commits [no-range]
  help: portpatch timeline PACK... A..B: the commits after A up to B
)");
  EXPECT_EQ(error("-C tree timeline pack HEAD"), R"(error: `HEAD` is no range of commits [bad-range]
  help: write A..B: the commits after A up to B; `A..` ends at HEAD, `..B` begins there
)");
  for (const auto* shard : {"3", "0/2", "3/2", "1/2/3", "a/b", "/", "1/", "-1/2"}) {
    EXPECT_EQ(error(std::string("-C tree timeline --shard=") + shard + " pack HEAD~..HEAD"),
              "error: `" + std::string(shard) + R"(` is no piece of a timeline [bad-shard]
  help: write I/N with I from 1 to N: --shard 3/8 is the third of eight pieces
)");
  }
  EXPECT_EQ(error("timeline --merge --shard 1/2 a.json"),
            R"(error: --shard makes a piece, --merge joins pieces: not both at once [bad-option]
  help: see portpatch timeline --help
)");
  EXPECT_EQ(error("-C pack timeline pack HEAD~.."),
            R"(error: pack is in no git repository, so it has no revisions [no-repository]
  help: name a repository with -C; a bare one will do
)");
  EXPECT_EQ(error("-C tree timeline none HEAD~.."),
            portpatch(world.scratch(), "-C tree status none").error);
}

TEST(CommandTimeline, NothingFromTheHistoryReachesTheTerminalRaw) {
  const HistoryWorld world;
  world.scratch().run(
      "cd tree; sed -i '$d' c.py; git add -A; printf 'x\\033]0;evil\\007\\n' | git commit -q -F -");
  for (const auto* format : {"text", "json"}) {
    const auto ran = portpatch(
        world.scratch(), std::string("-C tree --format ") + format + " timeline pack HEAD~5..");
    EXPECT_EQ(ran.status, 1) << ran.error;
    EXPECT_TRUE(ran.out.contains("evil"));
    EXPECT_FALSE(ran.out.contains('\x1b') || ran.out.contains('\x07'));
  }
}

}  // namespace
}  // namespace portpatch::test
