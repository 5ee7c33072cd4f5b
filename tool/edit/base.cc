#include "edit/base.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace portpatch {

namespace {

/// The file's text without the rule's edit; nothing when it cannot be taken out.
std::optional<std::string> without_edit(const Rule& rule, const ParsedFile& file,
                                        const std::vector<Site>& sites) {
  const auto apply = plan_file(rule, file, sites, Direction::kApply);
  const bool holds = apply && std::ranges::any_of(apply->sites, [](const SitePlan& site) {
                       return site.step.kind == Step::Kind::kHolds;
                     });
  if (apply && !holds) return std::string(file.text());
  const auto revert = plan_file(rule, file, sites, Direction::kRevert);
  return revert && revert->text ? revert->text : std::nullopt;
}

}  // namespace

bool settled(const RulePlan& plan) {
  return !plan.sites.empty() && std::ranges::all_of(plan.sites, [&](const SitePlan& site) {
    return site.step.kind == Step::Kind::kHolds ||
           (site.step.kind == Step::Kind::kEdit && plan.is_written);
  });
}

namespace {

/// A version of a file without the rule's edit, and the commit that has it (or none).
struct CleanText {
  std::string text;
  std::string commit;
};

/// Does the rule want an edit in this version of the file?
bool is_clean(const Rule& rule, const std::string& path, const std::string& text) {
  const auto file = ParsedFile::parse(*rule.language, path, text);
  const auto sites = file ? find_sites(rule, *file)
                          : Result<std::vector<Site>>(std::vector<Site>());
  return sites && !sites->empty() && without_edit(rule, *file, *sites) == text;
}

/// Upstream's version; where that is not known HEAD's, when it does not hold the edit; else the
/// file with the edit taken out.
Result<CleanText> clean_text(const Rule& rule, const ParsedFile& file,
                             const std::vector<Site>& sites, Ownership& ownership) {
  auto text = ownership.upstream_text(file.path());
  if (!text) return std::unexpected(text.error());
  if (*text) return CleanText{std::move(**text), *ownership.commit()};
  auto head = ownership.head_text(file.path());
  if (!head) return std::unexpected(head.error());
  if (*head && is_clean(rule, file.path(), **head))
    return CleanText{std::move(**head), ownership.refs()->head};
  auto without = without_edit(rule, file, sites);
  if (without) return CleanText{std::move(*without), ""};
  return failure(
      "no-base",
      fmt::format("upstream's version of {} is not known, and the edit cannot be taken out of it",
                  file.path()),
      "record the base in a clone with an upstream ref, or from a tree without the edit");
}

}  // namespace

Result<std::vector<LockedSite>> record_base(const LocatedRule& located, FileStore& store,
                                            Ownership& ownership) {
  std::vector<LockedSite> locked;
  std::set<std::string> paths;
  for (const auto& site : located.sites) paths.insert(site.path);
  const auto& rule = *located.rule;
  for (const auto& path : paths) {
    const auto file = store.file(*rule.language, path);
    if (!file) return std::unexpected(file.error());
    std::vector<Site> here;
    std::ranges::copy_if(located.sites, std::back_inserter(here),
                         [&](const Site& site) { return site.path == path; });
    auto clean = clean_text(rule, **file, here, ownership);
    if (!clean) return std::unexpected(clean.error());
    auto base = ParsedFile::parse(*rule.language, path, std::move(clean->text));
    if (!base) return std::unexpected(base.error());
    auto sites = find_sites(rule, *base);
    if (!sites) return std::unexpected(sites.error());
    if (sites->empty()) {
      return failure("no-base",
                     fmt::format("in upstream's version of {} the rule matches nowhere", path),
                     "give the rule a pattern that matches what upstream says");
    }
    for (const auto& site : *sites)
      locked.push_back(
          {clean->commit, path, site.scope, std::string(site.target.of(base->text()))});
  }
  return locked;
}

}  // namespace portpatch
