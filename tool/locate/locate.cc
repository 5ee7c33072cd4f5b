#include "locate/locate.h"

#include <algorithm>
#include <set>

#include "locate/follow.h"
#include "locate/trace_memory.h"

namespace portpatch {

namespace {

std::vector<std::string> locked_paths(const Rule& rule) {
  std::set<std::string> paths;
  for (const auto& site : rule.locked) paths.insert(site.path);
  return {paths.begin(), paths.end()};
}

/// The sites at the locked paths; false when that settles nothing and the tree must be searched.
Result<bool> look_at_base(FileStore& store, LocatedRule& located) {
  const auto& rule = *located.rule;
  located.tried = locked_paths(rule);
  for (const auto& path : located.tried) {
    const auto file = store.file(*rule.language, path);
    if (!file) return std::unexpected(file.error());
    if (*file == nullptr || !passes_prefilter(rule, (*file)->text())) continue;
    auto sites = find_sites(rule, **file);
    if (!sites) return std::unexpected(sites.error());
    located.sites.insert(located.sites.end(), sites->begin(), sites->end());
  }
  // With expect = "all" only the whole tree tells whether these are all.
  if (!located.tried.empty() && rule.settings.expect.is_number() &&
      rule.settings.expect.allows(located.sites.size())) {
    located.how = LocatedRule::How::kAtBase;
    return true;
  }
  return false;
}

/// A site in its locked file that shares too little with what was locked: it may be another thing
/// of the same name. What #held! recognises reads otherwise by design.
bool is_doubtful(const Rule& rule, const Site& site, const ParsedFile& file) {
  constexpr std::size_t kLeastTokens = 5;
  constexpr double kLeastShare = 0.75;
  if (rule.shapes[site.shape].is_held()) return false;
  const auto now = site.target.of(file.text());
  const auto is_copy = [&](const LockedSite& locked) {
    return locked.path == site.path && locked.text == now;
  };
  if (std::ranges::any_of(rule.locked, is_copy)) return false;
  const auto is = SourceTree::parse(*rule.language, std::string(now));
  if (!is) return false;
  const auto after = sorted(tokens_of(*is, is->root()));
  double best = 0;
  for (const auto& locked : rule.locked) {
    if (locked.path != site.path) continue;
    const auto was = SourceTree::parse(*rule.language, locked.text);
    if (!was) return false;
    const auto before = sorted(tokens_of(*was, was->root()));
    if (before.size() < kLeastTokens) return false;
    best = std::max(best, share_of(before, after));
  }
  return best < kLeastShare;
}

/// What the sites of the whole tree mean for a rule.
LocatedRule::How judge(const LocatedRule& located) {
  using How = LocatedRule::How;
  const auto& rule = *located.rule;
  if (located.sites.empty()) return How::kNowhere;
  if (!rule.settings.expect.allows(located.sites.size())) return How::kMiscount;
  const auto at_base = [&](const Site& site) {
    return std::ranges::find(located.tried, site.path) != located.tried.end();
  };
  const bool has_base = !located.tried.empty() && rule.settings.expect.is_number();
  return !has_base || std::ranges::all_of(located.sites, at_base) ? How::kByScan : How::kNamesake;
}

}  // namespace

bool LocatedRule::asks(bool accept_moves) const {
  if (how != How::kFollowed && how != How::kMoved) return false;
  if (rule->settings.relocate == Relocate::kNever) return true;
  if (accept_moves || rule->settings.relocate == Relocate::kAuto) return false;
  return how == How::kMoved ||
         std::ranges::any_of(traces, [](const Trace& trace) { return !trace.unknown.empty(); });
}

Result<LocateResult> locate_rules(const WorkTree& tree, const std::vector<Pack>& packs,
                                  const LocateOptions& options, FileStore& store) {
  LocateResult result;
  std::vector<std::size_t> open;  // rules that need the whole tree
  TraceMemory own_traces;
  Follower follower(tree, store, options.traces == nullptr ? own_traces : *options.traces);
  for (const auto& pack : packs) {
    for (const auto& rule : pack.rules) {
      if (options.is_wanted && !options.is_wanted(rule)) continue;
      LocatedRule located{.pack = &pack,
                          .rule = &rule,
                          .sites = {},
                          .tried = {},
                          .failure = {},
                          .traces = {},
                          .rewritten = nullptr,
                          .original = &rule};
      if (options.use_base) {
        const auto settled = look_at_base(store, located);
        if (!settled) {
          located.how = LocatedRule::How::kFailed;
          located.failure = settled.error().message;
        } else if (!*settled) {
          open.push_back(result.rules.size());
        } else if (options.use_trace) {
          const auto doubtful = [&](const Site& site) {
            const auto file = store.file(*rule.language, site.path);
            return file && *file && is_doubtful(rule, site, **file);
          };
          if (std::ranges::any_of(located.sites, doubtful)) follower.confirm(located);
        }
      } else {
        located.tried = locked_paths(rule);
        open.push_back(result.rules.size());
      }
      result.rules.push_back(std::move(located));
    }
  }
  const auto carry_renames = [&] {
    for (auto& located : result.rules) {
      if (options.use_trace) follower.carry_renames(located);
    }
  };
  if (open.empty()) {
    carry_renames();
    return result;
  }
  std::vector<const Rule*> rules;
  for (const auto i : open) rules.push_back(result.rules[i].rule);
  auto scan = options.search(tree, rules, options.scan, store);
  if (!scan) return std::unexpected(scan.error());
  for (std::size_t k = 0; k < open.size(); ++k) {
    auto& located = result.rules[open[k]];
    located.sites = std::move(scan->sites[k]);
    located.how = judge(located);
  }
  if (options.use_trace) {
    for (const auto i : open) follower.follow(result.rules[i]);
  }
  carry_renames();
  result.skipped = std::move(scan->skipped);
  result.files_read = scan->files_read;
  result.files_parsed = scan->files_parsed;
  return result;
}

}  // namespace portpatch
