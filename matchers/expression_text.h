// Expressions read from source text alone: conditions of #if, and those that Clang gives up since a
// name in them is unknown. What is not understood becomes an opaque part; nothing is guessed.
#pragma once

#include <string_view>

#include "facts.h"

namespace portpatch::matchers {

/// The expression that `text` is. `offset` is added to its ranges.
[[nodiscard]] Expression read_expression(std::string_view text, std::size_t offset = 0);

/// `text` with comments and line continuations dropped, and each run of white space as one blank.
[[nodiscard]] std::string fold_space(std::string_view text);

}  // namespace portpatch::matchers
