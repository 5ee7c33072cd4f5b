#include "repo/pull_git.h"

#include <charconv>

#include "base/files.h"
#include "repo/git_program.h"
#include "repo/ref_files.h"

namespace portpatch {
namespace {

constexpr std::string_view kNoMode = "000000";
constexpr std::size_t kIdSize = 40;

StoredFile stored(std::string_view mode, std::string_view blob) {
  if (mode == kNoMode) return {};
  return {.mode = std::string(mode), .blob = std::string(blob)};
}

}  // namespace

Result<std::vector<std::string>> fetch(const WorkTree& tree, const PullArguments& arguments,
                                       bool show_progress) {
  std::vector<std::string> command{"-c", "fetch.recurseSubmodules=false", "-c",
                                   "gc.autoDetach=false", "fetch"};
  command.insert(command.end(), arguments.fetch.begin(), arguments.fetch.end());
  command.insert(command.end(), arguments.places.begin(), arguments.places.end());
  const auto fetched = run_git(tree, std::move(command), {.show_errors = show_progress});
  if (!fetched) return std::unexpected(fetched.error());
  if (fetched->status != 0) {
    auto error = git_failed("fetch", *fetched);
    error.error().code = "fetch-failed";
    error.error().remedy =
        "nothing was changed; mend the connection or the arguments behind `--`, then run it again";
    return error;
  }
  return fetched_commits(tree);
}

Result<std::vector<std::string>> fetched_commits(const WorkTree& tree) {
  std::vector<std::string> commits;
  const auto text = read_file(tree.git_dir + "/FETCH_HEAD");
  if (!text) return std::unexpected(text.error());
  for (const auto line : split_lines(*text)) {
    if (line.size() <= kIdSize || !is_full_id(line.substr(0, kIdSize)) ||
        line.substr(kIdSize).starts_with("\tnot-for-merge"))
      continue;
    // An annotated tag is fetched as such.
    const auto commit = git_output(
        tree, {"rev-parse", "--verify", "-q", std::string(line.substr(0, kIdSize)) + "^{commit}"});
    if (!commit) return std::unexpected(commit.error());
    commits.emplace_back(trim(*commit));
  }
  if (commits.empty()) {
    return failure("nothing-to-pull",
                   "git does not know which branch of the remote is to be pulled",
                   "name it (`portpatch pull PACK -- origin main`), or set it once: git branch "
                   "--set-upstream-to=origin/main");
  }
  return commits;
}

Result<std::vector<PathChange>> changed_paths(const WorkTree& tree, const std::string& before,
                                              const std::string& after) {
  const auto printed = git_output(
      tree, {"diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", before, after});
  if (!printed) return std::unexpected(printed.error());
  std::vector<PathChange> changes;
  const auto parts = split_nul(*printed);
  for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
    // ":100644 100755 BLOB BLOB M"
    const auto words = split(std::string_view(parts[i]).substr(1), ' ');
    if (words.size() < 5)
      return failure("git-failed", "`git diff-tree` printed a line that portpatch does not know: " +
                                       printable(parts[i]));
    changes.push_back({.path = parts[i + 1],
                       .before = stored(words[0], words[2]),
                       .after = stored(words[1], words[3])});
  }
  return changes;
}

Result<std::optional<std::string>> common_ancestor(const WorkTree& tree, const std::string& one,
                                                   const std::string& other) {
  const auto found = run_git(tree, {"merge-base", one, other});
  if (!found) return std::unexpected(found.error());
  if (found->status == 1) return std::nullopt;
  if (found->status != 0) return git_failed("merge-base", *found);
  return std::string(trim(found->out));
}

Result<bool> is_ancestor(const WorkTree& tree, const std::string& old, const std::string& commit) {
  const auto asked = run_git(tree, {"merge-base", "--is-ancestor", old, commit});
  if (!asked) return std::unexpected(asked.error());
  if (asked->status > 1) return git_failed("merge-base", *asked);
  return asked->status == 0;
}

Result<std::size_t> count_commits(const WorkTree& tree, const std::string& before,
                                  const std::string& after) {
  const auto printed = git_output(tree, {"rev-list", "--count", before + ".." + after});
  if (!printed) return std::unexpected(printed.error());
  std::size_t count = 0;
  std::from_chars(printed->data(), printed->data() + printed->size(), count);
  return count;
}

Result<StoredFile> stored_file(const WorkTree& tree, const std::string& commit,
                               const std::string& path) {
  const auto printed = git_output(
      tree, {"--literal-pathspecs", "ls-tree", "-z", "--full-tree", commit, "--", path});
  if (!printed) return std::unexpected(printed.error());
  const auto words = split(*printed, ' ');
  if (words.size() < 3 || words[2].size() < kIdSize) return StoredFile{};
  return StoredFile{.mode = std::string(words[0]),
                    .blob = std::string(words[2].substr(0, kIdSize))};
}

Result<std::string> checked_out_bytes(const WorkTree& tree, const std::string& commit,
                                      const std::string& path) {
  return git_output(tree, {"cat-file", "--filters", commit + ":" + path});
}

Result<std::string> blob_id(const WorkTree& tree, std::string_view bytes, const std::string& path,
                            bool filtered) {
  std::vector<std::string> arguments{"hash-object", "--stdin"};
  if (filtered)
    arguments.push_back("--path=" + path);
  else
    arguments.emplace_back("--no-filters");
  auto id = git_output(tree, std::move(arguments), {.input = std::string(bytes)});
  if (!id) return id;
  return std::string(trim(*id));
}

}  // namespace portpatch
