// portpatch_fuzz TARGET [OPTIONS OF LIBFUZZER] CORPUS...
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "tests/fuzz/target.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace portpatch::fuzz {
namespace {

/// For the processes that libFuzzer starts of itself (-jobs, -minimize_crash): their arguments lack
/// the target's name.
constexpr const char* kVariable = "PORTPATCH_FUZZ_TARGET";

const Target* target = nullptr;

std::string changed_bytes(std::string text, std::size_t most) {
  const auto size = std::min(text.size(), most);
  text.resize(most);
  text.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(text.data()), size, most));
  return text;
}

int usage() {
  std::cerr << "usage: portpatch_fuzz TARGET [OPTIONS OF LIBFUZZER] CORPUS...\n";
  for (const auto& one : kTargets) std::cerr << "  " << one.name << ": " << one.parts << '\n';
  return 2;
}

}  // namespace
}  // namespace portpatch::fuzz

using namespace portpatch::fuzz;

/// ts_query_new() loses the quantifiers of a pattern that it refuses.
extern "C" const char* __lsan_default_suppressions() { return "leak:ts_query__parse_pattern\n"; }

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  if (*count > 1 && (target = find_target((*arguments)[1])) != nullptr) {
    ::setenv(kVariable, (*arguments)[1], 1);
    std::rotate(*arguments + 1, *arguments + 2, *arguments + *count);
    --*count;
  } else if (const char* name = std::getenv(kVariable)) {
    target = find_target(name);
  }
  if (target == nullptr) std::exit(usage());
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  run_input(*target, {reinterpret_cast<const char*>(data), size});
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  const auto input = mutated({reinterpret_cast<const char*>(data), size}, most, seed,
                             changed_bytes);
  std::memcpy(data, input.data(), input.size());
  return input.size();
}
