#include "base/parallel.h"

#include <atomic>
#include <vector>

#include <gtest/gtest.h>

namespace portpatch::test {
namespace {

TEST(Parallel, EachIndexIsTakenOnceWhateverTheNumbersAre) {
  for (const unsigned workers : {1u, 2u, 7u}) {
    for (const std::size_t count : {0u, 1u, 5u, 100u}) {
      for (const std::size_t batch : {1u, 16u}) {
        std::vector<std::atomic<int>> taken(count);
        std::vector<std::atomic<int>> busy(workers);
        std::atomic<bool> overlaps = false;
        for_each_in_parallel(count, workers, batch, [&](unsigned worker, std::size_t i) {
          if (busy[worker].fetch_add(1) != 0) overlaps = true;
          ++taken[i];
          --busy[worker];
        });
        for (const auto& times : taken)
          EXPECT_EQ(times, 1) << workers << " " << count << " " << batch;
        EXPECT_FALSE(overlaps);
      }
    }
  }
}

TEST(Parallel, NoThreadsAreMeantAsOneForEachCore) {
  EXPECT_GE(worker_count(0), 1u);
  EXPECT_EQ(worker_count(3), 3u);
}

}  // namespace
}  // namespace portpatch::test
