// What differs between two texts, found by libgit2.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace portpatch {

/// The change of one file as `git diff` prints it, with three lines of context; empty when the two
/// are equal.
[[nodiscard]] Result<std::string> unified_diff(std::string_view path, std::string_view before,
                                               std::string_view after);

/// Lines that differ: `old_count` lines from `old_begin` on (1-based; behind that line where the
/// count is 0) were replaced by `new_count` lines.
struct LineHunk {
  std::size_t old_begin = 0, old_count = 0, new_begin = 0, new_count = 0;
};
/// Did it change something of the new lines from `first` to `last`, or take lines out between them?
[[nodiscard]] bool touches(const LineHunk& hunk, std::size_t first, std::size_t last);
/// In the order of the lines, with nothing between two hunks that is equal.
[[nodiscard]] Result<std::vector<LineHunk>> line_hunks(std::string_view before,
                                                       std::string_view after);

}  // namespace portpatch
