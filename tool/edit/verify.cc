#include "edit/verify.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "edit/names.h"
#include "syntax/checks.h"
#include "syntax/language.h"

namespace portpatch {

namespace {

/// How often each check of the language objects in the nodes that an edit touched.
using Objections = std::map<std::string, std::size_t>;

void count_objections(const SourceTree& tree, const Node& node, Objections& found) {
  run_checks(tree, node, [&](const std::string& words) { ++found[words]; });
}

/// The node of exactly `range` and the one around it, where the edit's checks apply.
Objections objections_around(const SourceTree& tree, ByteRange range) {
  Objections found;
  Node node = tree.root().smallest_around(range);
  for (int levels = 0; node && levels < 3; ++levels, node = node.parent())
    count_objections(tree, node, found);
  return found;
}

std::optional<std::string> language_objection(const SourceTree& before, const SourceTree& after,
                                              const OffsetMap& map,
                                              const std::vector<Allowance>& allowed) {
  for (const auto& one : allowed) {
    const auto had = objections_around(before, one.parent);
    for (const auto& [message, count] : objections_around(after, map.grown(one.parent))) {
      const auto known = had.find(message);
      if (count > (known == had.end() ? 0 : known->second)) return message;
    }
  }
  for (const auto range : map.inserted()) {
    Objections found;
    walk(after.root().smallest_around(range), [&](const Node& node) {
      if (!node.range().overlaps(range)) return false;
      if (range.contains(node.range())) count_objections(after, node, found);
      return true;
    });
    if (!found.empty()) return found.begin()->first;
  }
  return std::nullopt;
}

Diagnostic refusal(std::string code, std::string message, std::string remedy) {
  return {.code = std::move(code), .message = std::move(message), .remedy = std::move(remedy)};
}

std::optional<Diagnostic> compare_reading(const SourceTree& before, const SourceTree& after,
                                          const PlannedEdits& planned) {
  const OffsetMap map(planned.edits);
  if (error_nodes(after.root()).size() > error_nodes(before.root()).size()) {
    return refusal("new-syntax-error", "the edit would bring a syntax error",
                   "look at the rule's text and at the place");
  }
  if (const auto differs = difference(before, after, map, planned.allowed)) {
    return refusal("tree-differs",
                   fmt::format("the edit would change more than it says: {}", *differs),
                   "edit this place by hand");
  }
  if (const auto message = language_objection(before, after, map, planned.allowed)) {
    return refusal("language-check", fmt::format("the edit would make {}", *message),
                   "look at the rule's text and at the place");
  }
  return std::nullopt;
}

std::optional<Diagnostic> name_objection(const ParsedFile& after, const PlannedEdits& planned,
                                         const Rule& rule) {
  const auto unseen = unseen_names(after.tree(), OffsetMap(planned.edits).inserted(),
                                   rule.settings.names);
  if (unseen.empty()) return std::nullopt;
  return refusal("unseen-name",
                 fmt::format("`{}`, which the edit uses, {}", unseen[0].name, unseen[0].why),
                 "import or define it there, or list it under `names` of the rule in pack.toml");
}

std::size_t most_errors(const ParsedFile& file) {
  std::size_t most = 0;
  for (const auto& reading : file.readings())
    most = std::max(most, error_nodes(reading.tree.root()).size());
  return most;
}

/// An edit that brings or takes a conditional (#if around a statement): whole files are compared,
/// and under no condition may there be more errors than there were.
std::optional<Diagnostic> compare_conditionals(const ParsedFile& before, const ParsedFile& after,
                                               const PlannedEdits& planned) {
  const bool is_meant = std::ranges::all_of(
      planned.allowed, [](const Allowance& one) { return one.becomes.has_value(); });
  const bool variants = std::ranges::any_of(planned.readings,
                                            [](std::size_t reading) { return reading > 0; });
  if (!is_meant || variants) {
    return refusal("tree-differs", "the edit would change the preprocessor's conditionals",
                   "edit this place by hand");
  }
  if (auto found = compare_reading(before.tree(), after.tree(), planned)) return found;
  if (most_errors(after) > most_errors(before)) {
    return refusal("new-syntax-error",
                   "the edit would bring a syntax error under a preprocessor condition",
                   "edit this place by hand");
  }
  return std::nullopt;
}

}  // namespace

std::optional<Diagnostic> objection(const ParsedFile& before, const ParsedFile& after,
                                    const PlannedEdits& planned, const Rule& rule) {
  if (before.readings().size() != after.readings().size()) {
    if (auto found = compare_conditionals(before, after, planned)) return found;
    return name_objection(after, planned, rule);
  }
  const bool whole = std::ranges::find(planned.readings, 0u) != planned.readings.end();
  const bool variants = std::ranges::any_of(planned.readings,
                                            [](std::size_t reading) { return reading > 0; });
  for (std::size_t i = 0; i < before.readings().size(); ++i) {
    const auto& old_tree = before.readings()[i].tree;
    const auto& new_tree = after.readings()[i].tree;
    const auto shown = std::ranges::all_of(
        planned.edits, [&](const TextEdit& edit) { return before.shows(i, edit.range); });
    if ((i == 0 && whole) || (i > 0 && variants && shown)) {
      if (auto found = compare_reading(old_tree, new_tree, planned)) return found;
    } else if (error_nodes(new_tree.root()).size() > error_nodes(old_tree.root()).size() && i > 0) {
      return refusal("new-syntax-error",
                     "the edit would bring a syntax error under another preprocessor condition",
                     "edit this place by hand");
    }
  }
  if (planned.takes_names) {
    const auto orphaned = orphaned_names(before.tree(), OffsetMap(planned.edits).removed(),
                                         after.tree());
    if (!orphaned.empty()) {
      return refusal("still-used",
                     fmt::format("`{}`, which the edit would take away, is still used in the file",
                                 orphaned[0]),
                     "take out what uses it first, or leave it");
    }
  }
  return name_objection(after, planned, rule);
}

}  // namespace portpatch
