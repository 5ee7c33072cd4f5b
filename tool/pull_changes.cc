#include "pull_changes.h"

#include <fmt/format.h>

#include "apply/write_failure.h"
#include "repo/git_program.h"
#include "repo/history.h"

namespace portpatch {

namespace {

constexpr unsigned kPrivate = 0600, kExecute = 0111;

/// Are the two the same once git has stored them? `on_disk` goes through the filters of `path`.
Result<bool> same_to_git(const WorkTree& tree, const std::string& path, const std::string& on_disk,
                         const std::string& in_git) {
  if (on_disk == in_git) return true;
  const auto one = blob_id(tree, on_disk, path, true);
  if (!one) return std::unexpected(one.error());
  const auto other = blob_id(tree, in_git, path, false);
  if (!other) return std::unexpected(other.error());
  return *one == *other;
}

Result<bool> is_explained(const WorkTree& tree, const History& history, const LocalFile& file,
                          const Ruled& at_head, const Ruled& on_disk) {
  if (file.is_hidden || !file.bytes || file.head.mode.empty() || file.is_executable_changed ||
      file.is_intent_to_add)
    return false;
  if (!at_head.texts.contains(file.path)) return false;
  if (file.is_staged()) {
    const auto whole = blob_id(tree, *file.bytes, file.path, true);
    if (!whole) return std::unexpected(whole.error());
    if (file.index.mode != file.head.mode || file.index.blob != *whole) return false;
  }
  const auto head = history.read(file.head.blob);
  if (!head) return false;  // a partial clone without this blob: not known
  return same_to_git(tree, file.path, on_disk.text_of(file.path, *file.bytes),
                     at_head.text_of(file.path, *head));
}

std::unexpected<Diagnostic> conflict(const std::string& path, std::string_view why) {
  return failure("merge-conflict",
                 fmt::format("the local change of {} cannot be carried over: {}", path, why),
                 "commit it and pull with `git pull`, or take it out of the tree for the pull");
}

/// Three texts joined line by line, as `git merge-file` does.
Result<std::string> join_texts(Session& session, const std::string& path, const std::string& ours,
                               const std::string& base, const std::string& theirs) {
  std::vector<std::string> names;
  for (const auto& [name, bytes] :
       {std::pair("local", &ours), std::pair("before", &base), std::pair("pulled", &theirs)}) {
    const auto file = fmt::format("{}/merge.{}", session.tree.state_dir, name);
    auto result = remove_if_there(session.files, file);
    if (result) result = write_new_file(session.files, file, *bytes, std::nullopt, kPrivate);
    names.push_back(file);
    if (!result) {
      for (const auto& written : names) (void)remove_if_there(session.files, written);
      return write_failure(result.error(), "write", file);
    }
  }
  const auto merged = run_git(session.tree,
                              {"merge-file", "-p", "-q", names[0], names[1], names[2]});
  for (const auto& name : names) (void)remove_if_there(session.files, name);
  if (!merged) return std::unexpected(merged.error());
  if (merged->status != 0)
    return conflict(path, "upstream changed the same lines, or it is no text");
  return merged->out;
}

/// The file as it shall be after the pull; `bytes` empty: not there. nullopt: it is so already.
struct Wanted {
  std::optional<std::string> bytes;
  unsigned permissions = 0;
};

Result<Wanted> join_with_upstream(Session& session, const std::string& old_head,
                                  const LocalChanges& changes, const LocalFile& file,
                                  const StoredFile& now,
                                  const std::optional<std::string>& on_disk) {
  if (now.mode.empty()) {
    if (!file.bytes) return Wanted{};
    return conflict(file.path, "upstream has removed or renamed the file");
  }
  if (!file.bytes) return conflict(file.path, "it was removed here, and upstream has changed it");
  if (!on_disk) return conflict(file.path, "upstream made something else of the file");
  if (*file.bytes == *on_disk) return Wanted{.bytes = file.bytes, .permissions = file.permissions};
  if (file.head.mode.empty())
    return conflict(file.path, "upstream has brought a file of this name");
  if (file.is_staged()) {
    const auto whole = blob_id(session.tree, *file.bytes, file.path, true);
    if (!whole) return std::unexpected(whole.error());
    if (*whole != file.index.blob) return conflict(file.path, "it is staged in part");
  }
  const auto base = checked_out_bytes(session.tree, old_head, file.path);
  if (!base) return std::unexpected(base.error());
  // What the rules make of HEAD's version is known for the bytes in git: those on disk may have
  // other line ends.
  const auto in_git = git_output(session.tree, {"cat-file", "blob", file.head.blob});
  if (!in_git) return std::unexpected(in_git.error());
  const bool is_ruled = *in_git == *base;
  auto joined = join_texts(session, file.path,
                           is_ruled ? changes.on_disk.text_of(file.path, *file.bytes) : *file.bytes,
                           is_ruled ? changes.at_head.text_of(file.path, *base) : *base, *on_disk);
  if (!joined) return std::unexpected(joined.error());
  const bool upstream_changed_mode = now.mode != file.head.mode && !file.is_executable_changed;
  const unsigned permissions = !upstream_changed_mode ? file.permissions
                               : now.mode == "100755" ? file.permissions | kExecute
                                                      : file.permissions & ~kExecute;
  return Wanted{.bytes = std::move(*joined), .permissions = permissions};
}

std::unexpected<Diagnostic> touched(const std::string& path) {
  return failure(
      "unexplained-changes",
      fmt::format(
          "{} has local changes that the rules do not explain, and what was pulled changes it too",
          path),
      "commit them, or pull with --keep, which joins the two where that is certain");
}

}  // namespace

const std::string& Ruled::text_of(const std::string& path, const std::string& otherwise) const {
  const auto found = texts.find(path);
  return found == texts.end() ? otherwise : found->second;
}

std::expected<Ruled, Errors> plan_rules(const Request& request, const std::string& revision) {
  Request looking = request;
  looking.rev = revision;
  looking.write = false;
  looking.use_memory = false;
  auto report = run(looking);
  if (!report) return std::unexpected(report.error());
  Ruled ruled{.texts = {}, .report = std::move(*report)};
  for (auto& diff : ruled.report.diffs) ruled.texts[diff.path] = std::move(diff.after);
  return ruled;
}

std::expected<LocalChanges, Errors> sort_changes(const WorkTree& tree, const Request& request,
                                                 const LocalState& state) {
  auto at_head = plan_rules(request, "HEAD");
  if (!at_head) return std::unexpected(at_head.error());
  LocalChanges changes{
      .at_head = std::move(*at_head), .on_disk = {}, .explained = {}, .others = {}};
  if (state.files.empty()) return changes;
  auto on_disk = plan_rules(request, "");
  if (!on_disk) return std::unexpected(on_disk.error());
  changes.on_disk = std::move(*on_disk);
  const auto history = History::open(tree);
  if (!history) return std::unexpected(Errors{history.error()});
  for (const auto& file : state.files) {
    const auto explained = is_explained(tree, *history, file, changes.at_head, changes.on_disk);
    if (!explained) return std::unexpected(Errors{explained.error()});
    (*explained ? changes.explained : changes.others).push_back(&file);
  }
  return changes;
}

Result<void> put_back(Session& session, const std::string& old_head, const LocalChanges& changes,
                      bool keep, std::set<std::string>& merged) {
  std::vector<FileWrite> writes;
  for (const auto* file : changes.others) {
    const auto now = stored_file(session.tree, "HEAD", file->path);
    if (!now) return std::unexpected(now.error());
    auto on_disk = read_if_there(session.files, session.tree.root + "/" + file->path);
    if (!on_disk && on_disk.error() == std::errc::not_a_directory) on_disk = std::nullopt;
    if (!on_disk && on_disk.error() == std::errc::is_a_directory)
      return conflict(file->path, on_disk.error().message());
    if (!on_disk) return write_failure(on_disk.error(), "read", file->path);
    Wanted wanted{.bytes = file->bytes, .permissions = file->permissions};
    if (*now != file->head) {
      if (!keep) return touched(file->path);
      auto joined = join_with_upstream(session, old_head, changes, *file, *now, *on_disk);
      if (!joined) return std::unexpected(joined.error());
      wanted = std::move(*joined);
      merged.insert(file->path);
    }
    FileWrite write{.change = {.path = file->path,
                               .before = std::move(*on_disk),
                               .after = std::move(wanted.bytes)},
                    .permissions = wanted.permissions};
    // A change of the executable bit alone is not one of the bytes.
    if (write.change.before && write.change.before == write.change.after) {
      const auto mode = session.files.status(session.tree.root + "/" + file->path);
      if (!mode) return write_failure(mode.error(), "look at", file->path);
      if (mode->permissions != wanted.permissions) {
        auto emptied = write_run(
            session,
            {{.change = {.path = file->path, .before = write.change.before, .after = std::nullopt},
              .permissions = std::nullopt}},
            "pull: put back", "");
        if (!emptied) return std::unexpected(emptied.error());
        write.change.before = std::nullopt;
      }
    }
    writes.push_back(std::move(write));
  }
  const auto written = write_run(session, writes, "pull: put back", "");
  if (!written) return std::unexpected(written.error());
  return {};
}

Result<void> stage_again(const WorkTree& tree, const std::vector<const LocalFile*>& files,
                         const std::set<std::string>& rewritten) {
  for (const auto* file : files) {
    if (!file->is_staged()) continue;
    std::vector<std::string> command;
    if (file->is_intent_to_add)
      command = {"--literal-pathspecs", "add", "-N", "--", file->path};
    else if (rewritten.contains(file->path))
      command = {"--literal-pathspecs", "add", "-u", "--", file->path};
    else if (file->index.mode.empty())
      command = {"update-index", "--force-remove", "--", file->path};
    else
      command = {"update-index", "--add", "--cacheinfo",
                 fmt::format("{},{},{}", file->index.mode, file->index.blob, file->path)};
    if (auto staged = git_output(tree, std::move(command)); !staged)
      return std::unexpected(staged.error());
  }
  return {};
}

}  // namespace portpatch
