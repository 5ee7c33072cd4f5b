// Pulls in which operations on the file system fail: a full disk, no permission.
#include <gtest/gtest.h>

#include "apply/transaction.h"
#include "pull.h"
#include "tests/apply/faulty_file_system.h"
#include "tests/pull/pull_world.h"

namespace portpatch::test {
namespace {

constexpr int kStep = 5;  // each pull runs some thirty gits

PullRequest request_of(const PullWorld& world, FileSystem& files) {
  PullRequest request{.request = {.command = "pull pack",
                                  .folder = world.scratch().path("tree"),
                                  .packs = {world.scratch().path("pack")}}};
  request.files = &files;
  return request;
}

class PullFaults : public testing::TestWithParam<Fault> {};
INSTANTIATE_TEST_SUITE_P(Faults, PullFaults,
                         testing::Values(Fault::kFailOnce, Fault::kFailFromThenOn),
                         [](const auto& parameter) {
                           return parameter.param == Fault::kFailOnce ? "Once"s : "FromThenOn"s;
                         });

TEST_P(PullFaults, LeaveTheStartOrTheEnd) {
  const PullWorld world;
  ASSERT_EQ(world.portpatch("apply pack").status, 0);
  world.in_tree("echo mine >>a.txt; git add a.txt; echo over >>a.txt; chmod +x tables.py");
  world.in_tree("chmod -x tables.py");
  world.advance();
  world.run("cp -a tree saved");
  const auto start = world.state();
  ASSERT_EQ(world.portpatch("pull pack").status, 0);
  const auto end = world.state();
  const auto tree = open_tree(world.scratch().path("tree"));
  for (int at = 1 + static_cast<int>(GetParam());; at += kStep) {
    SCOPED_TRACE(at);
    world.run("rm -rf tree; cp -a saved tree; git -C tree status >/dev/null");
    FaultyFileSystem files(GetParam(), at);
    const auto report = pull(request_of(world, files));
    if (files.count() < at) break;
    if (report) {
      EXPECT_EQ(world.state(), end);
      continue;
    }
    const auto recovered = recover_interrupted_run(tree, real_file_system());
    ASSERT_TRUE(recovered) << recovered.error().message;
    // Failing at its very end, the run may be whole: then it is in the list of runs.
    const auto now = world.state();
    EXPECT_TRUE(now == start || now == end) << report.error()[0].message << "\n" << now;
    EXPECT_EQ(world.run("find tree -name .git -prune -o -name '*.tmp' -print; ls "
                        "tree/.git/portpatch | grep 'json$' || true"),
              "");
  }
}

}  // namespace
}  // namespace portpatch::test
