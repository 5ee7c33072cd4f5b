#include "repo/tree_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/limits.h"
#include "base/system_error.h"

namespace portpatch {

Result<std::vector<TreeFile>> list_tree(const WorkTree& tree) {
  if (!tree.revision.empty()) {
    const auto history = History::open(tree);
    if (!history) return std::unexpected(history.error());
    auto files = history->files(tree.revision);
    if (files)
      std::erase_if(*files, [&](const TreeFile& file) {
        return std::ranges::binary_search(tree.left_out, file.path);
      });
    return files;
  }
  auto paths = list_files(tree);
  if (!paths) return std::unexpected(paths.error());
  std::vector<TreeFile> files;
  files.reserve(paths->size());
  for (auto& path : *paths) files.push_back({std::move(path), ""});
  return files;
}

Result<TreeReader> TreeReader::open(const WorkTree& tree, std::size_t limit) {
  TreeReader reader;
  reader.root_ = tree.root;
  reader.revision_ = tree.revision;
  reader.limit_ = limit;
  if (!tree.revision.empty()) {
    auto history = History::open(tree);
    if (!history) return std::unexpected(history.error());
    reader.history_ = std::move(*history);
    return reader;
  }
  reader.folder_ = ::open(tree.root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (reader.folder_ < 0)
    return failure("unreadable-folder",
                   fmt::format("cannot open {}: {}", tree.root, std::strerror(errno)),
                   remedy_of(errno));
  return reader;
}

Result<std::vector<TreeReader>> TreeReader::open_several(const WorkTree& tree, std::size_t limit,
                                                         std::size_t count) {
  std::vector<TreeReader> readers;
  for (std::size_t i = 0; i < count; ++i) {
    auto reader = open(tree, limit);
    if (!reader) return std::unexpected(reader.error());
    readers.push_back(std::move(*reader));
  }
  return readers;
}

TreeReader::TreeReader(TreeReader&& other) noexcept
    : root_(std::move(other.root_)),
      revision_(std::move(other.revision_)),
      limit_(other.limit_),
      folder_(std::exchange(other.folder_, -1)),
      history_(std::move(other.history_)),
      buffer_(std::move(other.buffer_)) {}

TreeReader::~TreeReader() {
  if (folder_ >= 0) ::close(folder_);
}

Result<std::string_view> TreeReader::read(const TreeFile& file) {
  note_reading(file.path);
  if (!history_) return read_from_disk(file.path, false);
  auto text = history_->read(file.blob, limit_);
  if (!text) return std::unexpected(text.error());
  buffer_ = std::move(*text);
  return buffer_;
}

Result<std::optional<std::string>> TreeReader::read(const std::string& path) {
  note_reading(path);
  if (history_) return history_->read(revision_, path, limit_);
  struct stat info{};
  if (::fstatat(folder_, path.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0 && says_absent(errno))
    return std::nullopt;
  const auto text = read_from_disk(path, true);
  if (!text)
    return failure(text.error().code,
                   fmt::format("cannot read {}: {}", root_ + "/" + path, text.error().message),
                   text.error().remedy);
  return std::string(*text);
}

Result<std::string_view> TreeReader::read_from_disk(const std::string& path, bool follows_link) {
  const int fd = ::openat(
      folder_, path.c_str(),
      O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (follows_link ? 0 : O_NOFOLLOW));
  if (fd < 0) return failure("unreadable-file", std::strerror(errno), remedy_of(errno));
  struct stat info{};
  if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    ::close(fd);
    return failure("unreadable-file", "not a regular file");
  }
  // What it has grown to when it is read counts as well.
  auto size = static_cast<std::size_t>(info.st_size);
  if (size <= limit_) {
    const auto read = read_to_end(fd, size, buffer_, limit_);
    ::close(fd);
    if (!read) return failure("unreadable-file", std::strerror(read.error()));
    size = *read;
    if (size <= limit_) return std::string_view(buffer_).substr(0, size);
  } else {
    ::close(fd);
  }
  return beyond_file_size(size, limit_);
}

}  // namespace portpatch
