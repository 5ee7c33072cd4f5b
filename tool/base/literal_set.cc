#include "base/literal_set.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "base/literal_finder.h"

namespace portpatch {

namespace {

std::uint32_t window_at(const char* at) {
  std::uint32_t window = 0;
  std::memcpy(&window, at, sizeof window);
  return window;
}

}  // namespace

std::size_t LiteralSet::slot(std::uint32_t window) {
  constexpr std::uint32_t kGolden = 2654435761;  // Knuth's multiplicative hash: 2^32 / phi
  return (window * kGolden) >> 18;
}

void LiteralSet::add(std::string_view literal, std::size_t owner) {
  assert(literal.size() >= kLeast);
  // The windows that the fewest others have, and of these the ones whose bytes are rare in code:
  // names of one pack begin alike.
  const auto slot_at = [&](std::size_t begin) { return slot(window_at(literal.data() + begin)); };
  const auto cost = [&](std::size_t begin) {
    std::size_t rarity = 0;
    for (std::size_t i = 0; i < kLeast; ++i) rarity += byte_rarity(literal[begin + i]);
    const auto shared = slots_[slot_at(begin)].size() + slots_[slot_at(begin + 1)].size();
    return std::pair(shared, -rarity);
  };
  std::size_t best = 0;
  for (std::size_t begin = 1; begin + kLeast <= literal.size(); ++begin) {
    if (cost(begin) < cost(best)) best = begin;
  }
  for (const auto begin : {best, best + 1}) {
    is_used_[slot_at(begin)] = 1;
    slots_[slot_at(begin)].push_back({std::string(literal), begin, owner});
  }
  owners_ = std::max(owners_, owner + 1);
}

std::vector<std::size_t> LiteralSet::find(std::string_view text) const {
  std::vector<char> found(owners_);
  for (std::size_t i = 0; i + sizeof(std::uint32_t) <= text.size(); i += 2) {
    const auto at = slot(window_at(text.data() + i));
    if (!is_used_[at]) continue;
    for (const auto& entry : slots_[at]) {
      if (!found[entry.owner] && i >= entry.begin &&
          text.substr(i - entry.begin).starts_with(entry.literal))
        found[entry.owner] = 1;
    }
  }
  std::vector<std::size_t> owners;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i]) owners.push_back(i);
  }
  return owners;
}

}  // namespace portpatch
