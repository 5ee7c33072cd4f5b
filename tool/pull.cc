#include "pull.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "apply/transaction.h"
#include "pull_outlook.h"

namespace portpatch {

namespace {

std::unexpected<Errors> one(Diagnostic diagnostic) {
  return std::unexpected(Errors{std::move(diagnostic)});
}

/// What git warns of and goes on all the same, such as a file that it could not remove.
void note_warnings(const ProcessResult& result, std::vector<std::string>& notes) {
  for (const auto line : split_lines(result.error)) {
    if (line.starts_with("warning: ")) notes.push_back("git: " + printable(trim(line)));
  }
}

/// Joins HEAD with what was fetched, by git itself.
Result<void> git_pull(const Outlook& outlook, FileSystem& files, StateRun& run,
                      std::vector<std::string>& notes) {
  // What is local was put away, so that there is nothing to stash, and other branches are nobody's
  // business here.
  std::vector<std::string> command{
      "-c", "rebase.autoStash=false",  "-c",  "merge.autoStash=false",
      "-c", "rebase.updateRefs=false", "-c",  "submodule.recurse=false",
      "-c", "gc.autoDetach=false",     "pull"};
  command.insert(command.end(), outlook.arguments.join.begin(), outlook.arguments.join.end());
  command.insert(command.end(), outlook.arguments.places.begin(), outlook.arguments.places.end());
  auto options = watched_git(outlook.tree, files, run);
  options.with_hooks = true;
  options.set = {{"GIT_MERGE_AUTOEDIT", "no"}, {"GIT_EDITOR", "true"}};
  const auto pulled = run_git(outlook.tree, std::move(command), options);
  if (!pulled) return std::unexpected(pulled.error());
  note_warnings(*pulled, notes);
  const auto operation = operation_in_progress(outlook.tree);
  if (!operation) return std::unexpected(operation.error());
  const auto status = read_git_status(outlook.tree);
  if (!status) return std::unexpected(status.error());
  std::vector<std::string> unmerged;
  for (const auto& line : *status) {
    if (line.is_unmerged) unmerged.push_back("conflict in " + line.path);
  }
  if (pulled->status == 0 && !*operation && unmerged.empty()) return {};
  auto error = git_failed("pull", *pulled);
  error.error().code = unmerged.empty() ? "pull-failed" : "pull-conflict";
  const bool is_unsaid = outlook.arguments.joining == Joining::kUnsaid ||
                         outlook.arguments.joining == Joining::kFastForwardOnly;
  const auto is_behind = is_ancestor(outlook.tree, outlook.start.position.head,
                                     outlook.targets.back());
  if (!unmerged.empty())
    error.error().remedy =
        "commits of this branch and of upstream change the same lines; `git pull` alone lets you "
        "resolve them, then `portpatch apply`";
  else if (is_unsaid && is_behind && !*is_behind)
    error.error().remedy =
        "the branch has commits that upstream lacks, and not only edits of the rules: `portpatch "
        "pull PACK -- --rebase` or `-- --no-rebase` says how to join them";
  error.error().notes.insert(error.error().notes.end(), unmerged.begin(), unmerged.end());
  return error;
}

/// Brings HEAD to where the pull wants it. `notes`: what became of local commits.
std::expected<void, Errors> join_histories(const Outlook& outlook, const PullRequest& request,
                                           StateRun& run, std::vector<std::string>& notes) {
  if (!outlook.commits) {
    if (auto pulled = git_pull(outlook, *request.files, run, notes); !pulled)
      return one(pulled.error());
    return {};
  }
  const auto reset = run_git(
      outlook.tree, {"-c", "submodule.recurse=false", "reset", "-q", "--hard", outlook.targets[0]},
      watched_git(outlook.tree, *request.files, run));
  if (!reset) return one(reset.error());
  if (reset->status != 0) return one(git_failed("reset", *reset).error());
  note_warnings(*reset, notes);
  auto replayed = replay_commits(
      outlook.tree, request.request, *outlook.commits, [&](const std::string& commit) {
        return expect_commits(outlook.tree, *request.files, run, {commit});
      });
  if (!replayed) return std::unexpected(replayed.error());
  std::ranges::move(*replayed, std::back_inserter(notes));
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
      report.notes.push_back(
          fmt::format("{} ended as {}; your version of {} with it is kept: git show {}:tree/{}",
                      rule.full_name(), name_of(rule.outcome), file->path, backup, file->path));
    }
  }
}

std::expected<Report, Errors> apply_rules(const PullRequest& request) {
  Request applying = request.request;
  applying.write = true;
  applying.use_memory = false;
  return run(applying);
}

/// What `first` edited is held in `report`, which was made after it.
void add_earlier_edits(Report first, Report& report) {
  for (std::size_t i = 0; i < report.rules.size() && i < first.rules.size(); ++i) {
    if (first.rules[i].outcome == Outcome::kEdited && report.rules[i].outcome == Outcome::kHeld)
      report.rules[i] = std::move(first.rules[i]);
  }
  for (auto& diff : first.diffs) {
    if (std::ranges::find(report.diffs, diff.path, &FileDiff::path) == report.diffs.end())
      report.diffs.push_back(std::move(diff));
  }
  std::ranges::sort(report.diffs, {}, &FileDiff::path);
}

/// The part in which the tree changes. Whatever fails here is rolled back by the caller.
std::expected<Report, Errors> change(const Outlook& outlook, const PullRequest& request,
                                     StateRun& run) {
  const auto& tree = outlook.tree;
  auto done = expect_commits(tree, *request.files, run, outlook.targets);
  if (done) done = clean_tree(tree, run);
  if (!done) return one(done.error());
  std::vector<std::string> notes;
  if (auto joined = join_histories(outlook, request, run, notes); !joined)
    return std::unexpected(joined.error());

  std::set<std::string> rewritten;
  std::optional<Report> first;
  if (request.keep && !outlook.changes.others.empty()) {
    auto applied = apply_rules(request);
    if (!applied) return applied;
    first = std::move(*applied);
  }
  {
    auto session = open_session(tree, *request.files);
    if (!session) return one(session.error());
    if (auto back = put_back(*session, outlook.start.position.head, outlook.changes, request.keep,
                             rewritten);
        !back)
      return one(back.error());
  }
  auto report = apply_rules(request);
  if (!report) return report;
  if (first) add_earlier_edits(std::move(*first), *report);
  for (const auto* file : outlook.changes.explained) rewritten.insert(file->path);
  std::vector<const LocalFile*> staged = outlook.changes.others;
  staged.insert(staged.end(), outlook.changes.explained.begin(), outlook.changes.explained.end());
  if (auto again = stage_again(tree, staged, rewritten); !again) return one(again.error());

  auto session = open_session(tree, *request.files);
  if (!session) return one(session.error());
  const auto now = read_git_position(tree);
  if (!now) return one(now.error());
  // Upstream may have moved on since the first look.
  const auto targets = outlook.commits ? outlook.targets : fetched_commits(tree);
  if (!targets) return one(targets.error());
  const auto count = count_commits(tree, outlook.start.position.head, targets->back());
  if (!count) return one(count.error());
  Pulled pulled{.before = outlook.start.position.head,
                .after = now->head,
                .upstream = targets->back(),
                .commits = *count};
  for (const auto* file : outlook.changes.others) pulled.kept.push_back(file->path);
  report->pulled = std::move(pulled);
  for (const auto& change : outlook.incoming) {
    if (change.before.mode != "160000" && change.after.mode != "160000") continue;
    notes.push_back(
        fmt::format("the submodule {} was moved by upstream; to check it out: git submodule update",
                    change.path));
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
Errors take_back(const Outlook& outlook, const PullRequest& request, const StateRun& run,
                 Errors errors) {
  auto session = open_session(outlook.tree, *request.files);
  auto back = session ? roll_back_state_run(*session, run)
                      : Result<std::vector<std::string>>(std::unexpected(session.error()));
  auto& notes = errors.front().notes;
  if (back) {
    notes.insert(notes.end(), back->begin(), back->end());
    notes.push_back(
        "the pull was taken back: HEAD, branch, index and files are as they were before it");
  } else {
    notes.push_back("putting everything back failed too: " + back.error().message +
                    "; `portpatch undo` tries again");
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
    if (report)
      report->pulled = Pulled{.before = outlook->start.position.head,
                              .after = outlook->start.position.head,
                              .upstream = outlook->targets.back()};
  } else {
    auto session = open_session(outlook->tree, *request.files);
    if (!session) return one(session.error());
    auto run = begin_state_run(*session, outlook->start, request.request.command);
    if (!run) return one(run.error());
    {
      const auto released = std::move(*session);
    }
    report = change(*outlook, request, *run);
    if (!report)
      return std::unexpected(take_back(*outlook, request, *run, std::move(report.error())));
  }
  if (report && *ended) report->notes.insert(report->notes.begin(), **ended);
  return report;
}

}  // namespace portpatch
