// git as a program: what it is told, and what is said of it.
#include "repo/git_program.h"

#include <gtest/gtest.h>

#include "tests/repo/scratch.h"

namespace portpatch::test {
namespace {

TEST(GitProgram, SpeaksEnglish) {
  const Scratch scratch;
  scratch.run("git init -q tree");
  ::setenv("LANGUAGE", "de", 1);
  const auto printed = git_output(open_tree(scratch.path("tree")),
                                  {"-c", "alias.told=!echo $LANGUAGE", "told"});
  ::unsetenv("LANGUAGE");
  ASSERT_TRUE(printed) << printed.error().message;
  EXPECT_EQ(*printed, "C\n");
}

TEST(GitProgram, AFailureNamesTheCommandAndNotItsOptions) {
  const Scratch scratch;
  scratch.run("git init -q tree");
  const auto printed = git_output(
      open_tree(scratch.path("tree")),
      {"--literal-pathspecs", "-c", "core.fsmonitor=false", "rev-parse", "nothing"});
  ASSERT_FALSE(printed);
  EXPECT_EQ(printed.error().message, "`git rev-parse` ended with status 128");
}

}  // namespace
}  // namespace portpatch::test
