// Unified diffs, made by libgit2.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace portpatch {

/// The change of one file as `git diff` prints it, with three lines of context; empty when the two
/// are equal.
[[nodiscard]] Result<std::string> unified_diff(std::string_view path, std::string_view before, std::string_view after);

}  // namespace portpatch
