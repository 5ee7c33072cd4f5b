#include "base/literal_finder.h"

#include <cstring>

namespace portpatch {

namespace {

/// Bytes from the commonest to the rarest in source code; a byte that is not listed is rarer still.
constexpr std::string_view kCommonest =
    " etnrsoailcdpfmu_hg.b,=()yv:\"kx#w10TESAR-O'NILC2[]MDq/PjFUzGB3V4WHK58X6*{}Q79YJZ\n";

}  // namespace

std::size_t byte_rarity(char byte) {
  const auto rank = kCommonest.find(byte);
  return rank == std::string_view::npos ? kCommonest.size() : rank;
}

LiteralFinder::LiteralFinder(std::string literal) : literal_(std::move(literal)) {
  for (std::size_t i = 1; i < literal_.size(); ++i) {
    if (byte_rarity(literal_[i]) > byte_rarity(literal_[rarest_])) rarest_ = i;
  }
}

bool LiteralFinder::occurs_in(std::string_view text) const {
  if (literal_.empty()) return true;
  if (text.size() < literal_.size()) return false;
  const char* at = text.data() + rarest_;
  const char* end = text.data() + text.size() - (literal_.size() - rarest_ - 1);
  while (at < end) {
    at = static_cast<const char*>(
        std::memchr(at, literal_[rarest_], static_cast<std::size_t>(end - at)));
    if (at == nullptr) return false;
    if (std::memcmp(at - rarest_, literal_.data(), literal_.size()) == 0) return true;
    ++at;
  }
  return false;
}

}  // namespace portpatch
