#include "timeline.h"

#include <algorithm>
#include <span>

#include "base/parallel.h"
#include "repo/commit_range.h"
#include "rule_watch.h"

namespace portpatch {

namespace {

using Errors = std::vector<Diagnostic>;
using Changes = std::vector<ChangedFile>;

std::unexpected<Errors> one(Diagnostic diagnostic) {
  return std::unexpected(Errors{std::move(diagnostic)});
}

/// What each commit of a line changes against the one before it.
std::expected<std::vector<Changes>, Errors> read_changes(const WorkTree& repository,
                                                         const std::string& from,
                                                         std::span<const std::string> commits,
                                                         const RuleWatch& watch) {
  const auto workers = worker_count(0);
  std::vector<History> histories;
  for (unsigned i = 0; i < workers; ++i) {
    auto history = History::open(repository);
    if (!history) return one(history.error());
    histories.push_back(std::move(*history));
  }
  std::vector<Changes> all(commits.size());
  std::vector<std::optional<Diagnostic>> failed(workers);
  for_each_in_parallel(commits.size(), workers, 64, [&](unsigned worker, std::size_t i) {
    auto changes = histories[worker].changes(i == 0 ? from : commits[i - 1], commits[i]);
    if (!changes) {
      failed[worker] = changes.error();
      return;
    }
    std::erase_if(*changes,
                  [&](const ChangedFile& file) { return !watch.is_of_interest(file.path); });
    all[i] = std::move(*changes);
  });
  for (auto& error : failed) {
    if (error) return one(*error);
  }
  return all;
}

/// The piece that was asked for; its `from` is the commit before it.
Shard piece_of(const CommitRange& range, const TimelineRequest& request,
               std::span<const std::string>& commits) {
  const auto total = range.commits.size(), pieces = std::max<std::size_t>(request.pieces, 1);
  const auto begin = total * (request.piece - 1) / pieces, end = total * request.piece / pieces;
  commits = std::span(range.commits).subspan(begin, end - begin);
  const auto& from = begin == 0 ? range.from : range.commits[begin - 1];
  return {.index = request.piece,
          .count = pieces,
          .from = from,
          .to = commits.empty() ? from : commits.back(),
          .commits = commits.size()};
}

/// Takes the rules along the commits; what changes is put down in `rules`.
std::optional<Diagnostic> follow(RuleWatch& watch, const History& history,
                                 std::span<const std::string> commits,
                                 const std::vector<Changes>& changes, const Progress& progress,
                                 std::vector<TimelineRule>& rules) {
  constexpr std::size_t kAhead = 256;
  for (std::size_t i = 0, ahead = 0; i < commits.size(); ++i) {
    if (progress) progress(i, commits.size());
    if (watch.is_searching() && i >= ahead) {
      Changes coming;
      for (ahead = i; ahead < std::min(i + kAhead, commits.size()); ++ahead)
        coming.insert(coming.end(), changes[ahead].begin(), changes[ahead].end());
      if (auto error = watch.read_ahead(coming)) return error;
    }
    const auto is_judged = watch.step_to(commits[i], changes[i]);
    if (!is_judged) return is_judged.error();
    for (std::size_t k = 0; *is_judged && k < rules.size(); ++k) {
      if (rules[k].end().is_like(watch.state(k))) continue;
      auto info = history.info(commits[i]);
      if (!info) return info.error();
      rules[k].changes.push_back({std::move(*info), watch.state(k)});
    }
  }
  return std::nullopt;
}

}  // namespace

std::expected<Timeline, Errors> make_timeline(const TimelineRequest& request) {
  auto repository = open_repository_tree(request.folder);
  if (!repository) {
    if (repository.error().code == "no-repository")
      repository.error().remedy = "name a repository with -C; a bare one will do";
    return one(repository.error());
  }
  const auto packs = load_packs(request.packs);
  if (!packs) return std::unexpected(packs.error());
  const auto history = History::open(*repository);
  if (!history) return one(history.error());
  const auto range = resolve_range(*history, request.range);
  if (!range) return one(range.error());
  auto from = history->info(range->from), to = history->info(range->to);
  if (!from || !to) return one((from ? to : from).error());

  Timeline timeline{.command = request.command,
                    .root = repository->root,
                    .range = range->name,
                    .from = std::move(*from),
                    .to = std::move(*to),
                    .commits = range->commits.size(),
                    .shard = {},
                    .packs = {},
                    .rules = {},
                    .resting = {},
                    .skipped = {}};
  std::span<const std::string> commits;
  const auto piece = piece_of(*range, request, commits);
  if (request.pieces > 0) timeline.shard = piece;

  RuleWatch watch(*repository, *packs);
  if (auto error = watch.start_at(piece.from)) return one(*error);
  for (const auto& pack : *packs) {
    timeline.packs.emplace_back(pack.path, pack.hash);
    for (const auto& rule : pack.rules)
      timeline.rules.push_back({pack.path, rule.name, watch.state(timeline.rules.size()), {}});
    for (const auto& name : pack.resting) timeline.resting.push_back(pack.path + "/" + name);
  }
  const auto changes = read_changes(*repository, piece.from, commits, watch);
  if (!changes) return std::unexpected(changes.error());
  if (auto error = follow(watch, *history, commits, *changes, request.progress, timeline.rules))
    return one(*error);
  for (const auto& file : watch.skipped()) timeline.skipped.emplace_back(file.path, file.reason);
  return timeline;
}

}  // namespace portpatch
