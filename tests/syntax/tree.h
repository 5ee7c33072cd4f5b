// Small texts as trees, for the tests of this folder.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

#include "syntax/language.h"
#include "syntax/query.h"
#include "syntax/roles.h"
#include "syntax/source_tree.h"

namespace portpatch::test {

inline const Language& language(std::string_view name) {
  const auto* found = find_language(name);
  if (found == nullptr) throw std::runtime_error("no language " + std::string(name));
  return *found;
}

inline SourceTree tree_of(std::string_view language_name, std::string_view text) {
  auto tree = SourceTree::parse(language(language_name), std::string(text));
  if (!tree) throw std::runtime_error(tree.error().message);
  return std::move(*tree);
}

inline CompiledQuery query_of(std::string_view language_name, std::string_view text) {
  auto query = CompiledQuery::compile(language(language_name), "rule.scm", text);
  if (!query) throw std::runtime_error(render(query.error()[0], false));
  return std::move(*query);
}

/// The matches of a query: a line each, its captures as `@name text`.
inline std::string matches(std::string_view language_name, std::string_view query,
                           std::string_view text, std::string_view path = "a.py") {
  const auto tree = tree_of(language_name, text);
  const auto compiled = query_of(language_name, query);
  const auto found = compiled.run(tree, tree.root(), path);
  if (!found) return "[" + found.error().code + "] " + found.error().message;
  std::string out;
  for (const auto& match : *found) {
    out += std::to_string(match.pattern) + ":";
    for (const auto& capture : match.captures) {
      out += " @" + std::string(capture.name) + " " + std::string(capture.node.text(tree.text()));
    }
    out += "\n";
  }
  return out;
}

}  // namespace portpatch::test
