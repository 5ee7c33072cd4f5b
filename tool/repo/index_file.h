// A small reader of git's index file, for the list of tracked files alone. libgit2 reads the same
// list, but loading it, initialising it and its reading of the index cost some 20 ms together,
// which is most of the hook's usual way; this costs well under one.
// Source: git's Documentation/gitformat-index.txt.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace portpatch {

/// Paths of the regular files (stage 0, not skip-worktree; intent-to-add counts) in the bytes of a
/// SHA-1 index of version 2, 3 or 4, in its own order, which is bytewise. Fails with
/// "damaged-index" or "unsupported-index" (split index, newer versions). The checksum at the end
/// is not verified.
[[nodiscard]] Result<std::vector<std::string>> read_index(std::string_view bytes);

}  // namespace portpatch
