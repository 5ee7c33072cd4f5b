#include "base/scratch_folder.h"

#include <fstream>
#include <utility>

#include <fmt/format.h>
#include <stdlib.h>

#include "base/text.h"

namespace portpatch {

namespace fs = std::filesystem;

Result<ScratchFolder> ScratchFolder::make() {
  std::error_code error;
  auto name = (fs::temp_directory_path(error) / "portpatch.XXXXXX").string();
  if (error || ::mkdtemp(name.data()) == nullptr)
    return failure("no-scratch", "there is no folder for temporary files",
                   "set TMPDIR to a folder that can be written");
  return ScratchFolder(fs::canonical(name).string());
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

std::optional<Diagnostic> write_scratch_file(const fs::path& path, std::string_view text) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream out(path, std::ios::binary);
  if ((out << text).flush()) return std::nullopt;
  return failure("no-scratch", fmt::format("{}: cannot be written", printable(path.string())),
                 "set TMPDIR to a folder that can be written")
      .error();
}

}  // namespace portpatch
