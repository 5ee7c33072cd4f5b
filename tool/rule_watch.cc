#include "rule_watch.h"

#include <algorithm>

#include <fmt/format.h>

#include "edit/ownership.h"
#include "edit/plan_tree.h"
#include "report/judge.h"

namespace portpatch {

namespace {

/// Why a person is needed, in one line. The places of a rule that moved say that themselves.
std::string reason_of(const RuleReport& report) {
  if (report.outcome == Outcome::kAmbiguous)
    return fmt::format("{} places where `expect` says {}", report.sites.size(), report.expect);
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

}  // namespace

RuleWatch::RuleWatch(WorkTree repository, const std::vector<Pack>& packs)
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

bool RuleWatch::is_of_interest(const std::string& path) const {
  return locked_.contains(path) || std::ranges::any_of(languages_, [&](const Language* language) {
           return language->owns(path);
         });
}

std::optional<Diagnostic> RuleWatch::start_at(const std::string& commit) {
  search_.move_to(commit, {});
  Indexes all;
  for (std::size_t i = 0; i < rules_.size(); ++i) all.insert(i);
  return judge(commit, std::move(all));
}

Result<bool> RuleWatch::step_to(const std::string& commit,
                                const std::vector<ChangedFile>& changes) {
  search_.move_to(commit, changes);
  auto concerned = concerned_by(changes);
  if (!concerned) return std::unexpected(concerned.error());
  if (concerned->empty()) return false;
  if (auto error = judge(commit, std::move(*concerned))) return std::unexpected(*error);
  return true;
}

/// The rules with a base or a site in a changed file, and those that are looked for everywhere and
/// have come to one.
Result<RuleWatch::Indexes> RuleWatch::concerned_by(const std::vector<ChangedFile>& changes) {
  Indexes concerned;
  for (const auto& change : changes) {
    if (const auto found = watchers_.find(change.path); found != watchers_.end())
      concerned.insert(found->second.begin(), found->second.end());
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

/// With every rule that shares a group or an edited file with one of them: their fates hang
/// together.
RuleWatch::Indexes RuleWatch::with_companions(Indexes rules) const {
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
std::optional<Diagnostic> RuleWatch::judge(const std::string& commit, Indexes rules) {
  auto tree = repository_;
  tree.revision = commit;
  for (rules = with_companions(std::move(rules));;) {
    FileStore store(tree);
    LocateOptions options;
    options.is_wanted = [&](const Rule& rule) { return rules.contains(index_.at(&rule)); };
    options.traces = &traces_;
    options.search = [&](const WorkTree&, const std::vector<const Rule*>& open, const ScanOptions&,
                         FileStore& files) { return search_.search(open, files); };
    const auto located = locate_rules(tree, packs_, options, store);
    if (!located) return located.error();
    for (const auto& rule : located->rules) watch(rule);
    // Rules may have come to files of others.
    auto grown = with_companions(rules);
    if (grown == rules) return take_outcomes(tree, *located, store);
    rules = std::move(grown);
  }
}

std::optional<Diagnostic> RuleWatch::take_outcomes(const WorkTree& tree,
                                                   const LocateResult& located, FileStore& store) {
  const auto plan = plan_tree(located, store, {});
  if (!plan) return plan.error();
  // The commit itself is upstream's version.
  Ownership ownership(tree, tree.revision);
  RuleJudge judge({.with_details = false}, store,
                  [&](const Pack&) -> Ownership& { return ownership; });
  for (std::size_t k = 0; k < located.rules.size(); ++k) {
    const auto report = judge.judge(located.rules[k], plan->rules[k], located.files_read);
    if (!report) return report.error();
    rules_[index_.at(located.rules[k].original)].state = state_of(*report);
  }
  return std::nullopt;
}

void RuleWatch::watch(const LocatedRule& located) {
  using How = LocatedRule::How;
  const auto i = index_.at(located.original);
  Paths paths(located.tried.begin(), located.tried.end()), files;
  for (const auto& site : located.sites) paths.insert(site.path);
  for (const auto& trace : located.traces) {
    for (const auto& hop : trace.hops) paths.insert({hop.from.path, hop.to.path});
  }
  if (located.is_found()) {
    for (const auto& site : located.sites) files.insert(site.path);
  }
  enter(i, std::move(paths), rules_[i].paths, watchers_);
  enter(i, std::move(files), rules_[i].files, editors_);
  if (located.how == How::kAtBase || located.how == How::kFailed)
    searching_.erase(i);
  else
    searching_.insert(i);
}

void RuleWatch::enter(std::size_t i, Paths paths, Paths& known, RulesByPath& by_path) {
  if (paths == known) return;
  for (const auto& path : known) by_path[path].erase(i);
  for (const auto& path : paths) by_path[path].insert(i);
  known = std::move(paths);
}

}  // namespace portpatch
