// What a run is about to do, on the disk before it does it, so that the next run can complete it
// or roll it back.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apply/file_system.h"
#include "base/diagnostic.h"
#include "repo/manifest.h"
#include "repo/work_tree.h"

namespace portpatch {

enum class Stage {
  kWriting,   ///< backup and temporaries are being written; no file has changed
  kRenaming,  ///< backup and temporaries are complete: the run counts as made
};

struct Journal {
  Stage stage = Stage::kWriting;
  Manifest manifest;                     ///< of the run; its backup need not exist yet
  std::vector<std::string> targets;      ///< real path of each entry's file
  std::vector<std::string> temporaries;  ///< where the bytes of each are put before they replace it
  std::string superseded;  ///< text of the journal that this run settles; empty when there was none
};

[[nodiscard]] std::string print_journal(const Journal& journal);

/// nullopt when there is none. Fails with "damaged-journal".
[[nodiscard]] Result<std::optional<Journal>> read_journal(const WorkTree& tree, FileSystem& files);
/// Replaces the journal by `text` as a whole and syncs it.
[[nodiscard]] Result<void> write_journal(const WorkTree& tree, FileSystem& files,
                                         const std::string& text);
[[nodiscard]] Result<void> remove_journal(const WorkTree& tree, FileSystem& files);

}  // namespace portpatch
