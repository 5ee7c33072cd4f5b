// What goes wrong on real machines, through the program: see tests/apply for each step of the
// transaction.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>

#include "tests/cli/program.h"

namespace portpatch::test {
namespace {

const std::string kRule =
    "((assignment left: (identifier) @n right: (dictionary) @d)\n (#eq? @n \"TABLE\")\n "
    "(#ensure-entry! @d \"12\" \"1\"))\n";

World small_world() { return World({{"python/table.scm", kRule}}, {{"a.py", "TABLE = {9: 1}\n"}}); }

TEST(Faults, ASecondRunAtTheSameTimeIsRefused) {
  const auto world = small_world();
  EXPECT_EQ(portpatch(world.scratch(), "-C tree apply pack").status, 0);
  EXPECT_EQ(portpatch(world.scratch(), "-C tree undo").status, 0);
  const int lock = ::open(world.scratch().path("tree/.portpatch/lock").c_str(), O_RDWR);
  ASSERT_GE(lock, 0);
  ASSERT_EQ(::flock(lock, LOCK_EX), 0);
  const auto ran = portpatch(world.scratch(), "-C tree apply pack");
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(ran.error.contains("[locked]")) << ran.error;
  EXPECT_EQ(world.file("a.py"), "TABLE = {9: 1}\n");
  EXPECT_EQ(portpatch(world.scratch(), "-C tree status pack").status, 0) << "reading needs no lock";
  ::close(lock);
  EXPECT_EQ(portpatch(world.scratch(), "-C tree apply pack").status, 0);
}

TEST(Faults, ManyRunsAtOnceEndWithOneEdit) {
  const auto world = small_world();
  world.scratch().run("for i in 1 2 3 4 5 6; do " PORTPATCH_PROGRAM
                      " -C tree apply pack >/dev/null 2>&1 & done; wait");
  EXPECT_EQ(world.file("a.py"), "TABLE = {9: 1, 12: 1}\n");
  EXPECT_EQ(portpatch(world.scratch(), "-C tree status --check pack").status, 0);
  EXPECT_EQ(world.scratch().run("ls tree"), "a.py\n");
}

TEST(Faults, ALockOutsideOfTheTreeWritesNothing) {
  const auto world = small_world();
  world.scratch().write("outside.py", "TABLE = {9: 1}\n");
  world.scratch().write("pack/pack.lock",
                        "format = 1\n[[rules.\"python/table\"]]\npath = \"../outside.py\"\n");
  const auto ran = portpatch(world.scratch(), "-C tree apply --accept-moves pack");
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.error,
            R"(pack/pack.lock:3:8: error: `../outside.py` is no path inside a tree [bad-lock]
  3 | path = "../outside.py"
    |        ^^^^^^^^^^^^^^^
  help: remove this table, then record the base again with `portpatch refresh`
)");
  EXPECT_EQ(world.scratch().read("outside.py"), "TABLE = {9: 1}\n");
  EXPECT_EQ(world.file("a.py"), "TABLE = {9: 1}\n");
}

TEST(Faults, ALinkThatLeadsOutOfTheTreeIsNotWrittenThrough) {
  const auto world = small_world();
  world.scratch().write("outside.py", "TABLE = {9: 1}\n");
  world.scratch().write("pack/pack.lock",
                        "format = 1\n[[rules.\"python/table\"]]\npath = \"a.py\"\n");
  world.scratch().run("ln -sf ../outside.py tree/a.py");
  const auto ran = portpatch(world.scratch(), "-C tree apply pack");
  EXPECT_NE(ran.status, 0);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.error, R"(error: a.py is not written: it leads to outside.py [outside-tree]
  help: name the file by its real path within the tree
)");
  EXPECT_EQ(world.scratch().read("outside.py"), "TABLE = {9: 1}\n");
}

TEST(Faults, AFolderLinkThatLeadsOutOfTheTreeIsNotFollowed) {
  const auto world = small_world();
  world.scratch().write("outside/b.py", "TABLE = {9: 1}\n");
  world.scratch().write("pack/pack.lock",
                        "format = 1\n[[rules.\"python/table\"]]\npath = \"link/b.py\"\n");
  world.scratch().run("ln -s ../outside tree/link; rm tree/a.py");
  const auto ran = portpatch(world.scratch(), "-C tree apply pack");
  EXPECT_NE(ran.status, 0);
  EXPECT_EQ(world.scratch().read("outside/b.py"), "TABLE = {9: 1}\n");
}

TEST(Faults, AReadOnlyFileIsNamedAndNothingIsWritten) {
  const World world({{"python/table.scm", kRule},
                     {"python/other.scm",
                      "((assignment left: (identifier) @n right: (dictionary) @d)\n (#eq? @n "
                      "\"OTHER\")\n (#ensure-entry! @d \"1\" \"1\"))\n"}},
                    {{"a.py", "TABLE = {9: 1}\n"}, {"b.py", "OTHER = {9: 1}\n"}});
  world.scratch().run("chmod 0444 tree/b.py");
  const auto ran = portpatch(world.scratch(), "-C tree apply pack");
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.error, R"(error: tree/b.py is read-only [read-only]
  help: if it may be changed: chmod u+w tree/b.py
)");
  EXPECT_EQ(world.file("a.py"), "TABLE = {9: 1}\n");
  EXPECT_EQ(world.file("b.py"), "OTHER = {9: 1}\n");
  EXPECT_EQ(world.scratch().run("ls -A tree | grep -v '^.portpatch$'"), "a.py\nb.py\n");
}

TEST(Faults, AFileThatCannotBeReadIsNamed) {
  const auto world = small_world();
  world.scratch().run(
      "ln -s nowhere tree/c.py; mkfifo tree/d.py; cd tree; git init -q; git add a.py c.py; ");
  const auto ran = portpatch(world.scratch(), "-C tree status pack");
  EXPECT_EQ(ran.status, 0) << ran.error;
}

TEST(Faults, AFileThatIsGoneFromAGitTreeIsNamed) {
  const auto world = small_world();
  world.write("b.py", "TABLE = 1\n");
  world.clone();
  world.scratch().run("rm tree/b.py");
  EXPECT_EQ(portpatch(world.scratch(), "-C tree status pack").out, R"(tree      tree

  pending    pack/python/table  a.py:1
not searched: b.py: No such file or directory

1 rule: 1 pending
next: portpatch apply pack
)");
}

TEST(Faults, AFullStandardOutputIsNoSuccess) {
  const auto world = small_world();
  const int status = std::system(("cd " + world.scratch().path() +
                                  "; " PORTPATCH_PROGRAM
                                  " -C tree status pack >/dev/full 2>/dev/null")
                                     .c_str());
  EXPECT_EQ(WEXITSTATUS(status), 2);
}

}  // namespace
}  // namespace portpatch::test
