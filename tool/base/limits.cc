#include "base/limits.h"

#include <algorithm>
#include <ctime>
#include <iterator>

#include <fmt/format.h>

namespace portpatch {

namespace {

constexpr Limit kLimits[] = {kFileSize, kParseWork,   kParseSeconds, kParseMemory, kDepth,
                             kMatches,  kOpenMatches, kQuerySeconds, kTreeFiles,   kPathBytes};

thread_local std::string reading;

}  // namespace

std::span<const Limit> limits() { return kLimits; }

std::unexpected<Diagnostic> beyond(const Limit& limit, std::string_view what) {
  const auto said = what.empty()
                        ? fmt::format("more than {} {}", limit.most, limit.unit)
                        : fmt::format("{}, and {} {} are the most", what, limit.most, limit.unit);
  return failure(std::string(limit.id), fmt::format("{}: {}; {}", limit.id, said, limit.remedy));
}

std::unexpected<Diagnostic> beyond_file_size(std::size_t bytes, std::size_t most) {
  auto limit = kFileSize;
  limit.most = most;
  return beyond(limit, fmt::format("{} bytes", bytes));
}

const Limit* limit_of(std::string_view message) {
  const auto id = message.substr(0, message.find(':'));
  const auto* found = std::ranges::find_if(kLimits, [&](const Limit& limit) {
    return limit.id == id && message.ends_with(limit.remedy);
  });
  return found == std::end(kLimits) ? nullptr : found;
}

double thread_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void note_reading(std::string_view path) { reading = path; }
std::string last_reading() { return reading; }

Diagnostic out_of_memory(std::string_view path) {
  return {
      .code = "out-of-memory",
      .message = path.empty()
                     ? "there is not enough memory"
                     : fmt::format("there is not enough memory; the last file that was read is {}",
                                   printable(path)),
      .remedy = "nothing was half written; free memory and run it again"};
}

}  // namespace portpatch
