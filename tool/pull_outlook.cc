#include "pull_outlook.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "repo/git_config.h"

namespace portpatch {

namespace {

std::unexpected<Errors> one(Diagnostic diagnostic) {
  return std::unexpected(Errors{std::move(diagnostic)});
}

/// Fails where something that git does not track, or is told to ignore, stands where new files are
/// pulled to: git refuses the first and overwrites the second.
Result<void> check_room(const Outlook& outlook) {
  const auto tracked = tracked_paths(outlook.tree);
  if (!tracked) return std::unexpected(tracked.error());
  std::set<std::string> in_the_way;
  for (const auto& change : outlook.incoming) {
    const bool is_local = std::ranges::find(outlook.start.files, change.path, &LocalFile::path) !=
                          outlook.start.files.end();
    if (!change.before.mode.empty() || is_local ||
        std::ranges::binary_search(*tracked, change.path))
      continue;
    const auto found = untracked_at(outlook.tree, *tracked, change.path);
    if (!found) return std::unexpected(found.error());
    in_the_way.insert(found->begin(), found->end());
  }
  if (in_the_way.empty()) return {};
  Diagnostic diagnostic{
      .code = "untracked-in-the-way",
      .message = "files that git does not track stand where the pull brings new ones",
      .remedy = "move them away, then pull again"};
  for (const auto& path : in_the_way) diagnostic.notes.push_back("in the way: " + path);
  return std::unexpected(std::move(diagnostic));
}

/// Fails where a local change that the rules do not explain meets one that is pulled.
Result<void> check_unexplained(const Outlook& outlook, bool keep) {
  const auto is_incoming = [&](const std::string& path) {
    return std::ranges::find(outlook.incoming, path, &PathChange::path) != outlook.incoming.end();
  };
  for (const auto& path : outlook.start.submodules) {
    if (is_incoming(path))
      return failure("submodule-changed",
                     fmt::format("the submodule {} has local changes, and the pull moves it", path),
                     "commit or undo them first");
  }
  if (keep) return {};
  Diagnostic diagnostic{
      .code = "unexplained-changes",
      .message = "the pull changes files with local changes that the rules do not explain",
      .remedy =
          "commit them, write a rule for them, or pull with --keep, which joins the two where that "
          "is certain"};
  for (const auto* file : outlook.changes.others) {
    if (is_incoming(file->path))
      diagnostic.notes.push_back("not explained, and pulled too: " + file->path);
  }
  if (diagnostic.notes.empty()) return {};
  for (const auto* file : outlook.changes.others) {
    if (!is_incoming(file->path))
      diagnostic.notes.push_back("not explained, but in nobody's way: " + file->path);
  }
  return std::unexpected(std::move(diagnostic));
}

/// What the fetched commits change, and whether HEAD has them already.
Result<void> look_at_targets(Outlook& outlook) {
  const auto& head = outlook.start.position.head;
  outlook.is_up_to_date = true;
  for (const auto& target : outlook.targets) {
    const auto has = is_ancestor(outlook.tree, target, head);
    if (!has) return std::unexpected(has.error());
    if (*has) continue;
    outlook.is_up_to_date = false;
    const auto base = common_ancestor(outlook.tree, head, target);
    if (!base) return std::unexpected(base.error());
    auto changes = changed_paths(outlook.tree, base->value_or(head), target);
    if (!changes) return std::unexpected(changes.error());
    outlook.incoming.insert(outlook.incoming.end(), std::make_move_iterator(changes->begin()),
                            std::make_move_iterator(changes->end()));
  }
  return {};
}

/// Local commits are made again where git would rebase them, or would not know what to do.
std::expected<void, Errors> look_at_commits(Outlook& outlook, const Request& request) {
  const bool may_rewrite = outlook.arguments.joining == Joining::kRebase ||
                           outlook.arguments.joining == Joining::kUnsaid;
  const auto& head = outlook.start.position.head;
  if (!may_rewrite || outlook.targets.size() != 1) return {};
  const auto base = common_ancestor(outlook.tree, head, outlook.targets[0]);
  if (!base) return one(base.error());
  if (!*base || **base == head) return {};
  auto commits = explained_commits(outlook.tree, request, **base, head);
  if (!commits) return std::unexpected(commits.error());
  outlook.commits = std::move(*commits);
  return {};
}

}  // namespace

Result<WorkTree> open_pullable(const Request& request) {
  auto tree = open_work_tree(request.folder);
  if (!tree) return tree;
  if (!tree->is_git()) {
    return failure("no-repository",
                   fmt::format("{} is no git work tree, so there is nothing to pull", tree->root),
                   "`portpatch apply` works on any folder");
  }
  if (auto format = check_repository_format(tree->common_dir); !format)
    return std::unexpected(format.error());
  const auto under_way = operation_in_progress(*tree);
  if (!under_way) return std::unexpected(under_way.error());
  if (const auto& operation = *under_way) {
    return failure(
        "operation-in-progress", fmt::format("a {} is under way in {}", *operation, tree->root),
        *operation == "bisect"
            ? "end it first: git bisect reset"
            : fmt::format("finish it, or give it up (`git {} --abort`), then pull", *operation));
  }
  return tree;
}

std::expected<Outlook, Errors> look(PullRequest& request, WorkTree tree) {
  Outlook outlook{.tree = std::move(tree)};
  auto start = read_local_state(outlook.tree);
  if (!start) return one(start.error());
  outlook.start = std::move(*start);
  request.request.left_out = outlook.start.not_checked_out;
  auto arguments = parse_pull_arguments(outlook.tree, request.arguments,
                                        outlook.start.position.branch);
  if (!arguments) return one(arguments.error());
  outlook.arguments = std::move(*arguments);
  if (outlook.start.position.branch.empty() && outlook.arguments.places.size() < 2) {
    return one(
        failure("detached-head", fmt::format("HEAD is at no branch in {}", outlook.tree.root),
                "name what to pull (`portpatch pull PACK -- origin main`), or switch to a branch")
            .error());
  }
  auto changes = sort_changes(outlook.tree, request.request, outlook.start);
  if (!changes) return std::unexpected(changes.error());
  outlook.changes = std::move(*changes);
  auto targets = fetch(outlook.tree, outlook.arguments, request.show_progress);
  if (!targets) return one(targets.error());
  outlook.targets = std::move(*targets);
  auto result = look_at_targets(outlook);
  if (result && !outlook.is_up_to_date) result = check_room(outlook);
  if (result && !outlook.is_up_to_date) result = check_unexplained(outlook, request.keep);
  if (!result) return one(result.error());
  if (outlook.is_up_to_date) return outlook;
  if (auto commits = look_at_commits(outlook, request.request); !commits)
    return std::unexpected(commits.error());
  return outlook;
}

}  // namespace portpatch
