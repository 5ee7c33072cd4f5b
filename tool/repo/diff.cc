#include "repo/diff.h"

#include <memory>
#include <string>

#include "repo/git_library.h"

namespace portpatch {

Result<std::string> unified_diff(std::string_view path, std::string_view before, std::string_view after) {
  const auto library = git_library();
  if (!library) return std::unexpected(library.error());
  const auto& git = **library;
  const std::string name(path);
  git_patch* raw = nullptr;
  if (git.git_patch_from_buffers(&raw, before.data(), before.size(), name.c_str(), after.data(), after.size(),
                                 name.c_str(), nullptr) != 0) {
    return failure("diff-failed", "libgit2 could not compare the two texts");
  }
  const std::unique_ptr<git_patch, decltype(git.git_patch_free)> patch(raw, git.git_patch_free);
  git_buf buffer{};
  if (git.git_patch_to_buf(&buffer, patch.get()) != 0) return failure("diff-failed", "libgit2 could not print the diff");
  std::string text(buffer.ptr, buffer.size);
  git.git_buf_dispose(&buffer);
  return text;
}

}  // namespace portpatch
