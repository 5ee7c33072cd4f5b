// Every operation on the file system that a transaction makes, so that a test can let each of them
// fail, or end the process before it.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace portpatch {

template <typename T>
using SystemResult = std::expected<T, std::error_code>;

enum class FileKind { kRegular, kFolder, kLink, kOther };

constexpr unsigned kUnknownOwner = ~0U;

/// What stands at a path, a symbolic link itself and not what it leads to.
struct FileStatus {
  FileKind kind = FileKind::kOther;
  unsigned permissions = 0;  ///< the low twelve mode bits
  unsigned owner = kUnknownOwner;
  unsigned group = kUnknownOwner;
};

/// Paths are absolute; errors are the system's own.
class FileSystem {
 public:
  FileSystem() = default;
  FileSystem(const FileSystem&) = delete;
  FileSystem& operator=(const FileSystem&) = delete;
  virtual ~FileSystem() = default;

  [[nodiscard]] virtual SystemResult<FileStatus> status(const std::string& path) = 0;
  /// `path` without symbolic links.
  [[nodiscard]] virtual SystemResult<std::string> real_path(const std::string& path) = 0;
  /// Whether this process may write to the file, or make files in the folder.
  [[nodiscard]] virtual SystemResult<void> check_writable(const std::string& path) = 0;
  /// The bytes of a regular file.
  [[nodiscard]] virtual SystemResult<std::string> read(const std::string& path) = 0;
  /// Names in the folder, in no order.
  [[nodiscard]] virtual SystemResult<std::vector<std::string>> list(const std::string& path) = 0;

  /// Makes a new file for writing, with `permissions` less the umask, and returns its descriptor;
  /// fails when anything stands at `path`.
  [[nodiscard]] virtual SystemResult<int> create(const std::string& path, unsigned permissions) = 0;
  [[nodiscard]] virtual SystemResult<void> write(int descriptor, std::string_view bytes) = 0;
  /// Gives the file the owner and group as far as this process may, then exactly the permissions.
  [[nodiscard]] virtual SystemResult<void> imitate(int descriptor, const FileStatus& like) = 0;
  [[nodiscard]] virtual SystemResult<void> sync(int descriptor) = 0;
  /// The descriptor is closed even when this fails.
  [[nodiscard]] virtual SystemResult<void> close(int descriptor) = 0;

  [[nodiscard]] virtual SystemResult<void> rename(const std::string& from,
                                                  const std::string& to) = 0;
  /// Gives the file `from` (a symbolic link itself) the second name `to`; fails when anything
  /// stands there.
  [[nodiscard]] virtual SystemResult<void> link(const std::string& from, const std::string& to) = 0;
  [[nodiscard]] virtual SystemResult<void> remove(const std::string& path) = 0;
  [[nodiscard]] virtual SystemResult<void> make_folder(const std::string& path,
                                                       unsigned permissions) = 0;
  /// Fails when the folder is not empty.
  [[nodiscard]] virtual SystemResult<void> remove_folder(const std::string& path) = 0;
  /// Removes the folder and everything in it; no error when there is none.
  [[nodiscard]] virtual SystemResult<void> remove_all(const std::string& path) = 0;
  /// Makes renames and removals in the folder reach the disk.
  [[nodiscard]] virtual SystemResult<void> sync_folder(const std::string& path) = 0;

  /// Locks the file `path` (made when missing) for this process alone and writes its pid there.
  /// The lock ends with close() or with the process. Fails with `resource_unavailable_try_again`
  /// while another process holds it.
  [[nodiscard]] virtual SystemResult<int> lock(const std::string& path) = 0;
};

/// The machine's.
[[nodiscard]] FileSystem& real_file_system();

/// Writes and syncs the new file `path`: `like` says whose attributes it takes, nullopt means those
/// of any new file with `permissions`. What stands at `path` after a failure is the caller's to
/// remove. The folder is not synced.
[[nodiscard]] SystemResult<void> write_new_file(FileSystem& files, const std::string& path,
                                                std::string_view bytes,
                                                const std::optional<FileStatus>& like,
                                                unsigned permissions);
/// What stands at `path`, or nullopt when nothing does; what cannot be looked at is an error.
[[nodiscard]] SystemResult<std::optional<FileStatus>> status_if_there(FileSystem& files,
                                                                      const std::string& path);
/// The bytes of the file, or nullopt when there is none.
[[nodiscard]] SystemResult<std::optional<std::string>> read_if_there(FileSystem& files,
                                                                     const std::string& path);
/// Removes the file; no error when there is none.
[[nodiscard]] SystemResult<void> remove_if_there(FileSystem& files, const std::string& path);

}  // namespace portpatch
