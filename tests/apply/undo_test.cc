#include <gtest/gtest.h>

#include "tests/apply/scenario.h"

namespace portpatch::test {
namespace {

class Undo : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Trees, Undo, testing::Bool(), [](const auto& parameter) {
  return parameter.param ? std::string("Git") : std::string("Plain");
});

TEST_P(Undo, RestoresAndOfItselfRedoes) {
  Scenario scenario(GetParam());
  const auto run = scenario.commit();
  ASSERT_TRUE(run);
  const auto undone = scenario.undo();
  ASSERT_TRUE(undone) << undone.error().message;
  EXPECT_EQ(undone->command, "undo " + run->id);
  EXPECT_EQ(scenario.state(), scenario.old_state());
  EXPECT_FALSE(fs::exists(scenario.scratch().path("tree/new")));
  ASSERT_TRUE(scenario.undo());
  EXPECT_EQ(scenario.state(), scenario.new_state());
  ASSERT_TRUE(scenario.undo());
  EXPECT_EQ(scenario.state(), scenario.old_state());
  EXPECT_EQ(list_runs(scenario.tree()).value().size(), 4U);
}

TEST_P(Undo, RefusesToLoseLaterWorkUnlessForced) {
  Scenario scenario(GetParam());
  ASSERT_TRUE(scenario.commit());
  scenario.scratch().write("tree/a.py", "mine\n", 0755);
  scenario.scratch().write("tree/gone.txt", "back\n", 0600);
  const auto before = scenario.state();
  const auto refused = scenario.undo();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, "later-work");
  EXPECT_EQ(refused.error().notes,
            (std::vector<std::string>{"changed since: a.py", "changed since: gone.txt"}));
  EXPECT_EQ(scenario.state(), before);

  ASSERT_TRUE(undo_run(scenario.tree(), real_file_system(), "", true));
  EXPECT_EQ(scenario.state(), scenario.old_state());
  ASSERT_TRUE(scenario.undo());
  EXPECT_EQ(scenario.state(), before);
}

TEST(UndoOf, NamedRunAndItsErrors) {
  Scenario scenario(false);
  EXPECT_EQ(scenario.undo().error().code, "nothing-to-undo");
  const auto first = scenario.commit();
  ASSERT_TRUE(first);
  const auto second = commit_changes(scenario.tree(), real_file_system(),
                                     {{.path = "kept.txt", .before = "kept\n", .after = "more\n"}},
                                     "apply more");
  ASSERT_TRUE(second);
  const auto undo = [&](std::string_view id) {
    return undo_run(scenario.tree(), real_file_system(), id, false);
  };
  EXPECT_EQ(undo("20200101T000000-0001").error().code, "unknown-run");
  ASSERT_TRUE(undo(first->id));
  auto expected = scenario.old_state();
  expected["tree/kept.txt"].bytes = "more\n";
  EXPECT_EQ(scenario.state(), expected);
  EXPECT_EQ(undo(first->id).error().code, "later-work");
  EXPECT_EQ(undo_run(scenario.tree(), real_file_system(), first->id, true).error().code,
            "nothing-to-undo");
}

}  // namespace
}  // namespace portpatch::test
