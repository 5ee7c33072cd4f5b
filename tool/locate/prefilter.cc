#include "locate/prefilter.h"

#include <algorithm>
#include <utility>

#include "locate/sites.h"

namespace portpatch {

namespace {

std::size_t shortest(const std::vector<LiteralFinder>& group) {
  return std::ranges::min(group, {}, [](const LiteralFinder& one) { return one.literal().size(); })
      .literal()
      .size();
}

}  // namespace

RulePrefilter::RulePrefilter(std::vector<const Rule*> rules) : rules_(std::move(rules)) {
  // Below, a search for each rule is quicker than looking at every byte.
  constexpr std::size_t kFew = 12;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    if (rules_.size() < kFew)
      always_.push_back(i);
    else
      add(i);
  }
}

/// Of each way to pass, the group with the longest literals is the key.
void RulePrefilter::add(std::size_t index) {
  std::vector<const std::vector<LiteralFinder>*> keys;
  for (const auto& groups : rules_[index]->prefilter)
    keys.push_back(&*std::ranges::max_element(groups, {}, shortest));
  if (keys.empty() || std::ranges::any_of(keys, [](const auto* key) {
        return shortest(*key) < LiteralSet::kLeast;
      })) {
    always_.push_back(index);
    return;
  }
  if (!keys_) keys_.emplace();
  for (const auto* key : keys) {
    for (const auto& literal : *key) keys_->add(literal.literal(), index);
  }
}

std::vector<std::size_t> RulePrefilter::passing(std::string_view text) const {
  auto passing = keys_ ? keys_->find(text) : std::vector<std::size_t>();
  passing.insert(passing.end(), always_.begin(), always_.end());
  std::ranges::sort(passing);
  std::erase_if(passing, [&](std::size_t i) { return !passes_prefilter(*rules_[i], text); });
  return passing;
}

}  // namespace portpatch
