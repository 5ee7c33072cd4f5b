#include "base/files.h"

#include <cerrno>
#include <cstring>
#include <expected>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system_error.h"

namespace portpatch {
namespace {

/// The bytes, or the errno of what failed; 0 for what is no regular file.
std::expected<std::string, int> read_bytes(const std::string& path) {
  // Non-blocking, so that a named pipe in a tree cannot hang the run.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return std::unexpected(errno);
  struct stat info{};
  std::string bytes;
  const int stat_error = ::fstat(fd, &info) == 0 ? 0 : errno;
  if (stat_error != 0 || !S_ISREG(info.st_mode)) {
    ::close(fd);
    return std::unexpected(stat_error);
  }
  const auto size = read_to_end(fd, static_cast<std::size_t>(info.st_size), bytes,
                                std::string::npos);
  ::close(fd);
  if (!size) return std::unexpected(size.error());
  bytes.resize(*size);
  return bytes;
}

}  // namespace

std::expected<std::size_t, int> read_to_end(int fd, std::size_t told, std::string& buffer,
                                            std::size_t most) {
  // One byte more than was told: where a reading leaves it free, the end is reached.
  if (buffer.size() <= told) buffer.resize(told + 1);
  std::size_t size = 0;
  while (size <= most) {
    if (size == buffer.size()) buffer.resize(2 * size + 4096);
    const auto got = ::read(fd, buffer.data() + size, buffer.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::unexpected(errno);
    size += static_cast<std::size_t>(got);
    if (got == 0 || size == told) break;
  }
  return size;
}

std::unexpected<Diagnostic> unreadable(const std::string& path, int error) {
  return failure("unreadable-file",
                 fmt::format("cannot read {}: {}", path,
                             error == 0 ? "not a regular file" : std::strerror(error)),
                 error == 0 ? "" : remedy_of(error));
}

Result<std::string> read_file(const std::string& path) {
  auto bytes = read_bytes(path);
  if (!bytes) return unreadable(path, bytes.error());
  return std::move(*bytes);
}

Result<std::optional<std::string>> read_file_if_there(const std::string& path) {
  auto bytes = read_bytes(path);
  if (bytes) return std::move(*bytes);
  if (says_absent(bytes.error())) return std::nullopt;
  return unreadable(path, bytes.error());
}

Result<PathKind> kind_of_path(const std::string& path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) == 0)
    return S_ISREG(info.st_mode)   ? PathKind::kFile
           : S_ISDIR(info.st_mode) ? PathKind::kFolder
                                   : PathKind::kOther;
  const int error = errno;
  if (says_absent(error) || error == ELOOP || error == ENAMETOOLONG) return PathKind::kNothing;
  return failure("unreadable-file",
                 fmt::format("cannot look at {}: {}", path, std::strerror(error)),
                 remedy_of(error));
}

std::string absolute_path(std::string_view path) {
  // Of no path at all the library says that it cannot be made absolute.
  auto normal = std::filesystem::absolute(path.empty() ? "." : path).lexically_normal().string();
  if (normal.size() > 1 && normal.ends_with('/')) normal.pop_back();
  return normal;
}

bool is_inside_path(std::string_view path) {
  if (path.empty() || path.front() == '/' || path.contains('\0')) return false;
  for (const auto part : split(path, '/')) {
    if (part.empty() || part == "." || part == "..") return false;
    if (part.size() == 4 && ::strncasecmp(part.data(), ".git", 4) == 0) return false;
  }
  return true;
}

}  // namespace portpatch
