#include "apply/file_system.h"

#include <cerrno>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system_error.h"

namespace portpatch {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kPermissionMask = 07777;

std::unexpected<std::error_code> last_error() {
  return std::unexpected(std::error_code(errno, std::generic_category()));
}

SystemResult<void> checked(int status) {
  if (status != 0) return last_error();
  return {};
}

FileKind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return FileKind::kRegular;
  if (S_ISDIR(mode)) return FileKind::kFolder;
  return S_ISLNK(mode) ? FileKind::kLink : FileKind::kOther;
}

/// Appends everything that is left to read.
SystemResult<void> read_to_end(int descriptor, std::string& bytes) {
  char buffer[1 << 16];
  for (;;) {
    const auto got = ::read(descriptor, buffer, sizeof buffer);
    if (got == 0) return {};
    if (got > 0) bytes.append(buffer, static_cast<std::size_t>(got));
    if (got < 0 && errno != EINTR) return last_error();
  }
}

class RealFileSystem final : public FileSystem {
 public:
  SystemResult<FileStatus> status(const std::string& path) override {
    struct stat info{};
    if (::lstat(path.c_str(), &info) != 0) return last_error();
    return FileStatus{.kind = kind_of(info.st_mode),
                      .permissions = info.st_mode & kPermissionMask,
                      .owner = info.st_uid,
                      .group = info.st_gid};
  }

  SystemResult<std::string> real_path(const std::string& path) override {
    std::error_code error;
    auto real = fs::canonical(path, error);
    if (error) return std::unexpected(error);
    return real.string();
  }

  SystemResult<void> check_writable(const std::string& path) override {
    return checked(::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS));
  }

  SystemResult<std::string> read(const std::string& path) override {
    // Non-blocking, so that a named pipe put in a file's place cannot hang the run.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return last_error();
    std::string bytes;
    const auto result = read_to_end(descriptor, bytes);
    ::close(descriptor);
    if (!result) return std::unexpected(result.error());
    return bytes;
  }

  SystemResult<std::vector<std::string>> list(const std::string& path) override {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
      names.push_back(it->path().filename().string());
    }
    if (error) return std::unexpected(error);
    return names;
  }

  SystemResult<int> create(const std::string& path, unsigned permissions) override {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                                  permissions);
    if (descriptor < 0) return last_error();
    return descriptor;
  }

  SystemResult<void> write(int descriptor, std::string_view bytes) override {
    while (!bytes.empty()) {
      const auto put = ::write(descriptor, bytes.data(), bytes.size());
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) return last_error();
      bytes.remove_prefix(static_cast<std::size_t>(put));
    }
    return {};
  }

  SystemResult<void> imitate(int descriptor, const FileStatus& like) override {
    // Only root may give files away; the permissions come second, as a change of owner clears some.
    [[maybe_unused]] const int ignored = ::fchown(descriptor, like.owner, like.group);
    return checked(::fchmod(descriptor, like.permissions));
  }

  SystemResult<void> sync(int descriptor) override { return checked(::fsync(descriptor)); }
  SystemResult<void> close(int descriptor) override { return checked(::close(descriptor)); }

  SystemResult<void> rename(const std::string& from, const std::string& to) override {
    return checked(::rename(from.c_str(), to.c_str()));
  }
  SystemResult<void> link(const std::string& from, const std::string& to) override {
    return checked(::link(from.c_str(), to.c_str()));
  }
  SystemResult<void> remove(const std::string& path) override {
    return checked(::unlink(path.c_str()));
  }
  SystemResult<void> make_folder(const std::string& path, unsigned permissions) override {
    return checked(::mkdir(path.c_str(), permissions));
  }
  SystemResult<void> remove_folder(const std::string& path) override {
    return checked(::rmdir(path.c_str()));
  }

  SystemResult<void> remove_all(const std::string& path) override {
    std::error_code error;
    fs::remove_all(path, error);
    if (error) return std::unexpected(error);
    return {};
  }

  SystemResult<void> sync_folder(const std::string& path) override {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return last_error();
    auto result = checked(::fsync(descriptor));
    ::close(descriptor);
    // Some network file systems cannot sync folders; there is nothing better to do there.
    if (!result && result.error() == std::errc::invalid_argument) return {};
    return result;
  }

  SystemResult<int> lock(const std::string& path) override {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor < 0) return last_error();
    const auto pid = fmt::format("{}\n", ::getpid());
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 || ::ftruncate(descriptor, 0) != 0 ||
        ::pwrite(descriptor, pid.data(), pid.size(), 0) < 0) {
      auto error = last_error();
      ::close(descriptor);
      return error;
    }
    return descriptor;
  }
};

}  // namespace

FileSystem& real_file_system() {
  static RealFileSystem files;
  return files;
}

SystemResult<void> write_new_file(FileSystem& files, const std::string& path,
                                  std::string_view bytes, const std::optional<FileStatus>& like,
                                  unsigned permissions) {
  // Until it has its owner, a file that imitates another is nobody else's to read.
  const auto descriptor = files.create(path, like ? 0600 : permissions);
  if (!descriptor) return std::unexpected(descriptor.error());
  auto result = files.write(*descriptor, bytes);
  if (result && like) result = files.imitate(*descriptor, *like);
  if (result) result = files.sync(*descriptor);
  auto closed = files.close(*descriptor);
  return result ? closed : result;
}

SystemResult<std::optional<FileStatus>> status_if_there(FileSystem& files,
                                                        const std::string& path) {
  const auto status = files.status(path);
  if (status) return *status;
  if (says_absent(status.error().value())) return std::nullopt;
  return std::unexpected(status.error());
}

SystemResult<std::optional<std::string>> read_if_there(FileSystem& files, const std::string& path) {
  auto bytes = files.read(path);
  if (bytes) return std::move(*bytes);
  if (bytes.error() == std::errc::no_such_file_or_directory) return std::nullopt;
  return std::unexpected(bytes.error());
}

SystemResult<void> remove_if_there(FileSystem& files, const std::string& path) {
  auto removed = files.remove(path);
  if (!removed && removed.error() == std::errc::no_such_file_or_directory) return {};
  return removed;
}

}  // namespace portpatch
