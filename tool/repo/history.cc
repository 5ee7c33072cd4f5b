#include "repo/history.h"

#include <algorithm>
#include <cstring>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/limits.h"
#include "repo/merge_base.h"
#include "repo/ref_files.h"
#include "repo/repository.h"

namespace portpatch {
namespace {

using ObjectHandle = GitHandle<git_object, &GitLibrary::git_object_free>;
using CommitHandle = GitHandle<git_commit, &GitLibrary::git_commit_free>;
using TreeHandle = GitHandle<git_tree, &GitLibrary::git_tree_free>;
/// An entry of a folder: of one side of a comparison, or of both.
struct Entry {
  std::string name;
  git_oid id;
  git_filemode_t mode;
};

bool is_same(const Entry& one, const Entry& two) {
  return one.mode == two.mode && std::memcmp(&one.id, &two.id, sizeof one.id) == 0;
}

/// Could git check it out? No other name is one of a file: a tree of git objects can hold any
/// bytes, and `../x` in a report would be another file to its readers.
bool is_file_name(std::string_view name) {
  const auto is_dot_git = std::ranges::equal(name, std::string_view(".git"), {}, [](char c) {
    return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
  });
  return !name.empty() && name != "." && name != ".." && !is_dot_git && !name.contains('/');
}

}  // namespace

std::string describe(const CommitInfo& commit) {
  return fmt::format("{} ({}) {}", commit.id.substr(0, 12), commit.date, commit.subject);
}

struct History::State {
  Repository repository;

  [[nodiscard]] const GitLibrary& git() const { return *repository.git; }
  [[nodiscard]] std::string hex(const git_oid& id) const { return hex_of(git(), id); }

  Result<CommitHandle> commit(const std::string& id) const {
    if (!is_full_id(id))
      return failure("absent-commit", fmt::format("`{}` is no full commit id", id));
    const auto object = object_id(git(), id);
    git_commit* raw = nullptr;
    if (const int status = git().git_commit_lookup(&raw, repository.handle.get(), &object);
        status < 0)
      return absent(git(), status, "absent-commit", "the commit", id);
    return CommitHandle(raw);
  }

  Result<TreeHandle> tree(const git_oid& id) const {
    git_tree* raw = nullptr;
    if (const int status = git().git_tree_lookup(&raw, repository.handle.get(), &id); status < 0)
      return absent(git(), status, "absent-blob", "the folder", hex(id));
    return TreeHandle(raw);
  }

  Result<std::vector<Entry>> entries(const git_oid& id) const {
    const auto folder = tree(id);
    if (!folder) return std::unexpected(folder.error());
    std::vector<Entry> all;
    const auto count = git().git_tree_entrycount(folder->get());
    all.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto* entry = git().git_tree_entry_byindex(folder->get(), i);
      all.push_back({git().git_tree_entry_name(entry), *git().git_tree_entry_id(entry),
                     git().git_tree_entry_filemode(entry)});
    }
    std::ranges::sort(all, {}, &Entry::name);  // git's own order puts folders elsewhere
    for (const auto& entry : all) {
      if (!is_file_name(entry.name)) return damaged(id, entry.name, "is no name of a file");
    }
    const auto twice = std::ranges::adjacent_find(all, {}, &Entry::name);
    if (twice != all.end()) return damaged(id, twice->name, "stands in it twice");
    return all;
  }

  std::unexpected<Diagnostic> damaged(const git_oid& folder, std::string_view name,
                                      std::string_view why) const {
    return failure(
        "damaged-folder",
        fmt::format("the folder {} is damaged: `{}` {}", hex(folder), printable(name), why),
        "no git makes such a folder: see `git fsck`, and do not check it out");
  }

  /// Every regular file at or below an entry, as one that only one side has.
  std::optional<Diagnostic> add_all(const Entry& entry, const std::string& path, bool is_before,
                                    std::vector<ChangedFile>& out) const {
    if (path.size() > kPathBytes.most)
      return beyond(kPathBytes,
                    fmt::format("{} bytes in {}...", path.size(), printable(path.substr(0, 60))))
          .error();
    if (out.size() >= kTreeFiles.most) return beyond(kTreeFiles).error();
    if (is_regular(entry.mode)) {
      out.push_back({path, is_before ? hex(entry.id) : "", is_before ? "" : hex(entry.id)});
    } else if (entry.mode == GIT_FILEMODE_TREE) {
      const auto below = entries(entry.id);
      if (!below) return below.error();
      for (const auto& child : *below) {
        if (auto error = add_all(child, path + "/" + child.name, is_before, out)) return error;
      }
    }
    return std::nullopt;
  }

  std::optional<Diagnostic> compare(const git_oid& before, const git_oid& after,
                                    const std::string& prefix,
                                    std::vector<ChangedFile>& out) const {
    if (prefix.size() > kPathBytes.most)
      return beyond(kPathBytes, fmt::format("{} bytes in {}...", prefix.size(),
                                            printable(prefix.substr(0, 60))))
          .error();
    const auto old_entries = entries(before);
    if (!old_entries) return old_entries.error();
    const auto new_entries = entries(after);
    if (!new_entries) return new_entries.error();
    auto one = old_entries->begin();
    auto two = new_entries->begin();
    while (one != old_entries->end() || two != new_entries->end()) {
      std::optional<Diagnostic> error;
      if (two == new_entries->end() || (one != old_entries->end() && one->name < two->name)) {
        error = add_all(*one, prefix + one->name, true, out);
        ++one;
      } else if (one == old_entries->end() || two->name < one->name) {
        error = add_all(*two, prefix + two->name, false, out);
        ++two;
      } else {
        if (!is_same(*one, *two)) error = compare_entries(*one, *two, prefix + one->name, out);
        ++one, ++two;
      }
      if (error) return error;
    }
    return std::nullopt;
  }

  std::optional<Diagnostic> compare_entries(const Entry& one, const Entry& two,
                                            const std::string& path,
                                            std::vector<ChangedFile>& out) const {
    if (one.mode == GIT_FILEMODE_TREE && two.mode == GIT_FILEMODE_TREE)
      return compare(one.id, two.id, path + "/", out);
    if (is_regular(one.mode) && is_regular(two.mode)) {
      if (std::memcmp(&one.id, &two.id, sizeof one.id) != 0)
        out.push_back({path, hex(one.id), hex(two.id)});
      return std::nullopt;
    }
    if (auto error = add_all(one, path, true, out)) return error;
    return add_all(two, path, false, out);
  }
};

History::History() : state_(std::make_unique<State>()) {}
History::History(History&&) noexcept = default;
History& History::operator=(History&&) noexcept = default;
History::~History() = default;

Result<History> History::open(const WorkTree& tree) {
  if (!tree.is_git())
    return failure("no-repository",
                   fmt::format("{} is no git work tree, so it has no history", tree.root));
  auto repository = open_repository(tree);
  if (!repository) return std::unexpected(repository.error());
  History history;
  history.state_->repository = std::move(*repository);
  return history;
}

Result<std::string> History::resolve(std::string_view revision) const {
  const auto& git = state_->git();
  const auto unknown = [&] {
    return failure(
        "unknown-revision", fmt::format("`{}` names no commit of this repository", revision),
        is_shallow() ? "the clone is shallow, so that older commits are missing: git fetch "
                       "--unshallow, or --deepen=N"
                     : "see `git log --oneline --all`; a commit of a remote is there after `git "
                       "fetch`");
  };
  git_object* raw = nullptr;
  const int status = git.git_revparse_single(&raw, state_->repository.handle.get(),
                                             std::string(revision).c_str());
  if (status == GIT_ERROR)
    return git_failure(git, "unreadable-object", fmt::format("cannot read `{}`", revision));
  if (status < 0) return unknown();
  const ObjectHandle object(raw);
  git_object* raw_commit = nullptr;
  if (git.git_object_peel(&raw_commit, object.get(), GIT_OBJECT_COMMIT) < 0) return unknown();
  const ObjectHandle commit(raw_commit);
  return state_->hex(*git.git_object_id(commit.get()));
}

bool History::is_shallow() const {
  return state_->git().git_repository_is_shallow(state_->repository.handle.get()) == 1;
}

bool History::has_commit(const std::string& commit) const {
  return state_->commit(commit).has_value();
}

Result<CommitInfo> History::info(const std::string& commit) const {
  const auto found = state_->commit(commit);
  if (!found) return std::unexpected(found.error());
  const auto* subject = state_->git().git_commit_summary(found->get());
  const auto time = static_cast<std::time_t>(state_->git().git_commit_time(found->get()));
  return CommitInfo{commit, subject == nullptr ? "" : subject,
                    fmt::format("{:%Y-%m-%d}", fmt::gmtime(time))};
}

Result<std::optional<std::string>> History::first_parent(const std::string& commit) const {
  const auto found = state_->commit(commit);
  if (!found) return std::unexpected(found.error());
  if (state_->git().git_commit_parentcount(found->get()) == 0) return std::nullopt;
  auto parent = state_->hex(*state_->git().git_commit_parent_id(found->get(), 0));
  if (!has_commit(parent)) return std::nullopt;
  return parent;
}

Result<std::optional<std::vector<std::string>>> History::first_parents(
    const std::string& from, const std::string& to) const {
  if (const auto start = state_->commit(from); !start) return std::unexpected(start.error());
  std::vector<std::string> line;
  for (std::optional<std::string> at = to; at && *at != from;) {
    line.push_back(*at);
    auto parent = first_parent(*at);
    if (!parent) return std::unexpected(parent.error());
    if (!*parent) return std::nullopt;
    at = std::move(*parent);
  }
  std::ranges::reverse(line);
  return line;
}

Result<std::optional<std::string>> History::merge_base(const std::string& one,
                                                       const std::string& two) const {
  const auto base = portpatch::merge_base(state_->repository, object_id(state_->git(), one),
                                          object_id(state_->git(), two));
  if (!base) return std::unexpected(base.error());
  if (!*base) return std::nullopt;
  return state_->hex(**base);
}

Result<std::vector<TreeFile>> History::files(const std::string& commit) const {
  const auto found = state_->commit(commit);
  if (!found) return std::unexpected(found.error());
  const auto entries = state_->entries(*state_->git().git_commit_tree_id(found->get()));
  if (!entries) return std::unexpected(entries.error());
  std::vector<ChangedFile> all;
  for (const auto& entry : *entries) {
    if (auto error = state_->add_all(entry, entry.name, false, all)) return std::unexpected(*error);
  }
  std::vector<TreeFile> files;
  files.reserve(all.size());
  for (auto& file : all) files.push_back({std::move(file.path), std::move(file.after)});
  std::ranges::sort(files, {}, &TreeFile::path);
  return files;
}

Result<std::vector<ChangedFile>> History::changes(const std::string& before,
                                                  const std::string& after) const {
  const auto one = state_->commit(before);
  if (!one) return std::unexpected(one.error());
  const auto two = state_->commit(after);
  if (!two) return std::unexpected(two.error());
  std::vector<ChangedFile> out;
  const auto& git = state_->git();
  if (auto error = state_->compare(*git.git_commit_tree_id(one->get()),
                                   *git.git_commit_tree_id(two->get()), "", out)) {
    return std::unexpected(*error);
  }
  std::ranges::sort(out, {}, &ChangedFile::path);
  return out;
}

Result<std::optional<std::string>> History::blob(const std::string& commit,
                                                 std::string_view path) const {
  if (!is_full_id(commit))
    return failure("absent-commit", fmt::format("`{}` is no full commit id", commit));
  const auto found = find_blob(state_->repository, object_id(state_->git(), commit), path);
  if (!found) return std::unexpected(found.error());
  if (!*found) return std::nullopt;
  return state_->hex(**found);
}

Result<std::string> History::read(const std::string& blob, std::size_t most) const {
  const auto id = object_id(state_->git(), blob);
  if (most != kNoLimit) {
    const auto size = blob_size(state_->repository, id);
    if (!size) return std::unexpected(size.error());
    if (*size > most) return beyond_file_size(*size, most);
  }
  return read_blob(state_->repository, id);
}

Result<std::optional<std::string>> History::read(const std::string& commit, std::string_view path,
                                                 std::size_t most) const {
  auto id = blob(commit, path);
  if (!id || !*id) return id;
  auto text = read(**id, most);
  if (!text) return std::unexpected(text.error());
  return std::move(*text);
}

}  // namespace portpatch
