#include "include_roots.h"

#include <array>
#include <filesystem>
#include <set>

namespace portpatch::matchers {

namespace fs = std::filesystem;

std::vector<std::string> include_roots(const std::string& file,
                                       const std::vector<std::string>& missing,
                                       LookedAt& looked_at) {
  constexpr std::array<std::string_view, 4> kFolders{"", "include", "csrc", "src"};
  std::set<std::string> roots;
  std::error_code ignored;
  for (const auto& header : missing) {
    if (header.empty() || header.front() == '/') continue;
    bool is_found = false;
    for (auto folder = fs::path(file).parent_path(); !is_found && folder.has_relative_path();
         folder = folder.parent_path()) {
      for (const auto name : kFolders) {
        const auto root = name.empty() ? folder : folder / name;
        if (is_found || !fs::is_regular_file(note(looked_at, root / header), ignored)) continue;
        roots.insert(root.string());
        is_found = true;
      }
      // Not beyond the repository.
      if (fs::exists(note(looked_at, folder / ".git"), ignored)) break;
    }
  }
  return {roots.begin(), roots.end()};
}

}  // namespace portpatch::matchers
