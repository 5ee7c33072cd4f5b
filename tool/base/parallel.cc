#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "base/limits.h"

namespace portpatch {

unsigned worker_count(unsigned threads) {
  return threads > 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
}

void for_each_in_parallel(std::size_t count, unsigned workers, std::size_t batch,
                          const std::function<void(unsigned worker, std::size_t index)>& work) {
  std::atomic<std::size_t> next = 0;
  const auto take = [&](unsigned worker) {
    for (std::size_t begin; (begin = next.fetch_add(batch)) < count;) {
      for (auto i = begin; i < std::min(begin + batch, count); ++i) work(worker, i);
    }
  };
  std::exception_ptr thrown;
  std::mutex guard;
  const auto take_safely = [&](unsigned worker) {
    try {
      take(worker);
    } catch (const std::bad_alloc&) {
      next = count;  // the others end too
      const std::lock_guard lock(guard);
      if (!thrown) thrown = std::make_exception_ptr(OutOfMemory(last_reading()));
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < workers && i * batch < count; ++i) others.emplace_back(take_safely, i);
    take_safely(0);
  }
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace portpatch
