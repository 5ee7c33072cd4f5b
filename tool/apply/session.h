// The time in which one run has a work tree for itself: the lock and the backups.
#pragma once

#include <memory>
#include <utility>

#include "apply/file_system.h"
#include "base/diagnostic.h"
#include "repo/backup.h"
#include "repo/work_tree.h"

namespace portpatch {

/// Holds STATE_DIR/lock, which ends with it, or with the process.
class RunLock {
 public:
  RunLock(FileSystem& files, int descriptor) : files_(&files), descriptor_(descriptor) {}
  RunLock(RunLock&& other) noexcept
      : files_(other.files_), descriptor_(std::exchange(other.descriptor_, -1)) {}
  RunLock& operator=(RunLock&&) = delete;
  ~RunLock();

 private:
  FileSystem* files_;
  int descriptor_;
};

struct Session {
  const WorkTree& tree;
  FileSystem& files;
  RunLock lock;
  std::unique_ptr<BackupStore> backups;
};

/// Makes the state folder, takes the lock and opens the backups. Fails with "locked", naming the
/// process that holds it (or has a pull under way), as open_repository() does, or where the state
/// folder cannot be written.
[[nodiscard]] Result<Session> open_session(const WorkTree& tree, FileSystem& files);

/// Makes the folder that portpatch keeps its state in, unless it is there.
[[nodiscard]] Result<void> make_state_folder(const WorkTree& tree, FileSystem& files);
/// Takes the lock of the file `path`. Fails with "locked", naming the process that holds it.
[[nodiscard]] Result<RunLock> take_lock(const WorkTree& tree, FileSystem& files,
                                        const std::string& path);

/// The backups of `tree`, for reading without a lock.
[[nodiscard]] Result<std::unique_ptr<BackupStore>> open_backups(const WorkTree& tree,
                                                                FileSystem& files);

/// Does some process hold the lock of the file `path`? Reads only; nobody does where there is no
/// file. Fails where that cannot be told.
[[nodiscard]] Result<bool> is_held(const std::string& path);
/// True while some process holds the lock. Reads only.
[[nodiscard]] Result<bool> is_locked(const WorkTree& tree);

}  // namespace portpatch
