// The bytes of a tree's files: from disk, or from the objects of the revision that is read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "repo/history.h"
#include "repo/work_tree.h"

namespace portpatch {

/// The files of a tree: those of list_files(), or every regular file of its revision.
[[nodiscard]] Result<std::vector<TreeFile>> list_tree(const WorkTree& tree);

/// For one thread; several may read one tree. A file beyond `limit` bytes is an error of the limit
/// kFileSize.
class TreeReader {
 public:
  [[nodiscard]] static Result<TreeReader> open(const WorkTree& tree, std::size_t limit);
  /// `count` readers of one tree, one for each thread.
  [[nodiscard]] static Result<std::vector<TreeReader>> open_several(const WorkTree& tree,
                                                                    std::size_t limit,
                                                                    std::size_t count);
  TreeReader(TreeReader&& other) noexcept;
  TreeReader& operator=(TreeReader&&) = delete;
  ~TreeReader();

  /// A file of the list; the bytes are valid until the next call. Links are not followed.
  [[nodiscard]] Result<std::string_view> read(const TreeFile& file);
  /// Any path; nullopt when there is no such file (a symbolic link on disk is followed).
  [[nodiscard]] Result<std::optional<std::string>> read(const std::string& path);

 private:
  TreeReader() = default;
  [[nodiscard]] Result<std::string_view> read_from_disk(const std::string& path, bool follows_link);

  std::string root_, revision_;
  std::size_t limit_ = 0;
  int folder_ = -1;
  std::optional<History> history_;
  std::string buffer_;
};

}  // namespace portpatch
