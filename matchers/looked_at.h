// The paths that decide what is found out about a file, there or not: where nothing about them has
// changed, the answer is the same.
#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace portpatch::matchers {

using LookedAt = std::set<std::string>;

/// Notes the path and gives it back, to be looked at.
inline const std::string& note(LookedAt& looked_at, const std::filesystem::path& path) {
  return *looked_at.insert(path.string()).first;
}

}  // namespace portpatch::matchers
