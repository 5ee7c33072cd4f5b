#include "edit/restore.h"

#include <algorithm>

namespace portpatch {

namespace {

/// `text` with every rule of `rules` applied; nothing when one of them cannot be.
std::optional<std::string> apply_all(const std::vector<const Rule*>& rules, const std::string& path,
                                     std::string text) {
  for (const auto* rule : rules) {
    const auto file = ParsedFile::parse(*rule->language, path, text);
    const auto sites = file ? find_sites(*rule, *file) : std::unexpected(file.error());
    const auto plan = sites ? plan_file(*rule, *file, *sites, Direction::kApply)
                            : std::unexpected(sites.error());
    if (!plan) return std::nullopt;
    if (plan->text) text = *plan->text;
  }
  return text;
}

/// Versions of the file that may be the one without the rules.
Result<std::vector<std::string>> candidates(const std::vector<const LocatedRule*>& rules,
                                            const std::string& path, Ownership& ownership) {
  std::vector<std::string> texts;
  for (const auto version : {&Ownership::upstream_text, &Ownership::head_text}) {
    auto text = (ownership.*version)(path);
    if (!text) return std::unexpected(text.error());
    if (*text) texts.push_back(std::move(**text));
  }
  for (const auto* located : rules) {
    for (const auto& site : located->rule->locked) {
      const auto file = site.path == path && !site.commit.empty()
                            ? ownership.file_at(*located->rule->language, site.commit, path)
                            : nullptr;
      if (file) texts.emplace_back(file->text());
    }
  }
  return texts;
}

Result<bool> is_not_invertible(const Rule& rule, const ParsedFile& file) {
  const auto sites = find_sites(rule, file);
  if (!sites) return std::unexpected(sites.error());
  const auto plan = plan_file(rule, file, *sites, Direction::kRevert);
  if (!plan) return std::unexpected(plan.error());
  return std::ranges::any_of(
      plan->sites, [](const SitePlan& site) { return site.step.code == "not-invertible"; });
}

}  // namespace

Result<std::map<std::string, std::string>> texts_without_rules(
    const LocateResult& located, FileStore& store,
    const std::function<Ownership&(const Pack&)>& ownership_of) {
  std::map<std::string, std::vector<const LocatedRule*>> rules_of;
  for (const auto& one : located.rules) {
    if (!one.is_found()) continue;
    for (const auto& site : one.sites) {
      auto& rules = rules_of[site.path];
      if (rules.empty() || rules.back() != &one) rules.push_back(&one);
    }
  }
  std::map<std::string, std::string> originals;
  for (const auto& [path, located_here] : rules_of) {
    const auto file = store.file(*located_here[0]->rule->language, path);
    if (!file) return std::unexpected(file.error());
    bool is_wanted = false;
    std::vector<const Rule*> rules;
    for (const auto* one : located_here) {
      const auto wanted = is_not_invertible(*one->rule, **file);
      if (!wanted) return std::unexpected(wanted.error());
      is_wanted |= *wanted;
      rules.push_back(one->rule);
    }
    if (!is_wanted) continue;
    const auto texts = candidates(located_here, path, ownership_of(*located_here[0]->pack));
    if (!texts) return std::unexpected(texts.error());
    for (const auto& text : *texts) {
      if (text == (*file)->text() || apply_all(rules, path, text) != (*file)->text()) continue;
      originals[path] = text;
      break;
    }
  }
  return originals;
}

}  // namespace portpatch
