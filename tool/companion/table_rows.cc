#include "companion/table_rows.h"

#include <fmt/format.h>

#include "companion/cc_table.h"
#include "edit/plan.h"
#include "syntax/definitions.h"
#include "syntax/query_text.h"

namespace portpatch {

namespace {

std::expected<Rule, std::string> make_rule(const ParsedFile& file,
                                           const std::vector<NewRow>& rows) {
  auto source = fmt::format("((_) @table\n (#in-path? {})", query_string(file.path()));
  for (const auto& [key, value] : rows) {
    source += value.empty() ? fmt::format("\n (#ensure-element! @table {})", query_string(key))
                            : fmt::format("\n (#ensure-entry! @table {} {})", query_string(key),
                                          query_string(value));
  }
  Rule rule{.name = "companion",
            .path = "companion.scm",
            .reason = {},
            .source = source + ")\n",
            .language = &file.language(),
            .settings = {},
            .shapes = {},
            .prefilter = {},
            .query = std::nullopt,
            .locked = {}};
  rule.settings.on_conflict = OnConflict::kOverride;
  auto compiled = compile_rule(std::move(rule), "");
  if (!compiled) return std::unexpected(compiled.error()[0].message);
  return std::move(*compiled);
}

/// The table as the site of the rule; none unless it is there once.
std::vector<Site> site_of(const ParsedFile& file, const std::string& name) {
  const auto [tables, unread] = tables_named(file.tree(), name);
  if (tables.size() != 1 || !unread.empty()) return {};
  const auto node = file.tree().root().smallest_around(tables[0].range);
  return {{.path = file.path(),
           .captures = {{"table", std::string(node.kind()), node.range()}},
           .target = node.range(),
           .scope = scope_path(file.tree(), node)}};
}

}  // namespace

std::expected<std::string, std::string> with_rows(const ParsedFile& file, const std::string& name,
                                                  const std::vector<NewRow>& rows) {
  const auto rule = make_rule(file, rows);
  if (!rule) return std::unexpected(rule.error());
  const auto sites = site_of(file, name);
  if (sites.empty())
    return std::unexpected(fmt::format("{} is not there once in {}", name, file.path()));
  const auto plan = plan_file(
      *rule, file, sites, Direction::kApply,
      [&](const Rule&, const ParsedFile& edited) -> Result<std::vector<Site>> {
        return site_of(edited, name);
      });
  if (!plan) return std::unexpected(plan.error().message);
  if (plan->text) return *plan->text;
  const auto& step = plan->sites[0].step;
  return std::unexpected(step.reason.empty() ? std::string("there is nothing to do") : step.reason);
}

}  // namespace portpatch
