// The #if structure of a text, and texts of the same length in which other branches are taken. Read
// from the bytes alone: what stands in a branch that is not taken matters too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace portpatch::matchers {

struct DirectiveBranch {
  std::string keyword;  ///< if, ifdef, ifndef, elif, elifdef, elifndef, else
  ByteRange directive;  ///< from the # to the end of its last line
  ByteRange condition;
  ByteRange body;
};

struct DirectiveLadder {
  ByteRange range;  ///< from the first # to the end of #endif
  bool is_guard = false;
  std::vector<DirectiveBranch> branches = {};
};

/// All of them, nested ones too, by where they begin. What is never closed is left out.
[[nodiscard]] std::vector<DirectiveLadder> directive_ladders(std::string_view text);

/// `text` in which each ladder takes its branch `choice`, or its last one; include guards stay.
/// Same length, same lines.
[[nodiscard]] std::string take_branches(std::string_view text, std::size_t choice);

/// `text` with comments and the insides of strings blanked, same length.
[[nodiscard]] std::string blank_comments(std::string_view text);
/// The same, and directives blanked too.
[[nodiscard]] std::string blank_directives(std::string_view text);

}  // namespace portpatch::matchers
