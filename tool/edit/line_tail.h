// What stands behind a place on its line: nothing, comments, or code.
#pragma once

#include "syntax/source_tree.h"

namespace portpatch {

struct LineTail {
  bool is_clean = false;  ///< only blanks and comments up to the line break
  std::size_t end = 0;    ///< the line break (or the text's end) when clean, else the place itself
  std::size_t code = 0;   ///< where the first code behind the place stands, when not clean
  ByteRange comments;     ///< from the first comment to the end of the last; empty when none
};

[[nodiscard]] LineTail line_tail(const SourceTree& tree, std::size_t from);

}  // namespace portpatch
