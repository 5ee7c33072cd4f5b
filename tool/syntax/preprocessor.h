// Preprocessor conditionals masked out. A grammar cannot read a list or a condition that `#if` cuts
// in two; with the directives and the arms not taken blanked, it can. Masked texts have the length
// and the line breaks of the original, so offsets hold.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace portpatch {

/// The text with one arm of each conditional kept.
struct MaskedText {
  std::string text;
  std::vector<ByteRange> masked;  ///< blanked ranges, sorted, whole lines

  /// True when no byte of `range` was blanked.
  [[nodiscard]] bool shows(ByteRange range) const;
};

/// Variants in which every arm of every conditional is kept at least once; an `#if` without
/// `#else` counts as having an empty second arm, include guards excepted. Empty when the text has
/// no conditional, or when its conditionals do not pair up.
[[nodiscard]] std::vector<MaskedText> mask_conditionals(std::string_view text);

/// The arms that no build keeps, without their directives, sorted: of `#if 0`, behind `#if 1`, and
/// of conditions on macros that `is_never` says are not defined here. A condition that is not
/// certainly false keeps its arm.
[[nodiscard]] std::vector<ByteRange> dead_arms(
    std::string_view text, const std::function<bool(std::string_view macro)>& is_never);

}  // namespace portpatch
