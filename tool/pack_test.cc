#include "pack_test.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "apply/transaction.h"
#include "base/files.h"
#include "base/scratch_folder.h"
#include "base/text.h"
#include "pack/pack.h"
#include "pipeline.h"
#include "repo/history.h"

namespace portpatch {

namespace {

namespace fs = std::filesystem;
using Errors = std::vector<Diagnostic>;
using Files = std::map<std::string, std::string>;

std::unexpected<Errors> one(Diagnostic error) { return std::unexpected(Errors{std::move(error)}); }

Diagnostic broken(const fs::path& path, std::string_view why) {
  return {.code = "unreadable-folder",
          .message = fmt::format("{}: {}", printable(path.string()), why),
          .remedy = "a fixture is a folder with before/ and after/"};
}

/// Every file below `folder`, without portpatch's own state. None when there is no such folder.
Result<Files> files_of(const fs::path& folder) {
  Files files;
  const auto kind = kind_of_path(folder.string());
  if (!kind) return std::unexpected(kind.error());
  if (*kind != PathKind::kFolder) return files;
  std::error_code error;
  for (auto at = fs::recursive_directory_iterator(folder, error);
       !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at->path().filename() == ".portpatch") at.disable_recursion_pending();
    if (!at->is_regular_file(error)) continue;
    auto text = read_file(at->path().string());
    if (!text) return std::unexpected(text.error());
    files[at->path().lexically_relative(folder).generic_string()] = std::move(*text);
  }
  if (error) return std::unexpected(broken(folder, error.message()));
  return files;
}

std::optional<Diagnostic> write_files(const fs::path& folder, const Files& files) {
  std::error_code error;
  fs::create_directories(folder, error);
  for (const auto& [path, text] : files) {
    if (auto wrong = write_scratch_file(folder / path, text)) return wrong;
  }
  return std::nullopt;
}

std::vector<FileDiff> differences(const Files& wanted, const Files& got) {
  std::vector<FileDiff> diffs;
  Files all = wanted;
  all.insert(got.begin(), got.end());
  const auto in = [](const Files& files, const std::string& path) {
    return files.contains(path) ? files.at(path) : std::string();
  };
  for (const auto& [path, ignored] : all) {
    if (wanted.contains(path) != got.contains(path) || in(wanted, path) != in(got, path))
      diffs.push_back({path, in(wanted, path), in(got, path)});
  }
  return diffs;
}

std::string lines_of(const std::map<std::string, Outcome>& outcomes) {
  std::string lines;
  for (const auto& [rule, outcome] : outcomes)
    lines += fmt::format("{} {}\n", rule, name_of(outcome));
  return lines;
}

/// One fixture, run in a scratch folder.
class Fixture {
 public:
  Fixture(const Pack& pack, fs::path folder, bool update)
      : pack_(pack), folder_(std::move(folder)), update_(update) {
    result_.pack = pack.path;
    result_.name = folder_.filename().string();
  }

  Result<FixtureResult> test(std::vector<FileChange>& changes) {
    auto scratch = ScratchFolder::make();
    if (!scratch) return std::unexpected(scratch.error());
    tree_ = scratch->path("tree");
    copy_ = scratch->path("pack");
    if (auto error = prepare()) return std::unexpected(*error);
    const auto outcomes = run_in("apply", Direction::kApply);
    const auto after = files_of(tree_);
    const auto expected = files_of(folder_ / "after");
    const auto lines = read_file_if_there((folder_ / "outcomes").string());
    if (broken_) return std::unexpected(*broken_);
    if (!after || !expected) return std::unexpected((after ? expected : after).error());
    if (!lines) return std::unexpected(lines.error());
    if (!outcomes) return std::move(result_);
    if (update_)
      update(*expected, *after, *lines, lines_of(*outcomes), changes);
    else
      compare(*expected, *after, *lines, lines_of(*outcomes));
    again(*outcomes, *after);
    if (broken_) return std::unexpected(*broken_);
    return std::move(result_);
  }

 private:
  std::optional<Diagnostic> prepare() {
    auto before = files_of(folder_ / "before");
    if (!before) return before.error();
    before_ = std::move(*before);
    auto pack = files_of(pack_.folder);
    if (!pack) return pack.error();
    std::erase_if(*pack, [](const auto& file) {
      return file.first == "pack.lock" || file.first.starts_with("tests/");
    });
    if (auto error = write_files(tree_, before_)) return error;
    return write_files(copy_, *pack);
  }

  void fail(std::string what) { result_.mistakes.push_back(std::move(what)); }

  std::optional<Report> report_of(const std::string& command, Direction direction) {
    auto report = run({.command = command,
                       .folder = tree_.string(),
                       .packs = {copy_.string()},
                       .direction = direction,
                       .write = true,
                       .use_memory = false});
    if (!report) {
      for (const auto& error : report.error()) {
        if (is_of_machine(error)) broken_ = error;
        fail(fmt::format("{}: {}", command, error.message));
      }
      return std::nullopt;
    }
    return std::move(*report);
  }

  /// A full disk or the like says nothing of the pack.
  static bool is_of_machine(const Diagnostic& error) {
    constexpr std::array kCodes{"disk-full",     "read-only",       "write-failed",
                                "backup-failed", "unreadable-file", "unreadable-folder",
                                "no-scratch"};
    return std::ranges::find(kCodes, error.code) != kCodes.end();
  }

  std::optional<std::map<std::string, Outcome>> run_in(const std::string& command,
                                                       Direction direction) {
    const auto report = report_of(command, direction);
    if (!report) return std::nullopt;
    std::map<std::string, Outcome> outcomes;
    for (const auto& rule : report->rules) outcomes[rule.rule] = rule.outcome;
    return outcomes;
  }

  void show(const std::vector<FileDiff>& diffs) {
    if (const auto diff = unified_diff(diffs)) result_.diff += *diff;
  }

  void compare(const Files& expected, const Files& after,
               const std::optional<std::string>& outcomes, const std::string& lines) {
    if (const auto diffs = differences(expected, after); !diffs.empty()) {
      fail(expected.empty() ? "there is no after/; this is what comes out (--update writes it)"
                            : "what comes out is not after/:");
      show(diffs);
    }
    if (outcomes && *outcomes != lines) {
      fail("the outcomes are not those of the file `outcomes`:");
      show({{"outcomes", *outcomes, lines}});
    }
  }

  void update(const Files& expected, const Files& after, const std::optional<std::string>& outcomes,
              const std::string& lines, std::vector<FileChange>& changes) {
    const auto before = changes.size();
    for (const auto& diff : differences(expected, after)) {
      const auto path = (folder_ / "after" / diff.path).string();
      changes.push_back(
          {.path = path,
           .before = expected.contains(diff.path) ? std::optional(diff.before) : std::nullopt,
           .after = after.contains(diff.path) ? std::optional(diff.after) : std::nullopt});
    }
    if (outcomes != lines) {
      changes.push_back(
          {.path = (folder_ / "outcomes").string(), .before = outcomes, .after = lines});
    }
    result_.is_updated = changes.size() > before;
  }

  /// A second run changes nothing, and `unapply` leads back.
  void again(const std::map<std::string, Outcome>& outcomes, const Files& after) {
    auto settled = outcomes;
    for (auto& [rule, outcome] : settled)
      outcome = outcome == Outcome::kEdited ? Outcome::kHeld : outcome;
    const auto second = run_in("a second apply", Direction::kApply);
    if (!second) return;
    if (*second != settled) {
      fail("a second apply ends otherwise:");
      show({{"outcomes", lines_of(settled), lines_of(*second)}});
    }
    if (!expect_tree(after, "a second apply changes the tree:")) return;
    const auto is_edited = [](const auto& rule) { return rule.second == Outcome::kEdited; };
    if (outcomes.empty() || !std::ranges::all_of(outcomes, is_edited)) return;
    const auto report = report_of("unapply", Direction::kRevert);
    // Without git, nothing says what stood where replace! and remove! have been.
    if (report && !is_beyond_taking_back(*report))
      expect_tree(before_, "unapply does not give before/ again:");
  }

  static bool is_beyond_taking_back(const Report& report) {
    return std::ranges::any_of(report.rules, [](const RuleReport& rule) {
      return std::ranges::any_of(
          rule.sites, [](const SiteReport& site) { return site.code == "not-invertible"; });
    });
  }

  bool expect_tree(const Files& wanted, const char* otherwise) {
    const auto files = files_of(tree_);
    if (!files) broken_ = files.error();
    const auto diffs = files ? differences(wanted, *files) : std::vector<FileDiff>();
    if (files && diffs.empty()) return true;
    fail(otherwise);
    show(diffs);
    return false;
  }

  const Pack& pack_;
  fs::path folder_, tree_, copy_;
  bool update_;
  std::optional<Diagnostic> broken_;
  Files before_;
  FixtureResult result_;
};

/// The folders of PACK/tests that have a `before`, sorted.
Result<std::vector<fs::path>> fixtures_of(const Pack& pack) {
  std::vector<fs::path> folders;
  std::error_code error;
  const auto tests = fs::path(pack.folder) / "tests";
  for (auto at = fs::directory_iterator(tests, error); !error && at != fs::directory_iterator();
       at.increment(error)) {
    const auto kind = kind_of_path((at->path() / "before").string());
    if (!kind) return std::unexpected(kind.error());
    if (*kind == PathKind::kFolder) folders.push_back(at->path());
  }
  if (error && error != std::errc::no_such_file_or_directory)
    return std::unexpected(broken(tests, error.message()));
  std::ranges::sort(folders);
  return folders;
}

}  // namespace

std::expected<PackTestReport, Errors> test_packs(const PackTestRequest& request) {
  PackTestReport report{.command = request.command, .fixtures = {}};
  if (request.update) {
    // What an interrupted run left half written is no fixture.
    const auto tree = open_work_tree(request.folder);
    if (!tree) return one(tree.error());
    auto ended = recover_interrupted_run(*tree, real_file_system());
    if (!ended) return one(ended.error());
    if (*ended) report.notes.push_back(std::move(**ended));
  }
  const auto packs = load_packs(request.packs);
  if (!packs) return std::unexpected(packs.error());
  std::vector<FileChange> changes;
  for (std::size_t i = 0; i < packs->size(); ++i) {
    const auto& pack = (*packs)[i];
    if (absolute_path(request.packs[i]) != absolute_path(pack.path)) {
      return one({.code = "whole-pack",
                  .message = fmt::format("{} is one rule; fixtures are of whole packs",
                                         printable(request.packs[i])),
                  .remedy = fmt::format("portpatch test {}", shell_word(pack.path))});
    }
    const auto fixtures = fixtures_of(pack);
    if (!fixtures) return one(fixtures.error());
    for (const auto& folder : *fixtures) {
      auto result = Fixture(pack, folder, request.update).test(changes);
      if (!result) return one(result.error());
      report.fixtures.push_back(std::move(*result));
    }
  }
  if (changes.empty()) return report;
  const auto tree = open_work_tree(request.folder);
  if (!tree) return one(tree.error());
  const auto written = commit_changes(*tree, real_file_system(), changes, request.command);
  if (!written) return one(written.error());
  report.run_id = written->id;
  report.backup = written->backup;
  return report;
}

std::expected<HistoryTest, Errors> test_history(Timeline timeline, const std::string& folder) {
  HistoryTest test{.timeline = std::move(timeline), .positions = {}};
  const auto repository = open_repository_tree(folder);
  if (!repository) return one(repository.error());
  const auto history = History::open(*repository);
  if (!history) return one(history.error());
  const auto commits = history->first_parents(test.timeline.from.id, test.timeline.to.id);
  if (!commits) return one(commits.error());
  std::map<std::string, std::size_t> position;
  for (const auto& commit : commits->value_or(std::vector<std::string>()))
    position.emplace(commit, position.size() + 1);
  for (const auto& rule : test.timeline.rules) {
    auto& positions = test.positions.emplace_back();
    for (const auto& change : rule.changes) {
      const auto found = position.find(change.commit.id);
      if (found == position.end()) {
        return one({.code = "foreign-timeline",
                    .message = fmt::format(
                        "the commit {} of the timeline {} is not among this repository's",
                        change.commit.id.substr(0, 12), test.timeline.range),
                    .remedy = "-C names the repository that the timeline was made of"});
      }
      positions.push_back(found->second);
    }
  }
  return test;
}

}  // namespace portpatch
