#include "repo/merge_base.h"

#include <cstring>
#include <queue>
#include <set>
#include <utility>

namespace portpatch {
namespace {

using CommitHandle = GitHandle<git_commit, &GitLibrary::git_commit_free>;

/// Walks a history from its newest commit on, as far as the repository has it.
class HistoryWalk {
 public:
  HistoryWalk(const Repository& repository, const git_oid& start) : repository_(repository) {
    push(start);
  }

  std::optional<std::string> next() {
    if (queue_.empty()) return std::nullopt;
    const auto hex = queue_.top().second;
    queue_.pop();
    const auto& git = *repository_.git;
    const auto commit = lookup(object_id(git, hex));
    for (unsigned i = 0; i < git.git_commit_parentcount(commit.get()); ++i) {
      push(*git.git_commit_parent_id(commit.get(), i));
    }
    return hex;
  }

 private:
  CommitHandle lookup(const git_oid& id) const {
    git_commit* raw = nullptr;
    repository_.git->git_commit_lookup(&raw, repository_.handle.get(), &id);
    return CommitHandle(raw);
  }

  void push(const git_oid& id) {
    auto hex = hex_of(*repository_.git, id);
    const auto commit = lookup(id);
    if (commit == nullptr || !seen_.insert(hex).second) return;
    queue_.emplace(repository_.git->git_commit_time(commit.get()), std::move(hex));
  }

  const Repository& repository_;
  std::priority_queue<std::pair<git_time_t, std::string>> queue_;
  std::set<std::string> seen_;
};

/// The newest commit that both histories have. libgit2's own search fails at the edge of a shallow
/// clone, where parents are named but absent.
std::optional<git_oid> shallow_merge_base(const Repository& repository, const git_oid& one,
                                          const git_oid& two) {
  std::set<std::string> history;
  HistoryWalk first(repository, one);
  while (const auto commit = first.next()) history.insert(*commit);
  HistoryWalk second(repository, two);
  while (const auto commit = second.next()) {
    if (history.contains(*commit)) return object_id(*repository.git, *commit);
  }
  return std::nullopt;
}

}  // namespace

Result<std::optional<git_oid>> merge_base(const Repository& repository, const git_oid& one,
                                          const git_oid& two) {
  const auto& git = *repository.git;
  if (std::memcmp(&one, &two, sizeof one) == 0) return one;
  if (git.git_repository_is_shallow(repository.handle.get()) == 1) {
    return shallow_merge_base(repository, one, two);
  }
  git_oid base{};
  const int found = git.git_merge_base(&base, repository.handle.get(), &one, &two);
  if (found == GIT_ENOTFOUND) return std::nullopt;
  if (found < 0) return git_failure(git, "unreadable-history", "cannot find the merge base");
  return base;
}

}  // namespace portpatch
