#include "pull.h"

#include <algorithm>

#include <fmt/format.h>
#include <sys/stat.h>

#include "apply/transaction.h"
#include "pull_changes.h"
#include "pull_commits.h"
#include "repo/pull_arguments.h"

namespace portpatch {

namespace {

std::unexpected<Errors> one(Diagnostic diagnostic) { return std::unexpected(Errors{std::move(diagnostic)}); }

/// Everything that is known before anything is changed.
struct Outlook {
  WorkTree tree;
  PullArguments arguments;
  LocalState start;
  std::vector<std::string> targets;   ///< the commits that were fetched
  std::vector<PathChange> incoming;   ///< what they change since their history and HEAD's parted
  LocalChanges changes;
  std::optional<std::vector<LocalCommit>> commits;  ///< local ones that are made again
  bool is_up_to_date = false;
};

/// A tree that git can pull into, without anything under way.
Result<WorkTree> open_pullable(const Request& request) {
  auto tree = open_work_tree(request.folder);
  if (!tree) return tree;
  if (!tree->is_git()) {
    return failure("no-repository", fmt::format("{} is no git work tree, so there is nothing to pull", tree->root), "`portpatch apply` works on any folder");
  }
  if (const auto operation = operation_in_progress(*tree)) {
    return failure("operation-in-progress", fmt::format("a {} is under way in {}", *operation, tree->root),
                   *operation == "bisect" ? "end it first: git bisect reset" : fmt::format("finish it, or give it up (`git {} --abort`), then pull", *operation));
  }
  return tree;
}

/// What stands on disk where the new file `path` is to come and no commit holds: the file itself, a
/// file where a folder is to come, or files in a folder where a file is to come.
Result<std::vector<std::string>> untracked_at(const WorkTree& tree, const std::vector<std::string>& tracked, const std::string& path) {
  struct stat info {};
  const auto is_there = [&](const std::string& at) { return ::lstat((tree.root + "/" + at).c_str(), &info) == 0; };
  for (auto end = path.find('/'); end != std::string::npos; end = path.find('/', end + 1)) {
    const auto parent = path.substr(0, end);
    if (!is_there(parent)) return std::vector<std::string>{};
    if (!S_ISDIR(info.st_mode)) return std::ranges::binary_search(tracked, parent) ? std::vector<std::string>{} : std::vector{parent};
  }
  if (!is_there(path)) return std::vector<std::string>{};
  if (!S_ISDIR(info.st_mode)) return std::vector{path};
  const auto inside = git_output(tree, {"--literal-pathspecs", "ls-files", "--others", "-z", "--", path});
  if (!inside) return std::unexpected(inside.error());
  return split_nul(*inside);
}

/// Fails where something that git does not track, or is told to ignore, stands where new files are
/// pulled to: git refuses the first and overwrites the second.
Result<void> check_room(const Outlook& outlook) {
  const auto listed = git_output(outlook.tree, {"ls-files", "-z"});
  if (!listed) return std::unexpected(listed.error());
  auto tracked = split_nul(*listed);
  std::ranges::sort(tracked);
  std::set<std::string> in_the_way;
  for (const auto& change : outlook.incoming) {
    const bool is_local = std::ranges::find(outlook.start.files, change.path, &LocalFile::path) != outlook.start.files.end();
    if (!change.before.mode.empty() || is_local || std::ranges::binary_search(tracked, change.path)) continue;
    const auto found = untracked_at(outlook.tree, tracked, change.path);
    if (!found) return std::unexpected(found.error());
    in_the_way.insert(found->begin(), found->end());
  }
  if (in_the_way.empty()) return {};
  Diagnostic diagnostic{.code = "untracked-in-the-way", .message = "files that git does not track stand where the pull brings new ones", .remedy = "move them away, then pull again"};
  for (const auto& path : in_the_way) diagnostic.notes.push_back("in the way: " + path);
  return std::unexpected(std::move(diagnostic));
}

/// Fails where a local change that the rules do not explain meets one that is pulled.
Result<void> check_unexplained(const Outlook& outlook, bool keep) {
  const auto is_incoming = [&](const std::string& path) { return std::ranges::find(outlook.incoming, path, &PathChange::path) != outlook.incoming.end(); };
  for (const auto& path : outlook.start.submodules) {
    if (is_incoming(path)) return failure("submodule-changed", fmt::format("the submodule {} has local changes, and the pull moves it", path), "commit or undo them first");
  }
  if (keep) return {};
  Diagnostic diagnostic{.code = "unexplained-changes", .message = "the pull changes files with local changes that the rules do not explain",
                        .remedy = "commit them, write a rule for them, or pull with --keep, which joins the two where that is certain"};
  for (const auto* file : outlook.changes.others) {
    if (is_incoming(file->path)) diagnostic.notes.push_back("not explained, and pulled too: " + file->path);
  }
  if (diagnostic.notes.empty()) return {};
  for (const auto* file : outlook.changes.others) {
    if (!is_incoming(file->path)) diagnostic.notes.push_back("not explained, but in nobody's way: " + file->path);
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
    outlook.incoming.insert(outlook.incoming.end(), std::make_move_iterator(changes->begin()), std::make_move_iterator(changes->end()));
  }
  return {};
}

/// Local commits are made again where git would rebase them, or would not know what to do.
std::expected<void, Errors> look_at_commits(Outlook& outlook, const Request& request) {
  const bool may_rewrite = outlook.arguments.joining == Joining::kRebase || outlook.arguments.joining == Joining::kUnsaid;
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

/// Looks at everything; the only thing that it changes are the remote's branches, by the fetch.
std::expected<Outlook, Errors> look(PullRequest& request, WorkTree tree) {
  Outlook outlook{.tree = std::move(tree)};
  auto start = read_local_state(outlook.tree);
  if (!start) return one(start.error());
  outlook.start = std::move(*start);
  request.request.left_out = outlook.start.not_checked_out;
  auto arguments = parse_pull_arguments(outlook.tree, request.arguments, outlook.start.position.branch);
  if (!arguments) return one(arguments.error());
  outlook.arguments = std::move(*arguments);
  if (outlook.start.position.branch.empty() && outlook.arguments.places.size() < 2) {
    return one(failure("detached-head", fmt::format("HEAD is at no branch in {}", outlook.tree.root), "name what to pull (`portpatch pull PACK -- origin main`), or switch to a branch").error());
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
  if (auto commits = look_at_commits(outlook, request.request); !commits) return std::unexpected(commits.error());
  return outlook;
}

/// Joins HEAD with what was fetched, by git itself.
Result<void> git_pull(const Outlook& outlook, FileSystem& files, StateRun& run) {
  // What is local was put away, so that there is nothing to stash, and other branches are nobody's business here.
  std::vector<std::string> command{"-c", "rebase.autoStash=false", "-c", "merge.autoStash=false", "-c", "rebase.updateRefs=false",
                                   "-c", "submodule.recurse=false", "-c", "gc.autoDetach=false", "pull"};
  command.insert(command.end(), outlook.arguments.join.begin(), outlook.arguments.join.end());
  command.insert(command.end(), outlook.arguments.places.begin(), outlook.arguments.places.end());
  auto options = watched_git(outlook.tree, files, run);
  options.with_hooks = true;
  options.set = {{"GIT_MERGE_AUTOEDIT", "no"}, {"GIT_EDITOR", "true"}};
  const auto pulled = run_git(outlook.tree, std::move(command), options);
  if (!pulled) return std::unexpected(pulled.error());
  const auto operation = operation_in_progress(outlook.tree);
  const auto status = read_git_status(outlook.tree);
  if (!status) return std::unexpected(status.error());
  std::vector<std::string> unmerged;
  for (const auto& line : *status) {
    if (line.is_unmerged) unmerged.push_back("conflict in " + line.path);
  }
  if (pulled->status == 0 && !operation && unmerged.empty()) return {};
  auto error = git_failed("pull", *pulled);
  error.error().code = unmerged.empty() ? "pull-failed" : "pull-conflict";
  error.error().remedy = unmerged.empty() ? "" : "commits of this branch and of upstream change the same lines; `git pull` alone lets you resolve them, then `portpatch apply`";
  error.error().notes.insert(error.error().notes.end(), unmerged.begin(), unmerged.end());
  return error;
}

/// Brings HEAD to where the pull wants it. `notes`: what became of local commits.
std::expected<void, Errors> join_histories(const Outlook& outlook, const PullRequest& request, StateRun& run, std::vector<std::string>& notes) {
  if (!outlook.commits) {
    if (auto pulled = git_pull(outlook, *request.files, run); !pulled) return one(pulled.error());
    return {};
  }
  const auto reset = git_output(outlook.tree, {"-c", "submodule.recurse=false", "reset", "-q", "--hard", outlook.targets[0]}, watched_git(outlook.tree, *request.files, run));
  if (!reset) return one(reset.error());
  auto replayed = replay_commits(outlook.tree, request.request, *outlook.commits,
                                 [&](const std::string& commit) { return expect_commits(outlook.tree, *request.files, run, {commit}); });
  if (!replayed) return std::unexpected(replayed.error());
  notes = std::move(*replayed);
  return {};
}

/// The local changes that the rules did not make again are named, with where they are.
void name_what_is_left(const Outlook& outlook, const std::string& backup, Report& report) {
  for (const auto& rule : report.rules) {
    if (!needs_person(rule.outcome)) continue;
    const auto& before = outlook.changes.at_head.report.rules;
    const auto was = std::ranges::find(before, rule.full_name(), &RuleReport::full_name);
    if (was == before.end()) continue;
    std::set<std::string> paths;
    for (const auto& site : was->sites) paths.insert(site.path);
    for (const auto* file : outlook.changes.explained) {
      if (!paths.contains(file->path)) continue;
      report.notes.push_back(fmt::format("{} ended as {}; your version of {} with it is kept: git show {}:tree/{}", rule.full_name(), name_of(rule.outcome), file->path, backup, file->path));
    }
  }
}

std::expected<Report, Errors> apply_rules(const PullRequest& request) {
  Request applying = request.request;
  applying.write = true;
  applying.use_memory = false;
  return run(applying);
}

/// The part in which the tree changes. Whatever fails here is rolled back by the caller.
std::expected<Report, Errors> change(const Outlook& outlook, const PullRequest& request, StateRun& run) {
  const auto& tree = outlook.tree;
  auto done = expect_commits(tree, *request.files, run, outlook.targets);
  if (done) done = clean_tree(tree, run);
  if (!done) return one(done.error());
  std::vector<std::string> notes;
  if (auto joined = join_histories(outlook, request, run, notes); !joined) return std::unexpected(joined.error());

  std::set<std::string> rewritten;
  {
    auto session = open_session(tree, *request.files);
    if (!session) return one(session.error());
    if (auto back = put_back(*session, outlook.start.position.head, outlook.changes.others, request.keep, rewritten); !back) return one(back.error());
  }
  auto report = apply_rules(request);
  if (!report) return report;
  for (const auto* file : outlook.changes.explained) rewritten.insert(file->path);
  std::vector<const LocalFile*> staged = outlook.changes.others;
  staged.insert(staged.end(), outlook.changes.explained.begin(), outlook.changes.explained.end());
  if (auto again = stage_again(tree, staged, rewritten); !again) return one(again.error());

  auto session = open_session(tree, *request.files);
  if (!session) return one(session.error());
  const auto now = read_git_position(tree);
  if (!now) return one(now.error());
  const auto count = count_commits(tree, outlook.start.position.head, outlook.targets.back());
  if (!count) return one(count.error());
  Pulled pulled{.before = outlook.start.position.head, .after = now->head, .upstream = outlook.targets.back(), .commits = *count};
  for (const auto* file : outlook.changes.others) pulled.kept.push_back(file->path);
  report->pulled = std::move(pulled);
  for (const auto& change : outlook.incoming) {
    if (change.before.mode != "160000" && change.after.mode != "160000") continue;
    notes.push_back(fmt::format("the submodule {} was moved by upstream; to check it out: git submodule update", change.path));
  }
  const auto backup = session->backups->location(run.manifest.id);
  report->notes.insert(report->notes.begin(), notes.begin(), notes.end());
  name_what_is_left(outlook, backup, *report);
  if (auto finished = finish_state_run(*session, run); !finished) return one(finished.error());
  report->run_id = run.manifest.id;
  report->backup = backup;
  return report;
}

/// Puts everything back and says so in the first error.
Errors take_back(const Outlook& outlook, const PullRequest& request, const StateRun& run, Errors errors) {
  auto session = open_session(outlook.tree, *request.files);
  auto back = session ? roll_back_state_run(*session, run) : Result<std::vector<std::string>>(std::unexpected(session.error()));
  auto& notes = errors.front().notes;
  if (back) {
    notes.insert(notes.end(), back->begin(), back->end());
    notes.push_back("the pull was taken back: HEAD, branch, index and files are as they were before it");
  } else {
    notes.push_back("putting everything back failed too: " + back.error().message + "; `portpatch undo` tries again");
    notes.insert(notes.end(), back.error().notes.begin(), back.error().notes.end());
  }
  return errors;
}

}  // namespace

std::expected<Report, Errors> pull(PullRequest request) {
  auto tree = open_pullable(request.request);
  if (!tree) return one(tree.error());
  const auto ended = recover_interrupted_run(*tree, *request.files);
  if (!ended) return one(ended.error());
  const auto lock = take_state_lock(*tree, *request.files);
  if (!lock) return one(lock.error());
  auto outlook = look(request, *tree);
  if (!outlook) return std::unexpected(outlook.error());

  std::expected<Report, Errors> report;
  if (outlook->is_up_to_date) {
    report = apply_rules(request);
    if (report) report->pulled = Pulled{.before = outlook->start.position.head, .after = outlook->start.position.head, .upstream = outlook->targets.back()};
  } else {
    auto session = open_session(outlook->tree, *request.files);
    if (!session) return one(session.error());
    auto run = begin_state_run(*session, outlook->start, request.request.command);
    if (!run) return one(run.error());
    { const auto released = std::move(*session); }
    report = change(*outlook, request, *run);
    if (!report) return std::unexpected(take_back(*outlook, request, *run, std::move(report.error())));
  }
  if (report && *ended) report->notes.insert(report->notes.begin(), **ended);
  return report;
}

}  // namespace portpatch
