// Which rules may have a site in a text? Asked of every file of a tree before it is parsed.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "base/literal_set.h"
#include "pack/pack.h"

namespace portpatch {

/// passes_prefilter() (locate/sites.h) for many rules at once: one pass over the text leaves the
/// few that are worth asking.
class RulePrefilter {
 public:
  explicit RulePrefilter(std::vector<const Rule*> rules);

  /// The indexes in `rules` of those that pass, ascending.
  [[nodiscard]] std::vector<std::size_t> passing(std::string_view text) const;

 private:
  void add(std::size_t index);

  std::vector<const Rule*> rules_;
  /// By rule: without one of them it does not pass. Made for many rules only, since it is large.
  std::optional<LiteralSet> keys_;
  std::vector<std::size_t> always_;  ///< rules that are asked each time
};

}  // namespace portpatch
