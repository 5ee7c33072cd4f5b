#include "timeline.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <unordered_map>

#include <fmt/format.h>

#include "base/parallel.h"
#include "edit/ownership.h"
#include "edit/plan_tree.h"
#include "locate/locate.h"
#include "locate/revision_search.h"
#include "report/judge.h"
#include "repo/commit_range.h"

namespace portpatch {

namespace {

using Errors = std::vector<Diagnostic>;
using Changes = std::vector<ChangedFile>;
using Indexes = std::set<std::size_t>;
using Paths = std::set<std::string>;

std::unexpected<Errors> one(Diagnostic diagnostic) { return std::unexpected(Errors{std::move(diagnostic)}); }

/// Why a person is needed, in one line. The places of a rule that moved say that themselves.
std::string reason_of(const RuleReport& report) {
  if (report.outcome == Outcome::kAmbiguous) return fmt::format("{} places where `expect` says {}", report.sites.size(), report.expect);
  if (report.outcome != Outcome::kConflict && report.outcome != Outcome::kBlocked) return "";
  const auto site = std::ranges::find(report.sites, report.outcome, &SiteReport::outcome);
  if (site != report.sites.end()) return site->reason;
  return report.notes.empty() ? "" : report.notes[0];
}

TimelineState state_of(const RuleReport& report) {
  TimelineState state{.outcome = report.outcome, .places = {}, .reason = reason_of(report)};
  for (const auto& site : report.sites) state.places.push_back({site.path, site.scope});
  return state;
}

/// The rules at one commit after the other. A commit is judged only for the rules that it concerns.
class Watch {
 public:
  Watch(WorkTree repository, const std::vector<Pack>& packs)
      : repository_(std::move(repository)), packs_(packs), search_(repository_, rules_of(packs), 0) {
    for (const auto& pack : packs) {
      for (const auto& rule : pack.rules) {
        index_[&rule] = rules_.size();
        rules_.push_back({.pack = &pack, .rule = &rule, .paths = {}, .files = {}, .state = {}});
        languages_.insert(rule.language);
        for (const auto& site : rule.locked) locked_.insert(site.path);
      }
    }
  }

  [[nodiscard]] std::size_t size() const { return rules_.size(); }
  [[nodiscard]] const TimelineState& state(std::size_t i) const { return rules_[i].state; }
  [[nodiscard]] std::vector<SkippedFile> skipped() const { return search_.skipped(); }

  /// Could a change of this file concern any rule at any time?
  [[nodiscard]] bool is_of_interest(const std::string& path) const {
    return locked_.contains(path) || std::ranges::any_of(languages_, [&](const Language* language) { return language->owns(path); });
  }

  std::optional<Diagnostic> start_at(const std::string& commit) {
    search_.move_to(commit, {});
    Indexes all;
    for (std::size_t i = 0; i < rules_.size(); ++i) all.insert(i);
    return judge(commit, std::move(all));
  }

  /// Goes on to the next commit; was any rule judged again?
  Result<bool> step_to(const std::string& commit, const Changes& changes) {
    search_.move_to(commit, changes);
    auto concerned = concerned_by(changes);
    if (!concerned) return std::unexpected(concerned.error());
    if (concerned->empty()) return false;
    if (auto error = judge(commit, std::move(*concerned))) return std::unexpected(*error);
    return true;
  }

  /// Is some rule not where its base says, so that any file may bring it?
  [[nodiscard]] bool is_searching() const { return !searching_.empty(); }
  std::optional<Diagnostic> read_ahead(const Changes& changes) { return search_.read_ahead(changes); }

 private:
  struct Watched {
    const Pack* pack;
    const Rule* rule;
    Paths paths;  ///< of its base and its sites
    Paths files;  ///< with sites that it could be applied to
    TimelineState state;
  };

  static std::vector<const Rule*> rules_of(const std::vector<Pack>& packs) {
    std::vector<const Rule*> rules;
    for (const auto& pack : packs) {
      for (const auto& rule : pack.rules) rules.push_back(&rule);
    }
    return rules;
  }

  /// The rules with a base or a site in a changed file, and those that are looked for everywhere and
  /// have come to one.
  Result<Indexes> concerned_by(const Changes& changes) {
    Indexes concerned;
    for (const auto& change : changes) {
      if (const auto found = watchers_.find(change.path); found != watchers_.end()) concerned.insert(found->second.begin(), found->second.end());
      std::vector<const Rule*> open;
      for (const auto i : searching_) {
        if (!concerned.contains(i)) open.push_back(rules_[i].rule);
      }
      if (open.empty()) continue;
      const auto come = search_.rules_with_sites(open, change);
      if (!come) return std::unexpected(come.error());
      for (const auto* rule : *come) concerned.insert(index_.at(rule));
    }
    return concerned;
  }

  /// With every rule that shares a group or an edited file with one of them: their fates hang together.
  Indexes with_companions(Indexes rules) const {
    std::vector<std::size_t> open(rules.begin(), rules.end());
    const auto add = [&](std::size_t i) {
      if (rules.insert(i).second) open.push_back(i);
    };
    while (!open.empty()) {
      const auto& one = rules_[open.back()];
      open.pop_back();
      for (const auto& path : one.files) std::ranges::for_each(editors_.at(path), add);
      const auto& group = one.rule->settings.group;
      for (std::size_t i = 0; !group.empty() && i < rules_.size(); ++i) {
        if (rules_[i].pack == one.pack && rules_[i].rule->settings.group == group) add(i);
      }
    }
    return rules;
  }

  /// What run() does for a revision, for these rules and their companions alone.
  std::optional<Diagnostic> judge(const std::string& commit, Indexes rules) {
    auto tree = repository_;
    tree.revision = commit;
    for (rules = with_companions(std::move(rules));;) {
      FileStore store(tree);
      LocateOptions options;
      options.is_wanted = [&](const Rule& rule) { return rules.contains(index_.at(&rule)); };
      options.search = [&](const WorkTree&, const std::vector<const Rule*>& open, const ScanOptions&, FileStore& files) { return search_.search(open, files); };
      const auto located = locate_rules(tree, packs_, options, store);
      if (!located) return located.error();
      for (const auto& rule : located->rules) watch(rule);
      // Rules may have come to files of others.
      auto grown = with_companions(rules);
      if (grown == rules) return take_outcomes(tree, *located, store);
      rules = std::move(grown);
    }
  }

  std::optional<Diagnostic> take_outcomes(const WorkTree& tree, const LocateResult& located, FileStore& store) {
    const auto plan = plan_tree(located, store, {});
    if (!plan) return plan.error();
    // The commit itself is upstream's version.
    Ownership ownership(tree, tree.revision);
    RuleJudge judge({.with_lines = false}, store, [&](const Pack&) -> Ownership& { return ownership; });
    for (std::size_t k = 0; k < located.rules.size(); ++k) {
      const auto report = judge.judge(located.rules[k], plan->rules[k], located.files_read);
      if (!report) return report.error();
      rules_[index_.at(located.rules[k].rule)].state = state_of(*report);
    }
    return std::nullopt;
  }

  void watch(const LocatedRule& located) {
    using How = LocatedRule::How;
    const auto i = index_.at(located.rule);
    Paths paths(located.tried.begin(), located.tried.end()), files;
    for (const auto& site : located.sites) paths.insert(site.path);
    if (located.how == How::kAtBase || located.how == How::kByScan || located.how == How::kElsewhere) {
      for (const auto& site : located.sites) files.insert(site.path);
    }
    enter(i, std::move(paths), rules_[i].paths, watchers_);
    enter(i, std::move(files), rules_[i].files, editors_);
    if (located.how == How::kAtBase || located.how == How::kFailed) searching_.erase(i);
    else searching_.insert(i);
  }

  using RulesByPath = std::unordered_map<std::string, Indexes>;

  static void enter(std::size_t i, Paths paths, Paths& known, RulesByPath& by_path) {
    if (paths == known) return;
    for (const auto& path : known) by_path[path].erase(i);
    for (const auto& path : paths) by_path[path].insert(i);
    known = std::move(paths);
  }

  WorkTree repository_;
  const std::vector<Pack>& packs_;
  RevisionSearch search_;
  std::vector<Watched> rules_;
  std::map<const Rule*, std::size_t> index_;
  std::set<const Language*> languages_;
  std::set<std::string> locked_;
  RulesByPath watchers_, editors_;  ///< the rules whose paths, or files, hold a path
  Indexes searching_;
};

/// What each commit of a line changes against the one before it.
std::expected<std::vector<Changes>, Errors> read_changes(const WorkTree& repository, const std::string& from, std::span<const std::string> commits, const Watch& watch) {
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
    std::erase_if(*changes, [&](const ChangedFile& file) { return !watch.is_of_interest(file.path); });
    all[i] = std::move(*changes);
  });
  for (auto& error : failed) {
    if (error) return one(*error);
  }
  return all;
}

/// The piece that was asked for; its `from` is the commit before it.
Shard piece_of(const CommitRange& range, const TimelineRequest& request, std::span<const std::string>& commits) {
  const auto total = range.commits.size(), pieces = std::max<std::size_t>(request.pieces, 1);
  const auto begin = total * (request.piece - 1) / pieces, end = total * request.piece / pieces;
  commits = std::span(range.commits).subspan(begin, end - begin);
  const auto& from = begin == 0 ? range.from : range.commits[begin - 1];
  return {.index = request.piece, .count = pieces, .from = from, .to = commits.empty() ? from : commits.back(), .commits = commits.size()};
}

/// Takes the rules along the commits; what changes is put down in `rules`.
std::optional<Diagnostic> follow(Watch& watch, const History& history, std::span<const std::string> commits,
                                 const std::vector<Changes>& changes, const Progress& progress, std::vector<TimelineRule>& rules) {
  constexpr std::size_t kAhead = 256;
  for (std::size_t i = 0, ahead = 0; i < commits.size(); ++i) {
    if (progress) progress(i, commits.size());
    if (watch.is_searching() && i >= ahead) {
      Changes coming;
      for (ahead = i; ahead < std::min(i + kAhead, commits.size()); ++ahead) coming.insert(coming.end(), changes[ahead].begin(), changes[ahead].end());
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
    if (repository.error().code == "no-repository") repository.error().remedy = "name a repository with -C; a bare one will do";
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

  Timeline timeline{.command = request.command, .root = repository->root, .range = range->name, .from = std::move(*from),
                    .to = std::move(*to), .commits = range->commits.size(), .shard = {}, .packs = {}, .rules = {}, .resting = {}, .skipped = {}};
  std::span<const std::string> commits;
  const auto piece = piece_of(*range, request, commits);
  if (request.pieces > 0) timeline.shard = piece;

  Watch watch(*repository, *packs);
  if (auto error = watch.start_at(piece.from)) return one(*error);
  for (const auto& pack : *packs) {
    timeline.packs.emplace_back(pack.path, pack.hash);
    for (const auto& rule : pack.rules) timeline.rules.push_back({pack.path, rule.name, watch.state(timeline.rules.size()), {}});
    for (const auto& name : pack.resting) timeline.resting.push_back(pack.path + "/" + name);
  }
  const auto changes = read_changes(*repository, piece.from, commits, watch);
  if (!changes) return std::unexpected(changes.error());
  if (auto error = follow(watch, *history, commits, *changes, request.progress, timeline.rules)) return one(*error);
  for (const auto& file : watch.skipped()) timeline.skipped.emplace_back(file.path, file.reason);
  return timeline;
}

}  // namespace portpatch
