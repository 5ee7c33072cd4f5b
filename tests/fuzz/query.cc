// A query on a text: notation, compiling, predicates.
#include "syntax/query.h"

#include <algorithm>

#include "syntax/code_value.h"
#include "syntax/language.h"
#include "syntax/source_tree.h"
#include "tests/fuzz/target.h"

namespace portpatch::fuzz {

namespace {

/// `text` written as a string of the notation reads as itself.
void check_string(const std::string& text) {
  const auto written = "((_) @a (#eq? @a " + query_string(text) + "))";
  const auto read = read_query_text("query.scm", written);
  expect(read.has_value(), "a text can be written in a query", {text, written});
  const auto predicates = predicates_of(read->patterns.at(0));
  expect(predicates.at(0)->items.at(2).text == text, "a text in a query reads as itself",
         {text, written});
}

bool any_stands_in(const std::vector<std::string>& literals, std::string_view text) {
  return std::ranges::any_of(literals,
                             [&](const std::string& literal) { return text.contains(literal); });
}

void check_matches(const CompiledQuery& query, const SourceTree& tree, const Parts& parts) {
  const std::string path = "example." + tree.language().file_ending();
  const auto matches = query.run(tree, tree.root(), path);
  if (!matches) return;
  for (const auto& match : *matches) {
    expect(query.failing(match.pattern, tree, match, path).empty(), "a match meets its predicates",
           {parts[1], parts[2]});
    const auto name_in_code = [&](std::string_view code) {
      return required_name(tree.language(), code);
    };
    for (const auto& group :
         required_literals(query.text().patterns.at(match.pattern), name_in_code))
      expect(any_stands_in(group, tree.text()), "a match has its literals", {parts[1], parts[2]});
    for (const auto& capture : match.captures)
      expect(capture.node.range().end <= tree.text().size(), "a capture is in the text",
             {parts[1], parts[2]});
  }
}

}  // namespace

void run_query(const Parts& parts) {
  if (parts.size() != 3) return;
  const auto* language = find_language(parts[0]);
  if (language == nullptr) return;
  check_string(parts[2]);
  const auto query = CompiledQuery::compile(*language, "query.scm", parts[1]);
  if (!query) {
    expect(!query.error().empty(), "a query that is refused has a mistake", {parts[1]});
    for (const auto& mistake : query.error()) (void)render(mistake, false);
    return;
  }
  const auto tree = SourceTree::parse(*language, parts[2]);
  if (tree) check_matches(*query, *tree, parts);
}

}  // namespace portpatch::fuzz
