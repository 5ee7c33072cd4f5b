#include "repo/work_tree.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "base/files.h"
#include "repo/git_config.h"
#include "repo/index_file.h"

namespace portpatch {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

/// The test that git makes: HEAD, objects and refs (those of a linked work tree lie elsewhere).
bool is_git_dir(const fs::path& path) {
  if (!is_there(path / "HEAD")) return false;
  return is_there(path / "commondir") || (is_folder(path / "objects") && is_folder(path / "refs"));
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
  if (!is_git_dir(git_dir)) {
    return broken_git_file(file, fmt::format("names {}, which is no git dir", git_dir));
  }
  return git_dir;
}

WorkTree git_tree(const fs::path& root, std::string git_dir) {
  const auto common = read_file(git_dir + "/commondir");
  auto common_dir = common ? resolve(git_dir, *common) : git_dir;
  auto state_dir = git_dir + "/portpatch";
  return {.root = root.string(),
          .git_dir = std::move(git_dir),
          .common_dir = std::move(common_dir),
          .state_dir = std::move(state_dir)};
}

/// The git work tree whose top folder is `folder`, or nothing; with `allow_bare` also a git dir.
Result<std::optional<WorkTree>> git_tree_at(const fs::path& folder, bool allow_bare) {
  const auto git = folder / ".git";
  if (is_folder(git)) {
    if (is_git_dir(git)) return git_tree(folder, git.string());
    return std::nullopt;  // git, too, passes over an empty one
  }
  if (is_there(git)) {
    auto git_dir = follow_git_file(git);
    if (!git_dir) return std::unexpected(git_dir.error());
    return git_tree(folder, std::move(*git_dir));
  }
  if (is_git_dir(folder)) {
    if (allow_bare) return git_tree(folder, folder.string());
    return failure(
        "bare-repository", fmt::format("{} is a git dir without files", folder.string()),
        "name a work tree (`git worktree add` makes one), or read a revision with --rev");
  }
  return std::nullopt;
}

WorkTree plain_tree(const fs::path& folder) {
  auto root = folder;
  for (auto at = folder;; at = at.parent_path()) {
    if (is_folder(at / ".portpatch")) {
      root = at;
      break;
    }
    if (at == at.parent_path()) break;
  }
  return {.root = root.string(),
          .git_dir = "",
          .common_dir = "",
          .state_dir = (root / ".portpatch").string()};
}

Result<std::vector<std::string>> list_tracked(const WorkTree& tree) {
  if (auto format = check_repository_format(tree.common_dir); !format) {
    return std::unexpected(format.error());
  }
  const auto index = tree.git_dir + "/index";
  if (!is_there(index)) return std::vector<std::string>{};
  const auto bytes = read_file(index);
  if (!bytes) return std::unexpected(bytes.error());
  return read_index(*bytes);
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
    return failure("unreadable-folder", fmt::format("cannot list {}: {}", root, error.message()));
  }
  std::ranges::sort(paths);
  return paths;
}

/// What a sequence of picks, between two of them, is: its list of steps says so.
std::optional<std::string> sequence_kind(const std::string& git_dir) {
  const auto steps = read_file(git_dir + "/sequencer/todo");
  if (!steps) return std::nullopt;
  return steps->starts_with("revert") ? "revert" : "cherry-pick";
}

}  // namespace

namespace {

/// The git tree around `folder`; `start` becomes its real path. Nothing when there is none.
Result<std::optional<WorkTree>> find_git_tree(std::string_view folder, bool allow_bare,
                                              fs::path& start) {
  std::error_code error;
  start = fs::canonical(folder.empty() ? fs::path(".") : fs::path(folder), error);
  if (error || !is_folder(start)) {
    return failure("missing-folder", fmt::format("{} is not a folder that can be read", folder));
  }
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

std::optional<std::string> operation_in_progress(const WorkTree& tree) {
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
    if (is_there(fs::path(tree.git_dir) / file)) return std::string(operation);
  }
  return sequence_kind(tree.git_dir);
}

}  // namespace portpatch
