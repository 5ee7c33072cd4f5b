#include "repo/index_file.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

#include <fmt/format.h>

#include "base/files.h"

namespace portpatch {
namespace {

constexpr std::size_t kHeaderSize = 12, kChecksumSize = 20, kExtensionHeaderSize = 8;
constexpr std::size_t kModeOffset = 24, kFlagsOffset = 60, kFixedSize = 62;
constexpr unsigned kTypeMask = 0170000, kRegular = 0100000;
constexpr unsigned kExtended = 0x4000, kStageMask = 0x3000, kSkipWorktree = 0x4000;

std::unexpected<Diagnostic> damaged(std::string_view reason) {
  return failure("damaged-index", fmt::format("git's index is damaged: {}", reason),
                 "`git status` says more; `git reset` writes the index anew");
}

std::unexpected<Diagnostic> unsupported(std::string_view what, std::string_view remedy) {
  return failure("unsupported-index", fmt::format("git's index is {}", what), std::string(remedy));
}

std::uint32_t number(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < size; ++i)
    value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
  return value;
}

/// Walks over the entries. Every read is checked against the end of the entries' room.
class EntryReader {
 public:
  EntryReader(std::string_view bytes, unsigned version) : bytes_(bytes), version_(version) {}

  /// Reads the next entry into the members below; false when it does not fit.
  [[nodiscard]] bool next() {
    const auto begin = at_;
    if (begin + kFixedSize > bytes_.size()) return false;
    mode_ = number(bytes_, begin + kModeOffset, 4);
    flags_ = number(bytes_, begin + kFlagsOffset, 2);
    at_ = begin + kFixedSize;
    extended_flags_ = 0;
    if ((flags_ & kExtended) != 0) {
      if (version_ < 3 || at_ + 2 > bytes_.size()) return false;
      extended_flags_ = number(bytes_, at_, 2);
      at_ += 2;
    }
    std::size_t shared = 0;
    if (version_ == 4 && !read_shared_length(shared)) return false;
    const auto end = bytes_.find('\0', at_);
    if (end == std::string_view::npos) return false;
    path_.resize(shared);
    path_ += bytes_.substr(at_, end - at_);
    // Versions 2 and 3 fill each entry with 1 to 8 NUL bytes up to a multiple of 8.
    at_ = version_ == 4 ? end + 1 : begin + ((end - begin) / 8 + 1) * 8;
    return at_ <= bytes_.size();
  }

  [[nodiscard]] bool is_listed() const {
    return (mode_ & kTypeMask) == kRegular && (flags_ & kStageMask) == 0 &&
           (extended_flags_ & kSkipWorktree) == 0;
  }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::size_t offset() const { return at_; }

 private:
  /// Version 4: how many bytes of the path before this one are kept, from the number of bytes to
  /// cut off its end, in the variable width encoding of pack offsets.
  [[nodiscard]] bool read_shared_length(std::size_t& shared) {
    std::size_t cut = 0;
    for (bool first = true;; first = false) {
      if (at_ == bytes_.size() || cut > bytes_.size()) return false;
      const auto byte = static_cast<std::uint8_t>(bytes_[at_++]);
      cut = (first ? 0 : (cut + 1) << 7) | (byte & 0x7F);
      if ((byte & 0x80) == 0) break;
    }
    shared = path_.size() - cut;
    return cut <= path_.size();
  }

  std::string_view bytes_;
  unsigned version_;
  std::size_t at_ = kHeaderSize;
  unsigned mode_ = 0, flags_ = 0, extended_flags_ = 0;
  std::string path_;
};

/// Extensions in lower case change what the entries mean. That of a sparse index (`sdir`) only
/// allows folders as entries, which are skipped like everything that is not checked out.
Result<void> check_extensions(std::string_view bytes, std::size_t at) {
  while (at + kExtensionHeaderSize <= bytes.size()) {
    const auto name = bytes.substr(at, 4);
    const auto size = number(bytes, at + 4, 4);
    if (size > bytes.size() - at - kExtensionHeaderSize) return damaged("an extension is cut off");
    if (name == "link") return unsupported("split", "run `git update-index --no-split-index`");
    if (!std::isupper(static_cast<unsigned char>(name[0])) && name != "sdir") {
      return unsupported(fmt::format("of an unknown kind (extension {})", name),
                         "a newer portpatch may read it");
    }
    at += kExtensionHeaderSize + size;
  }
  if (at != bytes.size()) return damaged("it ends within an extension");
  return {};
}

}  // namespace

Result<std::vector<std::string>> read_index(std::string_view bytes) {
  if (bytes.size() < kHeaderSize + kChecksumSize || !bytes.starts_with("DIRC")) {
    return damaged("it does not begin as one");
  }
  const auto version = number(bytes, 4, 4);
  if (version < 2 || version > 4) {
    return unsupported(fmt::format("of version {}", version),
                       "run `git update-index --index-version 4`");
  }
  const auto count = number(bytes, 8, 4);
  bytes.remove_suffix(kChecksumSize);
  if (count > bytes.size() / kFixedSize) return damaged("it has fewer entries than it says");
  std::vector<std::string> paths;
  paths.reserve(count);
  EntryReader reader(bytes, version);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!reader.next()) return damaged(fmt::format("entry {} is cut off", i));
    const auto& path = reader.path();
    if ((path.starts_with('/') || path.contains("..")) && !is_inside_path(path)) {
      return damaged(fmt::format("the path {} leads out of the tree", path));
    }
    if (reader.is_listed()) paths.push_back(path);
  }
  if (auto checked = check_extensions(bytes, reader.offset()); !checked) {
    return std::unexpected(checked.error());
  }
  // Asked last, as a split index, which is refused above, has entries without a path.
  if (std::ranges::find(paths, "") != paths.end()) return damaged("an entry has no path");
  return paths;
}

}  // namespace portpatch
