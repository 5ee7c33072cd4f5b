// The change that is captured: the files of the work tree that differ from HEAD, of a commit or a
// range.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "repo/work_tree.h"

namespace portpatch {

/// A file of the change; nullopt where a side has none.
struct ChangedText {
  std::string path;
  std::optional<std::string> before, after;
  /// `before` without what the pack's rules bring.
  std::optional<std::string> original = std::nullopt;
};

/// What is captured: where it comes from, and its files.
struct Change {
  std::string described;  ///< "3c2fe9baf10a (2026-08-18) subject"
  std::string reason;     ///< for the top of each rule; empty for the work tree's changes
  std::string base;       ///< the commit before the change
  std::vector<ChangedText> files;
  /// Paths that cannot be read as files, and why.
  std::vector<std::pair<std::string, std::string>> left_out = {};
  std::vector<std::string> untracked = {};  ///< files that git does not track
};

/// Reads the change that `what` names (a commit, "A..B", or empty for the work tree), only that of
/// `paths` (files and folders) when there are some. Fails with "bad-range", "no-parent",
/// "not-changed" (a path without a change), or with what was wrong with the tree or the revision.
[[nodiscard]] Result<Change> read_change(const WorkTree& tree, const std::string& what,
                                         const std::vector<std::string>& paths);

}  // namespace portpatch
