// Do ladders, checks and conditions have an arm for every cc that is let in?
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "companion/finding.h"
#include "inventory/place.h"
#include "pack/companion.h"

namespace portpatch {

/// What lets GPUs in, on the Python side.
struct Gate {
  NamedPlace place;
  std::function<std::optional<bool>(const Cc&)> lets_in;  ///< nothing where it cannot be told
  /// Further definitions of its name, which must agree with it.
  std::vector<NamedPlace> others = {};

  /// Why it cannot be told, as the end of a sentence.
  [[nodiscard]] std::string why_untold() const;
};

/// The GPUs that exist, as of CUDA 13: what an open range is asked about.
[[nodiscard]] const std::vector<Cc>& known_gpus();
/// Those that are asked: what the companion covers, else all that are known.
[[nodiscard]] std::vector<Cc> asked_of(const Companion& companion);

/// Does `place` let `cc` in: is an arm taken that does not refuse, or refuses no arm?
[[nodiscard]] std::optional<bool> lets_in(const CcPlace& place, const Cc& cc);

/// Judges every one of `places`; without a gate all that is asked must be taken.
[[nodiscard]] std::vector<CheckFinding> judge_places(const Companion& companion,
                                                     const std::vector<const CcPlace*>& places,
                                                     const std::optional<Gate>& gate);

}  // namespace portpatch
