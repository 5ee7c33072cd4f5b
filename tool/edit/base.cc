#include "edit/base.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace portpatch {

namespace {

/// The file's text without the rule's edit; nothing when it cannot be taken out.
std::optional<std::string> without_edit(const Rule& rule, const ParsedFile& file, const std::vector<Site>& sites) {
  const auto apply = plan_file(rule, file, sites, Direction::kApply);
  const bool holds = apply && std::ranges::any_of(apply->sites, [](const SitePlan& site) { return site.step.kind == Step::Kind::kHolds; });
  if (apply && !holds) return std::string(file.text());
  const auto revert = plan_file(rule, file, sites, Direction::kRevert);
  return revert && revert->text ? revert->text : std::nullopt;
}

}  // namespace

bool settled(const RulePlan& plan) {
  return !plan.sites.empty() && std::ranges::all_of(plan.sites, [&](const SitePlan& site) {
    return site.step.kind == Step::Kind::kHolds || (site.step.kind == Step::Kind::kEdit && plan.is_written);
  });
}

Result<std::vector<LockedSite>> record_base(const LocatedRule& located, FileStore& store, Ownership& ownership) {
  std::vector<LockedSite> locked;
  std::set<std::string> paths;
  for (const auto& site : located.sites) paths.insert(site.path);
  const auto& rule = *located.rule;
  const auto commit = ownership.commit();
  if (!commit) return std::unexpected(commit.error());
  for (const auto& path : paths) {
    const auto file = store.file(*rule.language, path);
    if (!file) return std::unexpected(file.error());
    std::vector<Site> here;
    std::ranges::copy_if(located.sites, std::back_inserter(here), [&](const Site& site) { return site.path == path; });
    auto text = ownership.upstream_text(path);
    if (!text) return std::unexpected(text.error());
    const bool from_upstream = text->has_value();
    if (!from_upstream) *text = without_edit(rule, **file, here);
    if (!*text) {
      return failure("no-base", fmt::format("upstream's version of {} is not known, and the edit cannot be taken out of it", path),
                     "record the base in a clone with an upstream ref, or from a tree without the edit");
    }
    auto base = ParsedFile::parse(*rule.language, path, std::move(**text));
    if (!base) return std::unexpected(base.error());
    auto sites = find_sites(rule, *base);
    if (!sites) return std::unexpected(sites.error());
    if (sites->empty()) {
      return failure("no-base", fmt::format("in upstream's version of {} the rule matches nowhere", path),
                     "give the rule a pattern that matches what upstream says");
    }
    for (const auto& site : *sites) {
      locked.push_back({from_upstream ? *commit : "", path, site.scope, std::string(site.target.of(base->text()))});
    }
  }
  return locked;
}

}  // namespace portpatch
