// Functions whose heads Clang cannot read, since they name unknown classes: found in the text by
// their braces, and given a head of the same length that it can read.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace portpatch::matchers {

/// The body of a function as the text shows it, braces included, and what stands before it.
struct FunctionText {
  ByteRange head, body;
};

/// Outside of other functions; a guess by braces and parentheses, nothing is understood.
[[nodiscard]] std::vector<FunctionText> function_texts(std::string_view text);

struct ReplacedHeads {
  std::string text;                    ///< same length, same lines
  std::vector<std::string> arguments;  ///< -D for each head
  std::vector<std::string>
      names;  ///< of the functions, as the text has them; they are read as `portpatch_function_N`
};

/// The name in the text of a function that was read as `read`; nullptr when that is no name of
/// ours.
[[nodiscard]] const std::string* original_name(const ReplacedHeads& heads, std::string_view read);

/// Nothing when there is no function outside of `read` whose body is wanted.
[[nodiscard]] std::optional<ReplacedHeads> replace_heads(
    std::string_view text, const std::vector<ByteRange>& read,
    const std::function<bool(ByteRange)>& is_wanted);

}  // namespace portpatch::matchers
