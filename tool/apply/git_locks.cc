#include "apply/git_locks.h"

#include <chrono>
#include <filesystem>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "apply/state_journal.h"
#include "apply/write_failure.h"
#include "base/files.h"
#include "base/text.h"

namespace portpatch {
namespace {

namespace fs = std::filesystem;

constexpr auto kStep = std::chrono::milliseconds(50);
constexpr int kSteps = 20;

/// A git (by its name) that runs within the tree or its git dir; 0 when there is none. Processes of
/// other users cannot be looked at and do not count.
int running_git(const WorkTree& tree) {
  std::error_code error;
  for (fs::directory_iterator it("/proc", error), end; !error && it != end; it.increment(error)) {
    const auto name = it->path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const auto program = read_file(it->path().string() + "/comm");
    if (!program || !program->starts_with("git") || process_mark(std::stoi(name)).empty()) continue;
    std::error_code unreadable;
    const auto folder = fs::read_symlink(it->path() / "cwd", unreadable).string();
    for (const auto& own : {tree.root, tree.git_dir, tree.common_dir}) {
      if (!unreadable && (folder == own || folder.starts_with(own + "/"))) return std::stoi(name);
    }
  }
  return 0;
}

}  // namespace

Result<void> clear_git_locks(const WorkTree& tree, FileSystem& files, const std::string& branch) {
  std::vector<std::string> locks{tree.git_dir + "/index.lock", tree.git_dir + "/HEAD.lock",
                                 tree.git_dir + "/ORIG_HEAD.lock",
                                 tree.common_dir + "/packed-refs.lock"};
  if (!branch.empty()) locks.push_back(tree.common_dir + "/" + branch + ".lock");
  for (const auto& lock : locks) {
    for (int step = 0; step < kSteps && files.status(lock) && (step < 2 || running_git(tree) != 0);
         ++step)
      std::this_thread::sleep_for(kStep);
    const auto status = status_if_there(files, lock);
    if (!status) return write_failure(status.error(), "look at", lock);
    if (!*status) continue;
    if (const int git = running_git(tree); git != 0) {
      return failure("git-running", fmt::format("a git (process {}) holds {}", git, lock),
                     "wait until it has ended, then run the command again");
    }
    if (auto removed = remove_if_there(files, lock); !removed)
      return write_failure(removed.error(), "remove", lock);
  }
  return {};
}

}  // namespace portpatch
