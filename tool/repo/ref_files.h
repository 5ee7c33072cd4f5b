// Refs as they stand in files, loose or packed, so that the hook's way needs no libgit2.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "repo/work_tree.h"

namespace portpatch {

/// What a ref says once symbolic refs are followed.
struct RefValue {
  std::string name;  ///< full name of the last ref on the way: "refs/heads/main", "HEAD"
  std::string id;    ///< full object id; empty when the last ref does not exist (unborn branch)
};

/// True for 40 hexadecimal digits.
[[nodiscard]] bool is_full_id(std::string_view text);

/// Follows `name` ("HEAD", "refs/remotes/origin/main") from this work tree; nullopt when there is
/// no such ref. Fails with "unreadable-file" where a file of it cannot be read.
[[nodiscard]] Result<std::optional<RefValue>> read_ref(const WorkTree& tree, std::string_view name);

}  // namespace portpatch
