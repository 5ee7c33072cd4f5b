#include "repo/local_state.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <map>
#include <set>

#include <fmt/format.h>
#include <sys/stat.h>

#include "base/digest.h"
#include "base/files.h"
#include "base/system_error.h"
#include "repo/git_program.h"
#include "repo/ref_files.h"

namespace portpatch {
namespace {

constexpr unsigned kPermissionMask = 07777;
constexpr std::string_view kNoMode = "000000", kSubmodule = "160000", kLink = "120000";

StoredFile stored(std::string_view mode, std::string_view blob) {
  if (mode == kNoMode) return {};
  return {.mode = std::string(mode), .blob = std::string(blob)};
}

/// The first `count` words of `line`, and what is behind them.
std::vector<std::string_view> words_of(std::string_view line, std::size_t count) {
  std::vector<std::string_view> words;
  for (; words.size() < count; line.remove_prefix(std::min(line.find(' '), line.size() - 1) + 1)) {
    if (line.empty()) return {};
    words.push_back(line.substr(0, line.find(' ')));
  }
  words.push_back(line);
  return words;
}

std::unexpected<Diagnostic> unreadable_status(std::string_view line) {
  return failure(
      "git-failed",
      fmt::format("`git status` printed a line that portpatch does not know: {}", printable(line)));
}

/// `1 XY SUB MODE_HEAD MODE_INDEX MODE_DISK BLOB_HEAD BLOB_INDEX PATH`
Result<StatusLine> parse_changed(std::string_view line) {
  const auto words = words_of(line, 8);
  if (words.size() != 9 || words[1].size() != 2) return unreadable_status(line);
  return StatusLine{.path = std::string(words[8]),
                    .head = stored(words[3], words[6]),
                    .index = stored(words[4], words[7]),
                    .disk_mode = std::string(words[5]),
                    .is_submodule = words[2].starts_with('S') || words[3] == kSubmodule ||
                                    words[4] == kSubmodule || words[5] == kSubmodule,
                    .is_intent_to_add = words[1] == ".A"};
}

/// `u XY SUB MODE_1 MODE_2 MODE_3 MODE_DISK BLOB_1 BLOB_2 BLOB_3 PATH`
Result<StatusLine> parse_unmerged(std::string_view line) {
  const auto words = words_of(line, 10);
  if (words.size() != 11) return unreadable_status(line);
  return StatusLine{.path = std::string(words[10]),
                    .disk_mode = std::string(words[6]),
                    .is_submodule = words[2].starts_with('S'),
                    .is_unmerged = true};
}

/// Is something at `path`, which `info` then tells about? Links are not followed.
Result<bool> look_at(const WorkTree& tree, const std::string& path, struct stat& info) {
  const auto full = tree.root + "/" + path;
  if (::lstat(full.c_str(), &info) == 0) return true;
  const int error = errno;
  if (says_absent(error)) return false;
  return failure("unreadable-file",
                 fmt::format("cannot look at {}: {}", full, std::generic_category().message(error)),
                 remedy_of(error));
}

/// Reads what stands on disk at the file's path.
Result<void> read_disk(const WorkTree& tree, LocalFile& file) {
  const auto full = tree.root + "/" + file.path;
  struct stat info{};
  for (auto end = file.path.find('/'); end != std::string::npos;
       end = file.path.find('/', end + 1)) {
    const auto parent = file.path.substr(0, end);
    const auto is_there = look_at(tree, parent, info);
    if (!is_there) return std::unexpected(is_there.error());
    if (!*is_there) return {};
    if (S_ISDIR(info.st_mode)) continue;
    return failure(
        "unsaveable",
        fmt::format("{} is no folder, and HEAD has the file {} in it", parent, file.path),
        "commit that or put it back (`git checkout HEAD -- PATH`), then run the command again");
  }
  const auto is_there = look_at(tree, file.path, info);
  if (!is_there) return std::unexpected(is_there.error());
  if (!*is_there) return {};
  if (!S_ISREG(info.st_mode)) {
    return failure(
        "unsaveable",
        fmt::format("{} is no regular file, and differs from what HEAD has there", file.path),
        "commit it or put it back (`git checkout HEAD -- PATH`), then run the command again");
  }
  auto bytes = read_file(full);
  if (!bytes) return std::unexpected(bytes.error());
  file.bytes = std::move(*bytes);
  file.permissions = info.st_mode & kPermissionMask;
  return {};
}

/// What the index has at each path.
Result<std::map<std::string, StoredFile>> index_entries(const WorkTree& tree) {
  const auto listed = git_output(tree, {"ls-files", "-s", "-z"});
  if (!listed) return std::unexpected(listed.error());
  std::map<std::string, StoredFile> entries;
  for (const auto& line : split_nul(*listed)) {
    const auto words = words_of(std::string_view(line).substr(0, line.find('\t')), 2);
    if (words.size() == 3) entries[line.substr(line.find('\t') + 1)] = stored(words[0], words[1]);
  }
  return entries;
}

/// Leaves those of `files` that differ from the index.
Result<void> keep_changed(const WorkTree& tree, std::vector<LocalFile>& files) {
  if (files.empty()) return {};
  const auto entries = index_entries(tree);
  if (!entries) return std::unexpected(entries.error());
  std::vector<std::string> paths;
  for (const auto& file : files) paths.push_back(file.path);
  const auto ids = disk_blob_ids(tree, paths, true);
  if (!ids) return std::unexpected(ids.error());
  std::size_t next = 0;
  std::erase_if(files, [&](LocalFile& file) {
    const auto found = entries->find(file.path);
    if (found != entries->end()) file.head = file.index = found->second;
    return (*ids)[next++] == file.index.blob;
  });
  return {};
}

/// The files that git was told not to look at and that differ all the same; also collects the paths
/// that are not checked out.
Result<std::vector<LocalFile>> hidden_files(const WorkTree& tree,
                                            std::vector<std::string>& not_checked_out) {
  const auto listed = git_output(tree, {"ls-files", "-v", "-z"});
  if (!listed) return std::unexpected(listed.error());
  std::vector<LocalFile> files;
  for (const auto& line : split_nul(*listed)) {
    if (line.size() < 3 || (line[0] != 'S' && !std::islower(static_cast<unsigned char>(line[0]))))
      continue;
    LocalFile file{.path = line.substr(2), .is_hidden = true};
    struct stat info{};
    const auto is_there = look_at(tree, file.path, info);
    if (!is_there) return std::unexpected(is_there.error());
    if (!*is_there) {
      if (line[0] == 'S') not_checked_out.push_back(file.path);
      continue;
    }
    if (!S_ISREG(info.st_mode)) continue;
    if (auto read = read_disk(tree, file); !read) return std::unexpected(read.error());
    files.push_back(std::move(file));
  }
  if (auto kept = keep_changed(tree, files); !kept) return std::unexpected(kept.error());
  return files;
}

}  // namespace

Result<std::vector<StatusLine>> read_git_status(const WorkTree& tree) {
  const auto printed = git_output(
      tree, {"--no-optional-locks", "-c", "core.fsmonitor=false", "status", "--porcelain=v2", "-z",
             "--untracked-files=no", "--no-renames", "--ignore-submodules=none"});
  if (!printed) return std::unexpected(printed.error());
  std::vector<StatusLine> lines;
  for (const auto& line : split_nul(*printed)) {
    if (line.starts_with("# ") || line.empty()) continue;
    auto parsed = line.starts_with("1 ")   ? parse_changed(line)
                  : line.starts_with("u ") ? parse_unmerged(line)
                                           : Result<StatusLine>(unreadable_status(line));
    if (!parsed) return std::unexpected(parsed.error());
    lines.push_back(std::move(*parsed));
  }
  std::ranges::sort(lines, {}, &StatusLine::path);
  return lines;
}

Result<GitPosition> read_git_position(const WorkTree& tree) {
  const auto read = read_ref(tree, "HEAD");
  if (!read) return std::unexpected(read.error());
  const auto& head = *read;
  if (!head || head->id.empty()) {
    return failure("no-commit", fmt::format("nothing is committed yet in {}", tree.root),
                   "`git pull` alone fills an empty branch");
  }
  const auto listed = git_output(tree, {"ls-files", "-s", "-z"});
  if (!listed) return std::unexpected(listed.error());
  return GitPosition{.branch = head->name.starts_with("refs/") ? head->name : "",
                     .head = head->id,
                     .index = sha256(*listed)};
}

Result<LocalState> read_local_state(const WorkTree& tree, std::vector<LeftOut>* left_out) {
  LocalState state;
  const auto may_leave = [&](const std::string& path, const Diagnostic& why) {
    if (left_out == nullptr || why.code != "unsaveable") return false;
    left_out->emplace_back(path, why.message);
    return true;
  };
  auto position = read_git_position(tree);
  if (!position) return std::unexpected(position.error());
  state.position = std::move(*position);
  const auto lines = read_git_status(tree);
  if (!lines) return std::unexpected(lines.error());
  std::set<std::string> seen;
  for (const auto& line : *lines) {
    if (line.is_unmerged) {
      return failure(
          "unmerged-index", fmt::format("{} is unmerged: a merge is not finished", line.path),
          "resolve and commit it, or give it up (`git merge --abort`, `git reset --merge`)");
    }
    if (line.is_submodule) {
      state.submodules.push_back(line.path);
      continue;
    }
    LocalFile file{.path = line.path,
                   .head = line.head,
                   .index = line.index,
                   .is_executable_changed = !line.head.mode.empty() && line.disk_mode != kNoMode &&
                                            line.disk_mode != line.head.mode,
                   .is_intent_to_add = line.is_intent_to_add};
    auto read = line.head.mode == kLink && line.disk_mode != kNoMode
                    ? failure("unsaveable",
                              fmt::format("the symbolic link {} differs from what HEAD has there",
                                          file.path),
                              "commit it or put it back (`git checkout HEAD -- PATH`), then run "
                              "the command again")
                    : read_disk(tree, file);
    if (!read && may_leave(line.path, read.error())) continue;
    if (!read) return std::unexpected(read.error());
    seen.insert(file.path);
    state.files.push_back(std::move(file));
  }
  auto hidden = hidden_files(tree, state.not_checked_out);
  if (!hidden) return std::unexpected(hidden.error());
  for (auto& file : *hidden) {
    if (seen.insert(file.path).second) state.files.push_back(std::move(file));
  }
  std::ranges::sort(state.files, {}, &LocalFile::path);
  std::ranges::sort(state.not_checked_out);
  // Read last: `git status` was told not to write it.
  auto bytes = read_file_if_there(tree.git_dir + "/index");
  if (!bytes) return std::unexpected(bytes.error());
  if (*bytes) state.index_bytes = std::move(**bytes);
  return state;
}

Result<std::vector<std::string>> disk_blob_ids(const WorkTree& tree,
                                               const std::vector<std::string>& paths,
                                               bool filtered) {
  std::vector<std::string> command{"hash-object"};
  if (!filtered) command.emplace_back("--no-filters");
  // A list of lines cannot say every name.
  const auto is_odd = [](const std::string& path) {
    return path.contains('\n') || path.starts_with('"');
  };
  std::string lines;
  for (const auto& path : paths) lines += is_odd(path) ? "" : path + "\n";
  auto listing = command;
  listing.emplace_back("--stdin-paths");
  const auto printed = git_output(tree, std::move(listing), {.input = lines});
  if (!printed) return std::unexpected(printed.error());
  const auto plain = split_lines(*printed);
  std::vector<std::string> ids;
  std::size_t next = 0;
  for (const auto& path : paths) {
    if (!is_odd(path) && next < plain.size()) {
      ids.emplace_back(plain[next++]);
      continue;
    }
    auto one = command;
    one.insert(one.end(), {"--", path});
    const auto id = git_output(tree, std::move(one));
    if (!id) return std::unexpected(id.error());
    ids.emplace_back(trim(*id));
  }
  return ids;
}

Result<std::vector<std::string>> untracked_at(const WorkTree& tree,
                                              const std::vector<std::string>& tracked,
                                              const std::string& path) {
  struct stat info{};
  for (auto end = path.find('/'); end != std::string::npos; end = path.find('/', end + 1)) {
    const auto parent = path.substr(0, end);
    const auto is_there = look_at(tree, parent, info);
    if (!is_there) return std::unexpected(is_there.error());
    if (!*is_there) return std::vector<std::string>{};
    if (!S_ISDIR(info.st_mode))
      return std::ranges::binary_search(tracked, parent) ? std::vector<std::string>{}
                                                         : std::vector{parent};
  }
  const auto is_there = look_at(tree, path, info);
  if (!is_there) return std::unexpected(is_there.error());
  if (!*is_there) return std::vector<std::string>{};
  if (!S_ISDIR(info.st_mode)) return std::vector{path};
  const auto inside = git_output(tree,
                                 {"--literal-pathspecs", "ls-files", "--others", "-z", "--", path});
  if (!inside) return std::unexpected(inside.error());
  return split_nul(*inside);
}

Result<std::vector<std::string>> untracked_paths(const WorkTree& tree) {
  const auto listed = git_output(tree, {"ls-files", "--others", "--exclude-standard", "-z"});
  if (!listed) return std::unexpected(listed.error());
  auto paths = split_nul(*listed);
  std::ranges::sort(paths);
  return paths;
}

Result<std::vector<std::string>> tracked_paths(const WorkTree& tree) {
  const auto listed = git_output(tree, {"ls-files", "-z"});
  if (!listed) return std::unexpected(listed.error());
  auto paths = split_nul(*listed);
  std::ranges::sort(paths);
  return paths;
}

}  // namespace portpatch
