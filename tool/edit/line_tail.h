// What stands around a place on its line: blanks in front; nothing, comments, or code behind; a
// string that goes on from the line above.
#pragma once

#include <string_view>

#include "syntax/source_tree.h"

namespace portpatch {

struct LineTail {
  bool is_clean = false;  ///< only blanks and comments up to the line break
  std::size_t end = 0;    ///< the line break (or the text's end) when clean, else the place itself
  std::size_t code = 0;   ///< where the first code behind the place stands, when not clean
  ByteRange comments;     ///< from the first comment to the end of the last; empty when none

  [[nodiscard]] bool is_empty() const { return is_clean && comments.empty(); }
};

[[nodiscard]] LineTail line_tail(const SourceTree& tree, std::size_t from);

/// Does a string (or another token that spans lines) go on at the beginning of the line at `at`?
[[nodiscard]] bool begins_inside_token(const SourceTree& tree, std::size_t at);
/// Where the blanks in front of a place begin, on its line.
[[nodiscard]] std::size_t before_blanks(std::string_view text, std::size_t at);

}  // namespace portpatch
