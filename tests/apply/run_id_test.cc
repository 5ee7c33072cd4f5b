#include "apply/run_id.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace portpatch {
namespace {

constexpr std::time_t kNow = 1787052441;  // 2026-08-18T11:27:21Z
constexpr std::time_t kDay = 24 * 60 * 60;

TEST(RunId, IsTimeAndCounter) {
  EXPECT_EQ(next_run_id({}, kNow), "20260818T112721-0001");
  EXPECT_EQ(next_run_id({"20260818T112720-0007"}, kNow), "20260818T112721-0001");
  EXPECT_EQ(next_run_id({"20260818T112721-0009"}, kNow), "20260818T112721-0010");
}

TEST(RunId, ComesAfterTheLastEvenWhenTheClockWentBack) {
  EXPECT_EQ(next_run_id({"20270101T000000-0001"}, kNow), "20270101T000000-0002");
}

TEST(RunsToPrune, AreOldAndBeyondTheThirtieth) {
  std::vector<std::string> ids;
  for (int i = 0; i < 40; ++i) ids.push_back(next_run_id(ids, kNow - (60 - i) * kDay));
  EXPECT_EQ(runs_to_prune(ids, kNow), std::vector<std::string>(ids.begin(), ids.begin() + 10));
  EXPECT_EQ(runs_to_prune(ids, kNow - 29 * kDay),
            std::vector<std::string>(ids.begin(), ids.begin() + 1));
  EXPECT_EQ(runs_to_prune({ids.begin(), ids.begin() + 30}, kNow), std::vector<std::string>{});
}

}  // namespace
}  // namespace portpatch
