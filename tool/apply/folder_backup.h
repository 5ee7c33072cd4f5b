// Backups where there is no git: STATE_DIR/backup/RUN/ with the layout of the backup commits.
#pragma once

#include <memory>

#include "apply/file_system.h"
#include "repo/backup.h"
#include "repo/work_tree.h"

namespace portpatch {

/// `tree` and `files` must outlive it.
[[nodiscard]] std::unique_ptr<BackupStore> open_folder_backups(const WorkTree& tree,
                                                               FileSystem& files);

}  // namespace portpatch
