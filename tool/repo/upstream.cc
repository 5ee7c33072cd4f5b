#include "repo/upstream.h"

#include <queue>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "repo/ref_files.h"
#include "repo/repository.h"

namespace portpatch {
namespace {

using ObjectHandle = GitHandle<git_object, &GitLibrary::git_object_free>;
using CommitHandle = GitHandle<git_commit, &GitLibrary::git_commit_free>;

/// The commit that `hex` names, itself or through an annotated tag.
Result<git_oid> commit_of(const Repository& repository, const std::string& hex) {
  const auto& git = *repository.git;
  const auto id = object_id(git, hex);
  git_object* raw = nullptr;
  if (git.git_object_lookup(&raw, repository.handle.get(), &id, GIT_OBJECT_ANY) < 0) {
    return git_failure(git, "absent-commit", "cannot read the commit " + hex);
  }
  const ObjectHandle object(raw);
  git_object* raw_commit = nullptr;
  if (git.git_object_peel(&raw_commit, object.get(), GIT_OBJECT_COMMIT) < 0) {
    return git_failure(git, "absent-commit", hex + " is no commit");
  }
  const ObjectHandle commit(raw_commit);
  return *git.git_object_id(commit.get());
}

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

Result<std::optional<git_oid>> merge_base(const Repository& repository, const git_oid& one,
                                          const git_oid& two) {
  const auto& git = *repository.git;
  if (git.git_repository_is_shallow(repository.handle.get()) == 1) {
    return shallow_merge_base(repository, one, two);
  }
  git_oid base{};
  const int found = git.git_merge_base(&base, repository.handle.get(), &one, &two);
  if (found == GIT_ENOTFOUND) return std::nullopt;
  if (found < 0) return git_failure(git, "unreadable-history", "cannot find the merge base");
  return base;
}

/// Why there can be no merge base, from the refs alone; empty when there can be one.
std::string reason_without(const UpstreamRefs& refs) {
  if (refs.head.empty()) return "HEAD has no commit yet";
  if (refs.upstream.empty()) return "there is no upstream ref";
  return "";
}

}  // namespace

struct Upstream::State {
  Repository repository;
  std::string commit;
  std::string unknown_because;
};

Upstream::Upstream() : state_(std::make_unique<State>()) {}
Upstream::Upstream(Upstream&&) noexcept = default;
Upstream& Upstream::operator=(Upstream&&) noexcept = default;
Upstream::~Upstream() = default;

Result<Upstream> Upstream::open(const WorkTree& tree, const UpstreamRefs& refs) {
  Upstream upstream;
  auto& state = *upstream.state_;
  if (!tree.is_git()) {
    state.unknown_because = "the folder is no git work tree";
    return upstream;
  }
  auto repository = open_repository(tree);
  if (!repository) return std::unexpected(repository.error());
  state.repository = std::move(*repository);
  state.unknown_because = reason_without(refs);
  if (!state.unknown_because.empty()) return upstream;

  const auto head = commit_of(state.repository, refs.head);
  if (!head) return std::unexpected(head.error());
  const auto other = commit_of(state.repository, refs.upstream);
  if (!other) return std::unexpected(other.error());
  const auto base = merge_base(state.repository, *head, *other);
  if (!base) return std::unexpected(base.error());
  if (*base) {
    state.commit = hex_of(*state.repository.git, **base);
  } else {
    state.unknown_because =
        fmt::format("the histories of HEAD and {} do not meet in this repository",
                    refs.name.empty() ? refs.upstream : refs.name);
  }
  return upstream;
}

const std::string& Upstream::commit() const { return state_->commit; }
const std::string& Upstream::unknown_because() const { return state_->unknown_because; }

Result<std::optional<std::string>> Upstream::read(std::string_view path) const {
  if (state_->commit.empty()) {
    return failure("no-upstream-commit",
                   "upstream's version is not known: " + state_->unknown_because);
  }
  return read_at(state_->commit, path);
}

Result<std::optional<std::string>> Upstream::read_at(std::string_view commit,
                                                     std::string_view path) const {
  if (state_->repository.handle == nullptr) {
    return failure("no-repository", "a plain folder has no commits");
  }
  if (!is_full_id(commit)) {
    return failure("absent-commit", fmt::format("{} is no full commit id", commit));
  }
  return read_blob(state_->repository, object_id(*state_->repository.git, commit), path);
}

}  // namespace portpatch
