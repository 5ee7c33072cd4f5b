// Where a change really writes: the file behind its path, checked to be where it may be.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apply/file_system.h"
#include "base/diagnostic.h"
#include "repo/work_tree.h"

namespace portpatch {

struct Target {
  std::string path;                                 ///< real path, no links
  std::optional<FileStatus> status = std::nullopt;  ///< nullopt: there is no file yet
  std::vector<std::string> missing_folders = {};    ///< absolute, parents first

  [[nodiscard]] std::string folder() const;
};

/// Resolves `path` (relative: within the tree; absolute: a pack's file, which may lie anywhere but
/// in a git dir). Links are followed; what they lead to must be in the tree for a path in the tree.
/// Fails with "outside-tree", "read-only" (no write bit, which binds root too, or no right) or
/// "write-failed" (no regular file).
[[nodiscard]] Result<Target> resolve_target(const WorkTree& tree, FileSystem& files,
                                            std::string_view path);

}  // namespace portpatch
