// The direction of the folders of tool/: each includes only the ones above it, and each library is
// seen by its own folders.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "base/files.h"

namespace portpatch::test {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFolders[] = {"base",    "repo",  "syntax",    "pack",
                                         "locate",  "edit",  "inventory", "companion",
                                         "capture", "apply", "report",    "cli"};

const std::map<std::string, std::set<std::string>, std::less<>> kLibraries = {
    {"git2.h", {"repo"}},
    {"tree_sitter/", {"syntax"}},
    {"toml++/", {"base"}},
    {"CLI/", {"cli"}},
    {"re2/", {"syntax", "inventory"}},
    {"nettle/", {"base"}},
    {"nlohmann/", {"repo", "inventory", "apply", "report"}},
    {"dlfcn.h", {"repo", "inventory"}}};

std::size_t rank(std::string_view folder) {
  return std::ranges::find(kFolders, folder) - std::begin(kFolders);
}

struct Include {
  std::string file, folder, name;
};

std::vector<Include> all_includes() {
  std::vector<Include> found;
  const fs::path root = PORTPATCH_SOURCE_DIR "/tool";
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const auto extension = entry.path().extension();
    if (extension != ".cc" && extension != ".h") continue;
    const auto relative = entry.path().lexically_relative(root);
    const auto folder = relative.has_parent_path() ? relative.begin()->string() : "";
    const auto text = *read_file(entry.path());
    for (const auto line : split_lines(text)) {
      if (!line.starts_with("#include ")) continue;
      const auto name = trim(line.substr(9));
      if (name.size() > 2)
        found.push_back({relative.string(), folder, std::string(name.substr(1, name.size() - 2))});
    }
  }
  return found;
}

TEST(Layers, FoldersIncludeOnlyFoldersAboveThem) {
  std::string wrong;
  for (const auto& [file, folder, name] : all_includes()) {
    if (folder.empty()) continue;  // main.cc and pipeline.* hold the whole together
    const auto mine = rank(folder), other = rank(name.substr(0, name.find('/')));
    if (mine == std::size(kFolders)) wrong += "tool/" + folder + " is no known folder\n";
    if (other < std::size(kFolders) && name.contains('/') && other > mine)
      wrong += file + " includes " + name + "\n";
    if ((name == "pipeline.h" || name == "timeline.h" || name == "capture.h") && folder != "cli")
      wrong += file + " includes " + name + "\n";
  }
  EXPECT_EQ(wrong, "");
}

TEST(Layers, LibrariesAreSeenByTheirOwnFolders) {
  std::string wrong;
  for (const auto& [file, folder, name] : all_includes()) {
    for (const auto& [library, folders] : kLibraries) {
      if (name.starts_with(library) && !folders.contains(folder))
        wrong += file + " includes " + name + "\n";
    }
  }
  EXPECT_EQ(wrong, "");
}

TEST(Layers, HeadersShowNoLibraryOutsideOfTheirFolder) {
  // These may be in headers of the folder that wraps them; every other library stays in sources.
  const std::set<std::string> kWrappers = {"repo/git_library.h", "syntax/node_access.h",
                                           "report/json_text.h"};
  std::string wrong;
  for (const auto& [file, folder, name] : all_includes()) {
    if (!file.ends_with(".h") || kWrappers.contains(file)) continue;
    for (const auto& [library, folders] : kLibraries) {
      if (name.starts_with(library)) wrong += file + " includes " + name + "\n";
    }
  }
  EXPECT_EQ(wrong, "");
}

/// Names of the types that a source defines in the namespace of all: beyond their members' own, and
/// without those in an unnamed namespace.
std::vector<std::string> types_of(std::string_view text) {
  std::vector<std::string> names;
  bool is_local = false;
  for (const auto line : split_lines(text)) {
    if (line.starts_with("namespace {")) is_local = true;
    if (line == "}  // namespace") is_local = false;
    const auto words = split(line, ' ');
    const bool is_type = words[0] == "struct" || words[0] == "class" || words[0] == "enum";
    if (is_local || !is_type || words.size() < 3 || !line.contains('{')) continue;
    names.emplace_back(words[words[1] == "class" ? 2 : 1]);
  }
  return names;
}

// Two of one name in one program are undefined behaviour that no compiler tells: their vectors
// share one code, made for the size of one of them.
TEST(Layers, EachTypeHasANameOfItsOwn) {
  std::map<std::string, std::string> homes;
  std::string wrong;
  const fs::path root = PORTPATCH_SOURCE_DIR "/tool";
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const auto extension = entry.path().extension();
    if (extension != ".cc" && extension != ".h") continue;
    const auto file = entry.path().lexically_relative(root).string();
    for (const auto& name : types_of(*read_file(entry.path()))) {
      const auto [home, is_new] = homes.emplace(name, file);
      if (!is_new) wrong += name + " is in " + file + " and in " + home->second + "\n";
    }
  }
  EXPECT_EQ(wrong, "");
}

}  // namespace
}  // namespace portpatch::test
