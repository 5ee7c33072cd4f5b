#include "apply/run_id.h"

#include <algorithm>
#include <charconv>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace portpatch {
namespace {

constexpr std::size_t kKeptRuns = 30;
constexpr std::time_t kKeptSeconds = 30 * 24 * 60 * 60;
constexpr std::size_t kTimeSize = sizeof "20260818T112721" - 1;

std::string time_text(std::time_t time) {
  return fmt::format("{:%Y%m%dT%H%M%S}", fmt::gmtime(time));
}

}  // namespace

std::string next_run_id(const std::vector<std::string>& ids, std::time_t now) {
  const auto time = time_text(now);
  if (ids.empty() || ids.back().substr(0, kTimeSize) < time) return time + "-0001";
  const auto& last = ids.back();
  unsigned counter = 0;
  const auto* digits = last.data() + std::min(kTimeSize + 1, last.size());
  std::from_chars(digits, last.data() + last.size(), counter);
  return fmt::format("{}-{:04}", last.substr(0, kTimeSize), counter + 1);
}

std::vector<std::string> runs_to_prune(const std::vector<std::string>& ids, std::time_t now) {
  if (ids.size() <= kKeptRuns) return {};
  const auto oldest_kept = time_text(now - kKeptSeconds);
  std::vector<std::string> old(ids.begin(), ids.end() - kKeptRuns);
  std::erase_if(old, [&](const std::string& id) { return id >= oldest_kept; });
  return old;
}

}  // namespace portpatch
