// Work that is spread over the cores: the only place that starts threads.
#pragma once

#include <cstddef>
#include <functional>

namespace portpatch {

/// How many workers `threads` means: 0 stands for one for each core.
[[nodiscard]] unsigned worker_count(unsigned threads);

/// Calls `work(worker, index)` once for each index below `count`, in up to `workers` threads, the
/// calling one (worker 0) among them. Indexes are handed out in runs of `batch`, in order. Calls of
/// one worker do not overlap. `work`
/// throws nothing but std::bad_alloc, which ends all and comes out as OutOfMemory (base/limits.h).
void for_each_in_parallel(std::size_t count, unsigned workers, std::size_t batch,
                          const std::function<void(unsigned worker, std::size_t index)>& work);

}  // namespace portpatch
