#include "apply/session.h"

#include <cerrno>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "apply/folder_backup.h"
#include "apply/state_journal.h"
#include "apply/write_failure.h"
#include "base/system_error.h"
#include "base/text.h"

namespace portpatch {
namespace {

constexpr unsigned kPrivateFolder = 0700;

std::string lock_path(const WorkTree& tree) { return tree.state_dir + "/lock"; }

/// "locked": the process that the lock file `path` names is writing to the tree.
std::unexpected<Diagnostic> locked(const WorkTree& tree, FileSystem& files,
                                   const std::string& path) {
  const auto pid = files.read(path);
  return failure("locked",
                 fmt::format("another portpatch (process {}) is writing to {}",
                             pid ? trim(*pid) : "unknown", tree.root),
                 "wait until it has ended; the lock ends with it");
}

}  // namespace

Result<RunLock> take_lock(const WorkTree& tree, FileSystem& files, const std::string& path) {
  const auto descriptor = files.lock(path);
  if (descriptor) return RunLock(files, *descriptor);
  if (descriptor.error() != std::errc::resource_unavailable_try_again) {
    return write_failure(descriptor.error(), "take the lock", path);
  }
  return locked(tree, files, path);
}

Result<void> make_state_folder(const WorkTree& tree, FileSystem& files) {
  auto result = files.make_folder(tree.state_dir, kPrivateFolder);
  if (!result && result.error() == std::errc::file_exists) return {};
  if (result) {
    result = files.sync_folder(std::filesystem::path(tree.state_dir).parent_path().string());
  }
  if (!result) return write_failure(result.error(), "make the folder", tree.state_dir);
  return {};
}

RunLock::~RunLock() {
  if (descriptor_ >= 0) (void)files_->close(descriptor_);
}

Result<Session> open_session(const WorkTree& tree, FileSystem& files) {
  if (auto made = make_state_folder(tree, files); !made) return std::unexpected(made.error());
  auto lock = take_lock(tree, files, lock_path(tree));
  if (!lock) return std::unexpected(lock.error());
  const auto state = state_lock(tree);
  if (!state) return std::unexpected(state.error());
  if (*state == StateLock::kOtherProcess)
    return locked(tree, files, tree.state_dir + "/state.lock");
  auto backups = open_backups(tree, files);
  if (!backups) return std::unexpected(backups.error());
  return Session{
      .tree = tree, .files = files, .lock = std::move(*lock), .backups = std::move(*backups)};
}

Result<std::unique_ptr<BackupStore>> open_backups(const WorkTree& tree, FileSystem& files) {
  if (tree.is_git()) return open_git_backups(tree);
  return open_folder_backups(tree, files);
}

Result<bool> is_held(const std::string& path) {
  const auto fail = [&](int error) {
    return write_failure(std::error_code(error, std::generic_category()), "look at the lock", path);
  };
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 && !says_absent(errno)) return fail(errno);
  if (descriptor < 0) return false;
  const int error = ::flock(descriptor, LOCK_SH | LOCK_NB) == 0 ? 0 : errno;
  ::close(descriptor);
  if (error != 0 && error != EWOULDBLOCK) return fail(error);
  return error != 0;
}

Result<bool> is_locked(const WorkTree& tree) { return is_held(lock_path(tree)); }

}  // namespace portpatch
