#include "edit/restore.h"

#include <algorithm>
#include <set>

namespace portpatch {

namespace {

bool is_not_invertible(const SitePlan& site) { return site.step.code == "not-invertible"; }

/// `text` with every rule of `rules` applied; nothing when one of them cannot be.
std::optional<std::string> apply_all(const std::vector<const Rule*>& rules, const std::string& path, std::string text) {
  for (const auto* rule : rules) {
    const auto file = ParsedFile::parse(*rule->language, path, text);
    const auto sites = file ? find_sites(*rule, *file) : std::unexpected(file.error());
    const auto plan = sites ? plan_file(*rule, *file, *sites, Direction::kApply) : std::unexpected(sites.error());
    if (!plan) return std::nullopt;
    if (plan->text) text = *plan->text;
  }
  return text;
}

}  // namespace

std::optional<Diagnostic> restore_from_upstream(const LocateResult& located, FileStore& store,
                                                const std::function<Ownership&(const Pack&)>& ownership_of, TreePlan& plan) {
  std::map<std::string, std::vector<std::size_t>> rules_of;
  std::set<std::string> wanted;
  for (std::size_t i = 0; i < located.rules.size(); ++i) {
    for (const auto& site : plan.rules[i].sites) {
      auto& rules = rules_of[site.site.path];
      if (rules.empty() || rules.back() != i) rules.push_back(i);
      if (is_not_invertible(site)) wanted.insert(site.site.path);
    }
  }
  for (const auto& path : wanted) {
    std::vector<const Rule*> rules;
    for (const auto i : rules_of[path]) rules.push_back(located.rules[i].rule);
    const auto& first = located.rules[rules_of[path][0]];
    const auto upstream = ownership_of(*first.pack).upstream_text(path);
    if (!upstream) return upstream.error();
    const auto file = store.file(*first.rule->language, path);
    if (!file) return file.error();
    const auto again = *upstream ? apply_all(rules, path, **upstream) : std::nullopt;
    if (!again || *again != (*file)->text()) continue;
    plan.texts[path] = **upstream;
    for (const auto i : rules_of[path]) {
      auto& mine = plan.rules[i];
      mine.is_wanted = mine.is_written = true;
      for (auto& site : mine.sites) {
        if (site.site.path == path && site.step.kind != Step::Kind::kHolds) site.step.kind = Step::Kind::kEdit;
      }
    }
  }
  return std::nullopt;
}

}  // namespace portpatch
