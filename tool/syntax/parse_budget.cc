#include "syntax/parse_budget.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <malloc.h>
#include <tree_sitter/api.h>
#include <unistd.h>

namespace portpatch {

namespace {

/// Bytes that tree-sitter has taken in this thread, less those that it has given back in it.
thread_local std::ptrdiff_t held = 0;

/// tree-sitter cannot be told that there is no memory, and nothing may be thrown through it.
/// Nothing is being written when it runs.
[[noreturn]] void end_without_memory() {
  try {
    std::fputs(render(out_of_memory(last_reading()), false).c_str(), stderr);
  } catch (...) {
    std::fputs("error: there is not enough memory [out-of-memory]\n", stderr);
  }
  ::_exit(2);
}

void* counted(void* block, std::size_t size) {
  if (block == nullptr && size > 0) end_without_memory();
  held += static_cast<std::ptrdiff_t>(::malloc_usable_size(block));
  return block;
}

void* take(std::size_t size) { return counted(std::malloc(size), size); }
void* take_zeroed(std::size_t count, std::size_t size) {
  return counted(std::calloc(count, size), count * size);
}
void give_back(void* block) {
  held -= static_cast<std::ptrdiff_t>(::malloc_usable_size(block));
  std::free(block);
}
void* take_instead(void* block, std::size_t size) {
  held -= static_cast<std::ptrdiff_t>(::malloc_usable_size(block));
  return counted(std::realloc(block, size), size);
}

/// Before main(), while there is one thread.
[[maybe_unused]] const bool is_counting = (ts_set_allocator(take, take_zeroed, take_instead,
                                                            give_back),
                                           true);

}  // namespace

ParseBudget::ParseBudget() : begin_(held), begin_seconds_(thread_seconds()) {}

std::size_t ParseBudget::bytes() const {
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(held - begin_, 0));
}

bool ParseBudget::take_step() {
  constexpr std::size_t kAskTheClock = 1024;
  if (++steps_ > kParseWork.most)
    exceeded_ = &kParseWork;
  else if (bytes() > kParseMemory.most)
    exceeded_ = &kParseMemory;
  else if (steps_ % kAskTheClock == 0 &&
           thread_seconds() - begin_seconds_ > static_cast<double>(kParseSeconds.most))
    exceeded_ = &kParseSeconds;
  return exceeded_ == nullptr;
}

}  // namespace portpatch
