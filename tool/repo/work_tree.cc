#include "repo/work_tree.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "base/files.h"
#include "base/system_error.h"
#include "repo/git_config.h"
#include "repo/index_file.h"

namespace portpatch {
namespace {

namespace fs = std::filesystem;

Result<bool> is_there(const fs::path& path) {
  const auto kind = kind_of_path(path.string());
  if (!kind) return std::unexpected(kind.error());
  return *kind != PathKind::kNothing;
}

Result<bool> is_folder(const fs::path& path) {
  const auto kind = kind_of_path(path.string());
  if (!kind) return std::unexpected(kind.error());
  return *kind == PathKind::kFolder;
}

/// The test that git makes: HEAD, objects and refs (those of a linked work tree lie elsewhere).
Result<bool> is_git_dir(const fs::path& path) {
  auto found = is_there(path / "HEAD");
  if (!found || !*found) return found;
  found = is_there(path / "commondir");
  if (!found || *found) return found;
  found = is_folder(path / "objects");
  if (!found || !*found) return found;
  return is_folder(path / "refs");
}

/// `text`, a path in a file of git's, against `base`.
std::string resolve(const fs::path& base, std::string_view text) {
  return absolute_path((base / std::string(trim(text))).string());
}

std::unexpected<Diagnostic> broken_git_file(const fs::path& file, std::string_view reason) {
  return failure("broken-git-file", fmt::format("{} {}", file.string(), reason),
                 "a work tree or submodule that was moved is mended by `git worktree repair` or "
                 "`git submodule update --init`");
}

/// The git dir that the `.git` file of a submodule or a linked work tree names.
Result<std::string> follow_git_file(const fs::path& file) {
  constexpr std::string_view kKey = "gitdir: ";
  const auto text = read_file(file.string());
  if (!text) return std::unexpected(text.error());
  if (!text->starts_with(kKey)) return broken_git_file(file, "does not begin with `gitdir: `");
  auto git_dir = resolve(file.parent_path(), std::string_view(*text).substr(kKey.size()));
  const auto is_whole = is_git_dir(git_dir);
  if (!is_whole) return std::unexpected(is_whole.error());
  if (!*is_whole) {
    return broken_git_file(file, fmt::format("names {}, which is no git dir", git_dir));
  }
  return git_dir;
}

Result<std::optional<WorkTree>> git_tree(const fs::path& root, std::string git_dir) {
  const auto common = read_file_if_there(git_dir + "/commondir");
  if (!common) return std::unexpected(common.error());
  auto common_dir = *common ? resolve(git_dir, **common) : git_dir;
  auto state_dir = git_dir + "/portpatch";
  return WorkTree{.root = root.string(),
                  .git_dir = std::move(git_dir),
                  .common_dir = std::move(common_dir),
                  .state_dir = std::move(state_dir)};
}

/// The git work tree whose top folder is `folder`, or nothing; with `allow_bare` also a git dir.
Result<std::optional<WorkTree>> git_tree_at(const fs::path& folder, bool allow_bare) {
  const auto git = folder / ".git";
  const auto kind = kind_of_path(git.string());
  if (!kind) return std::unexpected(kind.error());
  if (*kind == PathKind::kFolder) {
    const auto is_own = is_git_dir(git);
    if (!is_own) return std::unexpected(is_own.error());
    if (*is_own) return git_tree(folder, git.string());
    return std::nullopt;  // git, too, passes over an empty one
  }
  if (*kind != PathKind::kNothing) {
    auto git_dir = follow_git_file(git);
    if (!git_dir) return std::unexpected(git_dir.error());
    return git_tree(folder, std::move(*git_dir));
  }
  const auto is_bare = is_git_dir(folder);
  if (!is_bare) return std::unexpected(is_bare.error());
  if (*is_bare) {
    if (allow_bare) return git_tree(folder, folder.string());
    return failure(
        "bare-repository", fmt::format("{} is a git dir without files", folder.string()),
        "name a work tree (`git worktree add` makes one), or read a revision with --rev");
  }
  return std::nullopt;
}

Result<WorkTree> plain_tree(const fs::path& folder) {
  auto root = folder;
  for (auto at = folder;; at = at.parent_path()) {
    const auto has_state = is_folder(at / ".portpatch");
    if (!has_state) return std::unexpected(has_state.error());
    if (*has_state) {
      root = at;
      break;
    }
    if (at == at.parent_path()) break;
  }
  return WorkTree{.root = root.string(),
                  .git_dir = "",
                  .common_dir = "",
                  .state_dir = (root / ".portpatch").string()};
}

Result<std::vector<std::string>> list_tracked(const WorkTree& tree) {
  if (auto format = check_repository_format(tree.common_dir); !format) {
    return std::unexpected(format.error());
  }
  const auto bytes = read_file_if_there(tree.git_dir + "/index");
  if (!bytes) return std::unexpected(bytes.error());
  if (!*bytes) return std::vector<std::string>{};
  return read_index(**bytes);
}

bool is_skipped_folder(const fs::path& name) {
  constexpr std::array kSkipped{".portpatch", ".git", "node_modules", "__pycache__"};
  return std::ranges::find(kSkipped, name) != kSkipped.end();
}

Result<std::vector<std::string>> list_folder(const std::string& root) {
  std::vector<std::string> paths;
  const auto prefix = root.ends_with('/') ? root.size() : root.size() + 1;
  std::error_code error;
  for (fs::recursive_directory_iterator it(root, error), end; !error && it != end;
       it.increment(error)) {
    const auto status = it->symlink_status(error);
    if (error) break;
    if (fs::is_directory(status) && is_skipped_folder(it->path().filename())) {
      it.disable_recursion_pending();
    } else if (fs::is_regular_file(status)) {
      paths.push_back(it->path().string().substr(prefix));
    }
  }
  if (error) {
    return failure("unreadable-folder", fmt::format("cannot list {}: {}", root, error.message()),
                   remedy_of(error.value()));
  }
  std::ranges::sort(paths);
  return paths;
}

/// What a sequence of picks, between two of them, is: its list of steps says so.
Result<std::optional<std::string>> sequence_kind(const std::string& git_dir) {
  const auto steps = read_file_if_there(git_dir + "/sequencer/todo");
  if (!steps) return std::unexpected(steps.error());
  if (!*steps) return std::nullopt;
  return (*steps)->starts_with("revert") ? "revert" : "cherry-pick";
}

}  // namespace

namespace {

/// The git tree around `folder`; `start` becomes its real path. Nothing when there is none.
Result<std::optional<WorkTree>> find_git_tree(std::string_view folder, bool allow_bare,
                                              fs::path& start) {
  std::error_code error;
  start = fs::canonical(folder.empty() ? fs::path(".") : fs::path(folder), error);
  if (error)
    return failure("missing-folder",
                   fmt::format("{} is not a folder that can be read: {}", folder, error.message()),
                   remedy_of(error.value()));
  const auto is_whole = is_folder(start);
  if (!is_whole) return std::unexpected(is_whole.error());
  if (!*is_whole)
    return failure("missing-folder", fmt::format("{} is not a folder that can be read", folder));
  for (auto at = start;; at = at.parent_path()) {
    auto tree = git_tree_at(at, allow_bare);
    if (!tree || *tree) return tree;
    if (at == at.parent_path()) return std::nullopt;
  }
}

}  // namespace

Result<WorkTree> open_work_tree(std::string_view folder) {
  fs::path start;
  auto tree = find_git_tree(folder, false, start);
  if (!tree) return std::unexpected(tree.error());
  return *tree ? std::move(**tree) : plain_tree(start);
}

Result<WorkTree> open_repository_tree(std::string_view folder) {
  fs::path start;
  auto tree = find_git_tree(folder, true, start);
  if (!tree) return std::unexpected(tree.error());
  if (!*tree) {
    return failure(
        "no-repository",
        fmt::format("{} is in no git repository, so it has no revisions", start.string()),
        "name a repository with -C, or leave the revision out");
  }
  return std::move(**tree);
}

Result<std::vector<std::string>> list_files(const WorkTree& tree) {
  return tree.is_git() ? list_tracked(tree) : list_folder(tree.root);
}

Result<std::optional<std::string>> operation_in_progress(const WorkTree& tree) {
  if (!tree.is_git()) return std::nullopt;
  struct Sign {
    std::string_view file;
    std::string_view operation;
  };
  // A rebase leaves CHERRY_PICK_HEAD as well, so it is asked for first.
  constexpr std::array kSigns{
      Sign{"rebase-merge", "rebase"}, Sign{"rebase-apply", "rebase"},
      Sign{"MERGE_HEAD", "merge"},    Sign{"CHERRY_PICK_HEAD", "cherry-pick"},
      Sign{"REVERT_HEAD", "revert"},  Sign{"BISECT_LOG", "bisect"}};
  for (const auto& [file, operation] : kSigns) {
    const auto found = is_there(fs::path(tree.git_dir) / file);
    if (!found) return std::unexpected(found.error());
    if (*found) return std::string(operation);
  }
  return sequence_kind(tree.git_dir);
}

}  // namespace portpatch
