// Which words of two short pieces of code differ.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"

namespace portpatch {

/// The words and signs of `one` that are not in `other`, and the other way round, in order: all but
/// a longest common subsequence. Blanks and line breaks never differ. Both empty where nothing is
/// common, or a piece has more than some hundred words: then marks would say nothing.
[[nodiscard]] std::pair<std::vector<ByteRange>, std::vector<ByteRange>> differing_words(
    std::string_view one, std::string_view other);

}  // namespace portpatch
