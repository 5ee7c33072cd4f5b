#include "base/scratch_folder.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include <fmt/format.h>
#include <stdlib.h>

#include "base/text.h"

namespace portpatch {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view
    kRemedy = "make room there, or set TMPDIR to a folder that can be written";

}  // namespace

Result<ScratchFolder> ScratchFolder::make() {
  std::error_code error;
  const auto parent = fs::temp_directory_path(error);
  if (error)
    return failure("no-scratch",
                   fmt::format("there is no folder for temporary files: {}", error.message()),
                   std::string(kRemedy));
  auto name = (parent / "portpatch.XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    return failure("no-scratch",
                   fmt::format("cannot make a folder for temporary files in {}: {}",
                               parent.string(), std::strerror(errno)),
                   std::string(kRemedy));
  auto real = fs::canonical(name, error);
  return ScratchFolder(error ? name : real.string());
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
  if (!error) {
    errno = 0;
    std::ofstream out(path, std::ios::binary);
    out << text;
    out.close();
    if (out) return std::nullopt;
    error = std::error_code(errno == 0 ? EIO : errno, std::generic_category());
  }
  return failure("no-scratch",
                 fmt::format("cannot write {}: {}", printable(path.string()), error.message()),
                 std::string(kRemedy))
      .error();
}

}  // namespace portpatch
