#include "pull_commits.h"

#include <fmt/format.h>

#include "repo/git_program.h"
#include "repo/history.h"

namespace portpatch {

namespace {

std::unexpected<Errors> one(Diagnostic diagnostic) {
  return std::unexpected(Errors{std::move(diagnostic)});
}

struct CommitText {
  std::string tree, name, email, date, encoding, message;
};

/// Takes a commit object apart: headers, an empty line, the message.
Result<CommitText> read_commit(const WorkTree& tree, const std::string& id) {
  const auto text = git_output(tree, {"cat-file", "commit", id});
  if (!text) return std::unexpected(text.error());
  const auto end = text->find("\n\n");
  CommitText commit{.message = end == std::string::npos ? "" : text->substr(end + 2)};
  for (const auto line : split_lines(std::string_view(*text).substr(0, end))) {
    if (line.starts_with("encoding ")) commit.encoding = line.substr(9);
    if (!line.starts_with("author ")) continue;
    // "author NAME <EMAIL> SECONDS ZONE"
    const auto open = line.rfind(" <"), close = line.rfind("> ");
    if (open == std::string_view::npos || close == std::string_view::npos)
      return failure("git-failed", "the commit " + id + " has no author");
    commit.name = line.substr(7, open < 7 ? 0 : open - 7);
    commit.email = line.substr(open + 2, close - open - 2);
    commit.date = "@" + std::string(line.substr(close + 2));
  }
  return commit;
}

bool brings(const RuleReport& before, const RuleReport& after) {
  return before.outcome == Outcome::kPending &&
         (after.outcome == Outcome::kHeld || after.outcome == Outcome::kUpstreamed);
}

/// Is every file that differs between the two the same once the rules are applied to both?
Result<bool> only_rules_differ(const WorkTree& tree, const std::string& base,
                               const std::string& head, const Ruled& at_base,
                               const Ruled& at_head) {
  const auto changes = changed_paths(tree, base, head);
  if (!changes) return std::unexpected(changes.error());
  const auto history = History::open(tree);
  if (!history) return std::unexpected(history.error());
  for (const auto& change : *changes) {
    if (change.before.mode != change.after.mode || !change.before.mode.starts_with("100"))
      return false;
    const auto old = history->read(change.before.blob), now = history->read(change.after.blob);
    if (!old || !now) return false;  // a partial clone: not known
    if (at_base.text_of(change.path, *old) != at_head.text_of(change.path, *now)) return false;
  }
  return true;
}

Result<void> commit_again(const WorkTree& tree, const LocalCommit& commit,
                          const std::vector<FileDiff>& diffs, const ToldOfCommit& expect) {
  std::vector<std::string> add{"--literal-pathspecs", "add", "--"};
  for (const auto& diff : diffs) add.push_back(diff.path);
  if (auto added = git_output(tree, std::move(add)); !added) return std::unexpected(added.error());
  const auto old = read_commit(tree, commit.id);
  if (!old) return std::unexpected(old.error());
  const auto written = git_output(tree, {"write-tree", "--missing-ok"});
  if (!written) return std::unexpected(written.error());
  std::vector<std::string> command;
  if (!old->encoding.empty()) command = {"-c", "i18n.commitEncoding=" + old->encoding};
  command.insert(command.end(),
                 {"commit-tree", "-p", "HEAD", "-F", "-", std::string(trim(*written))});
  const auto made = git_output(tree, std::move(command),
                               {.input = old->message,
                                .set = {{"GIT_AUTHOR_NAME", old->name},
                                        {"GIT_AUTHOR_EMAIL", old->email},
                                        {"GIT_AUTHOR_DATE", old->date}}});
  if (!made) return std::unexpected(made.error());
  if (auto expected = expect(std::string(trim(*made))); !expected) return expected;
  const auto moved = git_output(tree, {"update-ref", "-m", "portpatch pull: " + commit.subject,
                                       "HEAD", std::string(trim(*made))});
  if (!moved) return std::unexpected(moved.error());
  return {};
}

}  // namespace

std::expected<std::optional<std::vector<LocalCommit>>, Errors> explained_commits(
    const WorkTree& tree, const Request& request, const std::string& base,
    const std::string& head) {
  const auto merges = git_output(tree, {"rev-list", "--merges", base + ".." + head});
  if (!merges) return one(merges.error());
  if (!merges->empty()) return std::nullopt;
  const auto listed = git_output(tree,
                                 {"rev-list", "--reverse", "--topo-order", base + ".." + head});
  if (!listed) return one(listed.error());
  auto before = plan_rules(request, base);
  if (!before) return std::unexpected(before.error());
  const auto at_base = *before;
  std::vector<LocalCommit> commits;
  for (const auto id : split_lines(*listed)) {
    auto after = plan_rules(request, std::string(id));
    if (!after) return std::unexpected(after.error());
    LocalCommit commit{.id = std::string(id), .subject = {}, .rules = {}};
    for (std::size_t i = 0; i < after->report.rules.size(); ++i) {
      if (brings(before->report.rules[i], after->report.rules[i]))
        commit.rules.push_back(after->report.rules[i].full_name());
    }
    if (commit.rules.empty()) return std::nullopt;
    const auto subject = git_output(tree,
                                    {"log", "-1", "--no-show-signature", "--format=%s", commit.id});
    if (!subject) return one(subject.error());
    commit.subject = trim(*subject);
    commits.push_back(std::move(commit));
    before = std::move(after);
  }
  const auto only_rules = only_rules_differ(tree, base, head, at_base, *before);
  if (!only_rules) return one(only_rules.error());
  if (!*only_rules || commits.empty()) return std::nullopt;
  return commits;
}

std::expected<std::vector<std::string>, Errors> replay_commits(
    const WorkTree& tree, const Request& request, const std::vector<LocalCommit>& commits,
    const ToldOfCommit& expect) {
  std::vector<std::string> notes;
  for (const auto& commit : commits) {
    Request rules = request;
    rules.packs = commit.rules;
    rules.write = true;
    rules.use_memory = false;
    const auto report = run(rules);
    if (!report) return std::unexpected(report.error());
    const auto name = fmt::format("the local commit {} ({})", commit.id.substr(0, 12),
                                  commit.subject);
    const auto kept = fmt::format(": see its rules above; it is kept: git show {}",
                                  commit.id.substr(0, 12));
    if (report->diffs.empty()) {
      notes.push_back(name + (report->needs_person()
                                  ? " could not be made again" + kept
                                  : " is not needed any more: upstream says it already"));
      continue;
    }
    if (auto made = commit_again(tree, commit, report->diffs, expect); !made)
      return one(made.error());
    notes.push_back(
        name + (report->needs_person() ? " was made again in part" + kept : " was made again"));
  }
  return notes;
}

}  // namespace portpatch
