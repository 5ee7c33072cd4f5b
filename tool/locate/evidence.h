// How strongly two footprints speak for being one place in two versions of a tree: evidence that a
// person would use, in points, and the thresholds a verdict needs.
#pragma once

#include <string>
#include <vector>

#include "locate/footprint.h"

namespace portpatch {

/// One piece of evidence and its points.
struct Clue {
  std::string what;  ///< "same name", "5 of 6 items are the same"
  int points = 0;
};

struct Evidence {
  std::vector<Clue> clues;     ///< those that speak for it
  int score = 0;               ///< 0 to about 110
  bool may_be_certain = true;  ///< false where too little of it is about the place itself
};

/// Measured by tests/upstream/calibrate.py on ranges that the tests do not use.
inline constexpr int kCertainScore = 60;   ///< least score of a certain answer
inline constexpr int kCertainMargin = 12;  ///< least lead over the second best
inline constexpr int kShownScore = 25;     ///< least score of a survivor that is worth showing

/// `files_alike` is the likeness of the old file and the new one, 0 to 1.
[[nodiscard]] Evidence compare(const Footprint& old_place, const Footprint& new_place,
                               double files_alike);
/// The score of that, without the words.
[[nodiscard]] int score_of(const Footprint& old_place, const Footprint& new_place,
                           double files_alike);

}  // namespace portpatch
