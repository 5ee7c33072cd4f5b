#include "inventory/deepen.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/scratch_folder.h"
#include "inventory/extract.h"
#include "repo/tree_reader.h"
#include "syntax/language.h"
#include "syntax/source_tree.h"

namespace portpatch {

namespace {

/// Has Clang told all that this place knows?
bool is_told(const CcPlace& place, const std::vector<CcPlace>& clangs) {
  const auto has_key = [](const CcPlace& other, const CcKey& key) {
    return std::ranges::any_of(other.arms, [&](const CcArm& arm) {
      return std::ranges::any_of(arm.keys, [&](const CcKey& same) {
        return same.line == key.line && same.cc.major == key.cc.major &&
               same.cc.minor == key.cc.minor;
      });
    });
  };
  return std::ranges::all_of(place.arms, [&](const CcArm& arm) {
    return std::ranges::all_of(arm.keys, [&](const CcKey& key) {
      return std::ranges::any_of(clangs, [&](const CcPlace& other) { return has_key(other, key); });
    });
  });
}

/// Which arms fail is told by syntax; Clang's JSON does not say it.
void take_refusals(const std::vector<CcPlace>& ours, CcPlace& clangs) {
  const auto is_same = [](const CcArm& one, const CcArm& other) {
    if (one.is_else || other.is_else)
      return one.is_else == other.is_else && one.line <= other.end_line &&
             other.line <= one.end_line;
    return std::ranges::any_of(one.keys, [&](const CcKey& key) {
      return std::ranges::any_of(other.keys, [&](const CcKey& same) {
        return same.line == key.line && same.cc == key.cc;
      });
    });
  };
  for (const auto& place : ours) {
    for (const auto& arm : place.arms) {
      if (!arm.refuses) continue;
      for (auto& other : clangs.arms) other.refuses |= is_same(arm, other);
    }
  }
}

/// Does the place speak of lines that no build keeps? portpatch-cc reads arms of `#if` that are not
/// taken, too.
bool is_dead(const CcPlace& place,
             const std::vector<std::pair<std::size_t, std::size_t>>& dead_lines) {
  const auto is_on = [&](std::size_t line) {
    return std::ranges::any_of(
        dead_lines, [&](const auto& lines) { return lines.first <= line && line < lines.second; });
  };
  return is_on(place.line) || std::ranges::any_of(place.arms, [&](const CcArm& arm) {
           return std::ranges::any_of(arm.keys, is_on, &CcKey::line);
         });
}

void drop_dead(std::vector<CcFile>& files, TreeReader& reader) {
  for (auto& file : files) {
    const auto* language = language_owning(file.path);
    const auto text = file.places.empty() || language == nullptr
                          ? Result<std::optional<std::string>>()
                          : reader.read(file.path);
    if (!text || !*text) continue;
    std::vector<std::pair<std::size_t, std::size_t>> dead_lines;
    for (const auto dead : dead_arms_of(*language, **text))
      dead_lines.emplace_back(line_column(**text, dead.begin).line,
                              line_column(**text, dead.end).line);
    std::erase_if(file.places, [&](const CcPlace& place) { return is_dead(place, dead_lines); });
  }
}

/// Clang's places, and of ours those that it has not seen whole.
void merge(CcFile& ours, CcFile clangs) {
  std::erase_if(clangs.places,
                [](const CcPlace& place) { return place.arms.empty() && place.form != "matcher"; });
  for (auto& place : clangs.places) take_refusals(ours.places, place);
  std::erase_if(ours.places, [&](const CcPlace& place) { return is_told(place, clangs.places); });
  std::ranges::move(ours.places, std::back_inserter(clangs.places));
  std::ranges::stable_sort(clangs.places, {}, [](const CcPlace& place) { return place.line; });
  ours = std::move(clangs);
}

/// A folder with the files: the tree on disk, or copies of the revision's.
Result<std::string> folder_of(const WorkTree& tree, const std::vector<std::string>& paths,
                              TreeReader& reader, std::optional<ScratchFolder>& scratch) {
  if (tree.revision.empty()) return tree.root;
  auto made = ScratchFolder::make();
  if (!made) return std::unexpected(made.error());
  scratch.emplace(std::move(*made));
  for (const auto& path : paths) {
    const auto text = reader.read(path);
    if (!text) return std::unexpected(text.error());
    if (auto error = write_scratch_file(scratch->path(path), text->value_or("")))
      return std::unexpected(std::move(*error));
  }
  return scratch->path("").string();
}

/// Beside what else portpatch keeps of the tree; a plain folder that knows nothing of it stays so.
std::string memory_folder(const WorkTree& tree) {
  std::error_code error;
  const bool is_there = tree.is_git() || std::filesystem::is_directory(tree.state_dir, error);
  return is_there ? tree.state_dir + "/clang" : "";
}

}  // namespace

bool is_clangs(std::string_view path) { return find_language("cpp")->owns(path); }

Result<std::string> deepen(const WorkTree& tree, ClangOptions options, std::vector<CcFile>& files) {
  auto program = find_clang_reader();
  if (!program) return program.error().message + "; " + program.error().remedy;
  options.program = std::move(*program);
  std::vector<std::string> paths;
  for (const auto& file : files) {
    if (is_clangs(file.path)) paths.push_back(file.path);
  }
  if (paths.empty()) return "";
  auto reader = TreeReader::open(tree, kMaxSourceBytes);
  if (!reader) return std::unexpected(reader.error());
  std::optional<ScratchFolder> scratch;
  const auto folder = folder_of(tree, paths, *reader, scratch);
  if (!folder) return std::unexpected(folder.error());
  options.memory = memory_folder(tree);
  options.is_frozen = scratch.has_value();
  auto seen = read_with_clang(*folder, paths, options);
  if (!seen) return std::unexpected(seen.error());
  drop_dead(*seen, *reader);
  std::map<std::string, CcFile*> by_path;
  for (auto& file : files) by_path[file.path] = &file;
  for (auto& file : *seen) {
    auto& ours = *by_path.at(file.path);
    merge(ours, std::move(file));
  }
  return "";
}

}  // namespace portpatch
