// A small file in the state folder that says what is under way: replaced as a whole, and synced.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "apply/file_system.h"
#include "base/diagnostic.h"
#include "repo/work_tree.h"

namespace portpatch {

class JournalFile {
 public:
  /// `name` is the file's in the state folder of `tree`.
  JournalFile(const WorkTree& tree, std::string_view name);

  /// nullopt when there is none. Fails with "damaged-journal".
  [[nodiscard]] Result<std::optional<std::string>> read(FileSystem& files) const;
  /// Puts `text` in place of what it says.
  [[nodiscard]] Result<void> write(FileSystem& files, const std::string& text) const;
  [[nodiscard]] Result<void> remove(FileSystem& files) const;

  /// What it says makes no sense.
  [[nodiscard]] std::unexpected<Diagnostic> damaged(std::string_view why) const;

 private:
  std::string folder_, path_;
};

}  // namespace portpatch
