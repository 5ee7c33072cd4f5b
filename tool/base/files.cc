#include "base/files.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

namespace portpatch {

Result<std::string> read_file(const std::string& path) {
  const auto fail = [&](std::string_view reason) {
    return failure("unreadable-file", fmt::format("cannot read {}: {}", path, reason));
  };
  // Non-blocking, so that a named pipe in a tree cannot hang the run.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return fail(std::strerror(errno));
  struct stat info{};
  std::string bytes;
  if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    ::close(fd);
    return fail("not a regular file");
  }
  bytes.resize(static_cast<std::size_t>(info.st_size));
  std::size_t at = 0;
  // The file may grow or shrink while it is read: read to its end, whatever fstat said.
  for (;;) {
    if (at == bytes.size()) {
      char more = 0;
      const auto got = ::read(fd, &more, 1);
      if (got <= 0) {
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) at = std::string::npos;
        break;
      }
      bytes.push_back(more);
      ++at;
      bytes.resize(bytes.size() * 2 + 4096);
      continue;
    }
    const auto got = ::read(fd, bytes.data() + at, bytes.size() - at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) at = std::string::npos;
    if (got <= 0) break;
    at += static_cast<std::size_t>(got);
  }
  const int error = errno;
  ::close(fd);
  if (at == std::string::npos) return fail(std::strerror(error));
  bytes.resize(at);
  return bytes;
}

std::string absolute_path(std::string_view path) {
  auto normal = std::filesystem::absolute(path).lexically_normal().string();
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
