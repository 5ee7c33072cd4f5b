// A folder for temporary files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace portpatch {

/// A new, empty folder that goes with the object.
class ScratchFolder {
 public:
  /// Fails with "no-scratch".
  [[nodiscard]] static Result<ScratchFolder> make();
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();

  [[nodiscard]] std::filesystem::path path(std::string_view name) const {
    return std::filesystem::path(path_) / name;
  }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

/// Writes a file that nothing depends on, with the folders above it; the error when it cannot.
[[nodiscard]] std::optional<Diagnostic> write_scratch_file(const std::filesystem::path& path,
                                                           std::string_view text);

}  // namespace portpatch
