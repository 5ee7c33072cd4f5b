#include "capture/captured_edit.h"

#include <fmt/format.h>

#include "capture/tree_diff.h"
#include "edit/plan.h"
#include "locate/sites.h"
#include "syntax/language.h"
#include "syntax/query_text.h"

namespace portpatch {

namespace {

std::string strings(const std::vector<std::string>& texts) {
  std::string out;
  for (const auto& text : texts) out += " " + query_string(text);
  return out;
}

}  // namespace

std::optional<std::string> replayed(const FileVersions& file,
                                    const std::vector<const Rule*>& rules) {
  std::string current = file.before;
  for (const auto* rule : rules) {
    const auto parsed = ParsedFile::parse(*rule->language, file.path, current);
    const auto sites = parsed ? find_sites(*rule, *parsed)
                              : Result<std::vector<Site>>(std::vector<Site>());
    if (!sites || sites->empty()) return std::nullopt;
    auto plan = plan_file(*rule, *parsed, *sites, Direction::kApply);
    if (!plan || !plan->text) return std::nullopt;
    current = std::move(*plan->text);
  }
  return current;
}

bool replays(const FileVersions& file, const std::vector<const Rule*>& rules,
             const std::string& text) {
  if (rules.empty()) return true;
  const auto current = replayed(file, rules);
  return current && same_code(*rules[0]->language, *current, text);
}

std::expected<Rule, std::string> compile_edit(const Language& language, const CapturedEdit& edit,
                                              std::vector<std::string> names) {
  Rule rule{.name = "capture",
            .path = "capture.scm",
            .reason = {},
            .source = query_of(edit, true),
            .language = &language,
            .settings = {},
            .shapes = {},
            .prefilter = {},
            .query = std::nullopt,
            .locked = {}};
  rule.settings.names = std::move(names);
  auto compiled = compile_rule(std::move(rule), "/nonexistent");
  if (!compiled) return std::unexpected(compiled.error()[0].message);
  return std::move(*compiled);
}

std::string query_of(const CapturedEdit& edit, bool whole) {
  std::string text;
  for (const auto& pattern : edit.patterns) {
    if (!text.empty()) text += '\n';
    text += pattern.place;
    if (!pattern.scopes.empty())
      text += fmt::format("\n (#in-scope? @{}{})", pattern.capture, strings(pattern.scopes));
    if (!pattern.paths.empty()) text += fmt::format("\n (#in-path?{})", strings(pattern.paths));
    for (const auto& predicate : pattern.extra) text += "\n " + predicate;
    for (const auto& directive : pattern.directives) text += "\n " + directive;
    text += ")\n";
  }
  for (const auto& side : edit.beside) {
    const auto mark = fmt::format("\"file:{}\"", side.name);
    const auto code = query_string(side.text);
    for (auto at = whole ? text.find(mark) : std::string::npos; at != std::string::npos;
         at = text.find(mark, at + code.size()))
      text.replace(at, mark.size(), code);
  }
  return text;
}

}  // namespace portpatch
