#include "base/process.h"

#include <csignal>
#include <cstdlib>

#include <gtest/gtest.h>

namespace portpatch {
namespace {

ProcessResult must_run(ProcessRequest request) {
  auto result = run_process(request);
  EXPECT_TRUE(result) << result.error().message;
  return result ? *result : ProcessResult{};
}

TEST(Process, GivesStatusOutputAndErrors) {
  const auto result = must_run({.arguments = {"sh", "-c", "echo out; echo error >&2; exit 3"}});
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.out, "out\n");
  EXPECT_EQ(result.error, "error\n");
}

TEST(Process, SaysWhichSignalEndedIt) {
  EXPECT_EQ(must_run({.arguments = {"sh", "-c", "kill -9 $$"}}).status, 128 + 9);
}

TEST(Process, KnowsHowItEndedWhereTheStarterIgnoresThat) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(must_run({.arguments = {"false"}}).status, 1);
  EXPECT_EQ(std::signal(SIGCHLD, before), SIG_IGN) << "left as it was";
}

TEST(Process, HandsOnMoreThanAPipeHoldsBothWays) {
  const std::string input(3 << 20, 'x');
  EXPECT_EQ(must_run({.arguments = {"cat"}, .input = input}).out, input);
  EXPECT_EQ(must_run({.arguments = {"true"}, .input = input}).status, 0)
      << "a program that does not read";
}

TEST(Process, RunsWhereAndWithWhatItIsTold) {
  ::setenv("PORTPATCH_TEST_GONE", "1", 1);
  const auto result = must_run(
      {.arguments = {"sh", "-c",
                     "pwd; echo \"${PORTPATCH_TEST_GONE-unset} $PORTPATCH_TEST_SET $HOME\""},
       .folder = "/",
       .unset = {"PORTPATCH_TEST_GONE"},
       .set = {{"PORTPATCH_TEST_SET", "a b"}, {"HOME", "h"}}});
  ::unsetenv("PORTPATCH_TEST_GONE");
  EXPECT_EQ(result.out, "/\nunset a b h\n");
}

TEST(Process, NamesAProgramThatCannotBeStarted) {
  const auto result = run_process({.arguments = {"portpatch-no-such-program"}});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, "no-program");
  EXPECT_EQ(result.error().message,
            "cannot run portpatch-no-such-program: No such file or directory");
  EXPECT_FALSE(run_process({.arguments = {"true"}, .folder = "/nowhere"}));
}

TEST(Process, DoesNotBeginWhenItIsNotAllowedTo) {
  const std::string file = ::testing::TempDir() + "portpatch-process-test";
  std::remove(file.c_str());
  int told = 0;
  const auto result = run_process(
      {.arguments = {"touch", file}, .before_start = [&](int pid) -> Result<void> {
         told = pid;
         return failure("no", "no");
       }});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, "no");
  EXPECT_GT(told, 0);
  EXPECT_NE(std::remove(file.c_str()), 0) << "the program has run";
}

TEST(Process, KillsWhatHangs) {
  const auto begun = std::chrono::steady_clock::now();
  for (const auto* script : {"sleep 60", "exec >&- 2>&-; sleep 60"}) {
    const auto result = run_process(
        {.arguments = {"sh", "-c", script}, .time_limit = std::chrono::seconds(1)});
    ASSERT_FALSE(result) << script;
    EXPECT_EQ(result.error().code, "program-hangs");
    EXPECT_EQ(result.error().message, "sh did not end within 1 s and was killed");
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(30));
  EXPECT_EQ(must_run({.arguments = {"sh", "-c", "echo done"},
                      .time_limit = std::chrono::seconds(60),
                      .most_output = 100})
                .out,
            "done\n");
}

TEST(Process, EndsEndlessOutput) {
  for (const auto* script : {"yes", "yes >&2"}) {
    const auto result = run_process({.arguments = {"sh", "-c", script}, .most_output = 3 << 20});
    ASSERT_FALSE(result) << script;
    EXPECT_EQ(result.error().code, "endless-output");
    EXPECT_EQ(result.error().message, "sh printed more than 3 MB and was killed");
  }
}

TEST(Process, DoesNotWaitForWhatItLeavesBehind) {
  const auto result = must_run({.arguments = {"sh", "-c", "sleep 30 & echo done"}});
  EXPECT_EQ(result.out, "done\n");
}

}  // namespace
}  // namespace portpatch
