#include "query.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "locate/query_search.h"
#include "locate/relax.h"
#include "pack/pack.h"
#include "pipeline.h"

namespace portpatch {

namespace {

using Errors = std::vector<Diagnostic>;
std::unexpected<Errors> one(Diagnostic error) { return std::unexpected(Errors{std::move(error)}); }

/// The languages that own one of the files, sorted by name.
Result<std::vector<const Language*>> languages_in(const WorkTree& tree,
                                                  const std::vector<std::string>& paths) {
  const auto files = list_tree(tree);
  if (!files) return std::unexpected(files.error());
  std::vector<const Language*> languages;
  for (const auto& name : language_names()) {
    const QueryScope scope{.language = find_language(name), .paths = paths};
    if (std::ranges::any_of(*files, [&](const TreeFile& file) { return scope.takes(file.path); }))
      languages.push_back(scope.language);
  }
  return languages;
}

/// The one language in which the pattern compiles.
std::expected<const Language*, Errors> choose_language(const WorkTree& tree,
                                                       const QueryRequest& request,
                                                       const std::vector<std::string>& paths) {
  if (!request.language.empty()) {
    if (const auto* language = find_language(request.language)) return language;
    return one({.code = "unknown-language",
                .message = fmt::format("there is no language `{}`", printable(request.language)),
                .remedy = fmt::format("languages are: {}", join(language_names(), ", "))});
  }
  const auto languages = languages_in(tree, paths);
  if (!languages) return one(languages.error());
  std::vector<std::string> fitting;
  const Language* found = nullptr;
  Errors errors;
  for (const auto* language : *languages) {
    auto compiled = CompiledQuery::compile(*language, "pattern", request.pattern);
    if (compiled) {
      found = language;
      fitting.push_back(language->name());
    } else if (errors.empty() || languages->size() == 1) {
      errors = compiled.error();
    }
  }
  if (fitting.size() == 1) return found;
  if (fitting.empty() && languages->size() == 1) return std::unexpected(std::move(errors));
  std::vector<std::string> names;
  for (const auto* language : *languages) names.push_back(language->name());
  if (languages->empty()) {
    return one({.code = "which-language",
                .message = "there is no file of a language that portpatch knows",
                .remedy = "name files or folders of the tree"});
  }
  if (!fitting.empty()) {
    return one(
        {.code = "which-language",
         .message = fmt::format("the pattern is one of {}", join(fitting, ", ")),
         .remedy = fmt::format("say --language {}, or name files of one language", fitting[0])});
  }
  return one({.code = "which-language",
              .message = fmt::format("the pattern compiles in none of {}", join(names, ", ")),
              .remedy = "say --language NAME to see its mistakes"});
}

}  // namespace

std::expected<QueryReport, Errors> run_query(const QueryRequest& request) {
  const auto tree = open_tree(request.folder, request.rev);
  if (!tree) return one(tree.error());
  const auto paths = paths_in(*tree, request.folder, request.paths);
  if (!paths) return one(paths.error());
  QueryReport report{.command = request.command, .root = tree->root};
  std::string text = request.pattern, file = "pattern";
  const Language* language = nullptr;
  if (!request.rule.empty()) {
    const auto pack = load_pack(request.rule);
    if (!pack) return std::unexpected(pack.error());
    if (pack->rules.size() != 1)
      return one(
          {.code = "which-rule",
           .message = fmt::format("{} has {} rules", printable(request.rule), pack->rules.size()),
           .remedy = "name one: PACK/LANGUAGE/RULE"});
    language = pack->rules[0].language;
    text = pack->rules[0].source;
    file = pack->rules[0].path;
  } else {
    const auto chosen = choose_language(*tree, request, *paths);
    if (!chosen) return std::unexpected(chosen.error());
    language = *chosen;
  }
  const auto as_typed = CompiledQuery::compile(*language, file, text);
  if (!as_typed) return std::unexpected(as_typed.error());
  if (as_typed->pattern_count() == 0)
    return one({.code = "no-pattern",
                .message = "there is no pattern",
                .remedy = "such as: portpatch query '(call function: (_) @f)'"});
  const auto with_places = with_captures(as_typed->text(), text);
  const auto query = CompiledQuery::compile(*language, file, with_places);
  if (!query) return std::unexpected(query.error());
  report.language = language->name();
  for (std::size_t i = 0; i < query->pattern_count(); ++i) {
    for (const auto& directive : query->directives(i)) report.not_run.push_back(directive.name);
  }
  const QueryScope scope{.language = language, .paths = *paths, .progress = request.progress};
  auto result = search_query(*tree, *query, scope);
  if (!result) return one(result.error());
  report.result = std::move(*result);
  if (!report.result.matches.empty() || report.result.files == 0) return report;
  auto near = find_near_misses(*tree, *query, with_places, scope);
  if (!near) return one(near.error());
  report.near = std::move(*near);
  return report;
}

}  // namespace portpatch
