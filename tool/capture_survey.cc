#include "capture_survey.h"

#include <algorithm>

#include <fmt/format.h>

namespace portpatch {

namespace {

/// A rule that only finds the place as it is before the edit; with `anywhere` in whatever scope.
Result<Rule> place_only(const CapturedRule& rule, bool anywhere) {
  auto edit = rule.edit;
  edit.patterns.resize(1);
  auto& pattern = edit.patterns[0];
  pattern.directives = {fmt::format("(#held! @{})", pattern.capture)};
  if (anywhere) pattern.scopes = {"**"};
  auto compiled = compile_edit(*rule.language, edit, {});
  if (!compiled)
    return failure("bad-capture",
                   fmt::format("{}: its place alone is no query: {}", rule.name, compiled.error()));
  return std::move(*compiled);
}

}  // namespace

Result<CaptureSurvey> survey(WorkTree tree, const std::string& base,
                             const std::vector<CapturedRule>& rules, const Progress& progress) {
  CaptureSurvey result{.namesakes = std::vector<std::vector<OtherPlace>>(rules.size()),
                       .further = std::vector<std::vector<OtherPlace>>(rules.size()),
                       .skipped = {}};
  std::vector<Rule> compiled;
  std::vector<std::pair<std::size_t, std::vector<OtherPlace>*>>
      purposes;  // by compiled rule: whose, and what its sites are
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const auto look = [&](bool anywhere,
                          std::vector<OtherPlace>& places) -> std::optional<Diagnostic> {
      auto rule = place_only(rules[i], anywhere);
      if (!rule) return rule.error();
      compiled.push_back(std::move(*rule));
      purposes.emplace_back(i, &places);
      return std::nullopt;
    };
    if (auto error = look(false, result.namesakes[i])) return std::unexpected(*error);
    const auto has_several = rules[i].sites.size() > 1 && !rules[i].edit.patterns[0].scopes.empty();
    if (!has_several) continue;
    if (auto error = look(true, result.further[i])) return std::unexpected(*error);
  }
  std::vector<const Rule*> searched;
  for (const auto& rule : compiled) searched.push_back(&rule);
  tree.revision = base;
  FileStore store(tree);
  auto found = scan_tree(tree, searched, {.progress = progress}, store);
  if (!found) return std::unexpected(found.error());
  for (std::size_t i = 0; i < compiled.size(); ++i) {
    const auto& [rule, places] = purposes[i];
    for (const auto& site : found->sites[i]) {
      const auto is_own = std::ranges::any_of(rules[rule].sites, [&](const LockedSite& own) {
        return own.path == site.path && own.scope == site.scope;
      });
      if (!is_own)
        places->push_back(
            {site.path, line_column(store.text(site.path), site.target.begin).line, site.scope});
    }
  }
  result.skipped = std::move(found->skipped);
  return result;
}

}  // namespace portpatch
