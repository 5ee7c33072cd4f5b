// A run that is killed, or fails, at each operation on the file system in turn.
#include <functional>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/apply/faulty_file_system.h"
#include "tests/apply/scenario.h"

namespace portpatch::test {
namespace {

/// Runs `action` in a process that is killed at its `at`-th operation; false once it outlived it.
bool is_killed(int at, const std::function<bool(FileSystem&)>& action) {
  const auto child = ::fork();
  if (child == 0) {
    FaultyFileSystem files(Fault::kKill, at);
    ::_exit(action(files) ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return true;
  EXPECT_EQ(WEXITSTATUS(status), 0) << "at " << at;
  return false;
}

/// Every file of `now` but temporaries reads as in `one` or as in `two`, and none is missing that
/// both have.
void expect_each_old_or_new(const TreeState& now, const TreeState& one, const TreeState& two) {
  for (const auto& [path, file] : now) {
    if (path.contains(".portpatch-")) continue;
    const bool is_old = one.contains(path) && one.at(path) == file;
    const bool is_new = two.contains(path) && two.at(path) == file;
    EXPECT_TRUE(is_old || is_new) << path;
  }
  for (const auto& [path, file] : one)
    EXPECT_TRUE(now.contains(path) || !two.contains(path)) << path;
}

/// Ends what was interrupted, first by a process that is killed too.
void recover_with_another_kill(const Scenario& scenario, int at) {
  (void)is_killed(at, [&](FileSystem& files) {
    return recover_interrupted_run(scenario.tree(), files).has_value();
  });
  const auto recovered = recover_interrupted_run(scenario.tree(), real_file_system());
  ASSERT_TRUE(recovered) << recovered.error().message;
  ASSERT_EQ(interrupted_run(scenario.tree()).value(), std::nullopt);
}

class Interruption : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Trees, Interruption, testing::Bool(), [](const auto& parameter) {
  return parameter.param ? std::string("Git") : std::string("Plain");
});

TEST_P(Interruption, CommitKilledAnywhereEndsOldOrNew) {
  Scenario scenario(GetParam());
  int at = 1;
  for (;; ++at) {
    SCOPED_TRACE(at);
    scenario.reset();
    if (!is_killed(at, [&](FileSystem& files) { return scenario.commit(files).has_value(); }))
      break;
    expect_each_old_or_new(scenario.state(), scenario.old_state(), scenario.new_state());
    recover_with_another_kill(scenario, 1 + at * 7 % 23);
    const bool is_new = scenario.state() == scenario.new_state();
    ASSERT_EQ(scenario.state(), is_new ? scenario.new_state() : scenario.old_state());
    ASSERT_EQ(list_runs(scenario.tree()).value().size(), is_new ? 1U : 0U);
    ASSERT_TRUE(is_new || scenario.commit());
    const auto undone = scenario.undo();
    ASSERT_TRUE(undone) << undone.error().message;
    ASSERT_EQ(scenario.state(), scenario.old_state());
  }
  EXPECT_GT(at, 60);
  EXPECT_EQ(scenario.state(), scenario.new_state());
}

TEST(InterruptionOfUndo, KilledAnywhereEndsOldOrNew) {
  Scenario scenario(false);
  for (int at = 1;; ++at) {
    SCOPED_TRACE(at);
    scenario.reset();
    ASSERT_TRUE(scenario.commit());
    if (!is_killed(at, [&](FileSystem& files) { return scenario.undo(files).has_value(); })) break;
    expect_each_old_or_new(scenario.state(), scenario.old_state(), scenario.new_state());
    recover_with_another_kill(scenario, 1 + at * 5 % 19);
    if (scenario.state() != scenario.old_state()) {
      ASSERT_EQ(scenario.state(), scenario.new_state());
      ASSERT_TRUE(scenario.undo());
    }
    ASSERT_EQ(scenario.state(), scenario.old_state());
  }
  EXPECT_EQ(scenario.state(), scenario.old_state());
}

TEST_P(Interruption, EachFailureLeavesOldOrNew) {
  Scenario scenario(GetParam());
  for (const auto error : {std::errc::no_space_on_device, std::errc::permission_denied}) {
    for (int at = 1;; ++at) {
      SCOPED_TRACE(at);
      scenario.reset();
      FaultyFileSystem files(Fault::kFailOnce, at, error);
      const auto run = scenario.commit(files);
      const bool is_new = scenario.state() == scenario.new_state();
      if (run) {
        ASSERT_EQ(scenario.state(), scenario.new_state());
      } else if (!is_new) {
        ASSERT_EQ(scenario.state(), scenario.old_state()) << run.error().message;
        ASSERT_TRUE(list_runs(scenario.tree()).value().empty());
      }
      ASSERT_TRUE(recover_interrupted_run(scenario.tree(), real_file_system()));
      ASSERT_EQ(scenario.state() == scenario.new_state(), is_new);
      if (files.count() < at) break;
    }
  }
}

TEST_P(Interruption, FailuresWithoutEndAreEndedByTheNextRun) {
  Scenario scenario(GetParam());
  for (int at = 1;; ++at) {
    SCOPED_TRACE(at);
    scenario.reset();
    FaultyFileSystem files(Fault::kFailFromThenOn, at);
    (void)scenario.commit(files);
    expect_each_old_or_new(scenario.state(), scenario.old_state(), scenario.new_state());
    if (files.count() < at) break;
    ASSERT_TRUE(recover_interrupted_run(scenario.tree(), real_file_system()));
    if (scenario.state() != scenario.new_state()) {
      ASSERT_EQ(scenario.state(), scenario.old_state());
    }
  }
}

/// Kills a run after its first rename: `a.py` is new, the rest is old. Returns at which operation;
/// the search begins at `at`.
int interrupt_between_renames(Scenario& scenario, int at = 1) {
  const auto is_half_done = [&] {
    return scenario.scratch().read("tree/a.py") == scenario.new_state().at("tree/a.py").bytes &&
           scenario.scratch().read("pack/pack.lock") == "format = 1\n";
  };
  for (;; ++at) {
    scenario.reset();
    if (!is_killed(at, [&](FileSystem& files) { return scenario.commit(files).has_value(); })) {
      ADD_FAILURE() << "no kill fell between the renames";
    } else if (!is_half_done()) {
      continue;
    }
    return at;
  }
}

TEST_P(Interruption, WorkSinceThenIsAConflictUntilForced) {
  Scenario scenario(GetParam());
  interrupt_between_renames(scenario);
  scenario.scratch().write("tree/a.py", "mine\n", 0755);
  const auto run = scenario.commit();
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, "interrupted-run-conflict");
  EXPECT_EQ(run.error().notes.at(0), "changed since: a.py");
  EXPECT_EQ(scenario.undo().error().code, "interrupted-run-conflict");
  EXPECT_TRUE(interrupted_run(scenario.tree()).value().has_value());

  const auto undone = undo_run(scenario.tree(), real_file_system(), "", true);
  ASSERT_TRUE(undone) << undone.error().message;
  EXPECT_EQ(scenario.state(), scenario.old_state());
  EXPECT_EQ(interrupted_run(scenario.tree()).value(), std::nullopt);
  ASSERT_TRUE(scenario.undo());
  EXPECT_EQ(scenario.scratch().read("tree/a.py"), "mine\n");
}

TEST(InterruptionConflict, ForcedUndoKilledAnywhereCanBeRepeated) {
  Scenario scenario(false);
  int first_at = 1;
  for (int at = 1;; ++at) {
    SCOPED_TRACE(at);
    first_at = interrupt_between_renames(scenario, first_at);
    scenario.scratch().write("tree/a.py", "mine\n", 0755);
    const bool killed = is_killed(at, [&](FileSystem& files) {
      return undo_run(scenario.tree(), files, "", true).has_value();
    });
    if (killed) {
      const auto recovered = recover_interrupted_run(scenario.tree(), real_file_system());
      if (!recovered) {
        ASSERT_EQ(recovered.error().code, "interrupted-run-conflict");
        ASSERT_TRUE(undo_run(scenario.tree(), real_file_system(), "", true));
      }
    }
    ASSERT_EQ(scenario.state(), scenario.old_state());
    ASSERT_EQ(interrupted_run(scenario.tree()).value(), std::nullopt);
    if (!killed) break;
  }
}

TEST(InterruptionBackup, LostTemporariesAreRolledBackFromIt) {
  Scenario scenario(true);
  interrupt_between_renames(scenario);
  for (const auto& [path, file] : scenario.state()) {
    if (path.contains(".portpatch-")) fs::remove(scenario.scratch().path(path));
  }
  const auto recovered = recover_interrupted_run(scenario.tree(), real_file_system());
  ASSERT_TRUE(recovered) << recovered.error().message;
  EXPECT_TRUE((*recovered)->ends_with("was rolled back: its files are as before it"));
  EXPECT_EQ(scenario.state(), scenario.old_state());
  EXPECT_TRUE(list_runs(scenario.tree()).value().empty());
}

TEST(InterruptionUndo, SaysThatTheNewestRunChangedNothing) {
  Scenario scenario(false);
  ASSERT_TRUE(scenario.commit());
  const std::vector<FileChange> more{{.path = "kept.txt", .before = "kept\n", .after = "more\n"}};
  for (int at = 1; !interrupted_run(scenario.tree()).value(); ++at) {
    ASSERT_TRUE(is_killed(at, [&](FileSystem& files) {
      return commit_changes(scenario.tree(), files, more, "apply more").has_value();
    }));
  }
  const auto undone = scenario.undo();
  ASSERT_FALSE(undone);
  EXPECT_EQ(undone.error().code, "interrupted-run");
  EXPECT_EQ(scenario.state(), scenario.new_state());
  ASSERT_TRUE(scenario.undo());
  EXPECT_EQ(scenario.state(), scenario.old_state());
}

TEST(Lock, SecondRunIsToldWhoHoldsItAndAKilledHolderLeavesNone) {
  Scenario scenario(false);
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  fs::create_directory(scenario.tree().state_dir);
  const auto holder = ::fork();
  if (holder == 0) {
    const auto lock = real_file_system().lock(scenario.tree().state_dir + "/lock");
    (void)!::write(ready[1], lock ? "y" : "n", 1);
    for (;;) ::pause();
  }
  char answer = 0;
  ASSERT_EQ(::read(ready[0], &answer, 1), 1);
  EXPECT_EQ(answer, 'y');
  const auto run = scenario.commit();
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, "locked");
  EXPECT_EQ(run.error().message, "another portpatch (process " + std::to_string(holder) +
                                     ") is writing to " + scenario.tree().root);
  EXPECT_EQ(scenario.state(), scenario.old_state());
  ::kill(holder, SIGKILL);
  ::waitpid(holder, nullptr, 0);
  EXPECT_TRUE(scenario.commit());
  EXPECT_EQ(scenario.state(), scenario.new_state());
}

}  // namespace
}  // namespace portpatch::test
