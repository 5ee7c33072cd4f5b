#include "capture/query_writer.h"

#include <algorithm>

#include <fmt/format.h>

#include "locate/sites.h"
#include "syntax/language.h"
#include "syntax/query_text.h"

namespace portpatch {

namespace {

/// A longer argument stands in a file beside the rule.
constexpr std::size_t kLongestInline = 100;

bool takes_capture(std::string_view directive) {
  return std::ranges::none_of(directive_table(), [&](const DirectiveInfo& row) {
    return row.name == directive && !row.arguments.starts_with('@');
  });
}

bool anchor_names_neighbour(const Pattern& pattern) {
  return pattern.capture == "neighbour" ||
         std::ranges::any_of(pattern.children, anchor_names_neighbour);
}

/// The argument as it stands in the query.
std::string argument_text(CapturedEdit& edit, const std::string& argument) {
  if (!argument.contains('\n') && argument.size() <= kLongestInline) return query_string(argument);
  const auto name = edit.beside.empty() ? std::string("text")
                                        : fmt::format("text-{}", edit.beside.size() + 1);
  edit.beside.push_back({name, argument.ends_with('\n') ? argument : argument + "\n"});
  return fmt::format("\"file:{}\"", name);
}

}  // namespace

void add_pattern(CapturedEdit& edit, const Anchor& anchor, const std::string& capture,
                 const std::vector<std::string>& extra, const std::string& directive,
                 const std::vector<std::string>& arguments) {
  auto pattern = anchor.pattern;
  name_captures(pattern, capture);
  CapturedPattern out{.place = "(" + print(pattern, 1),
                      .capture = capture,
                      .scopes = {},
                      .paths = {},
                      .extra = extra,
                      .directives = {}};
  for (const auto& predicate : predicates_of(pattern)) out.place += "\n " + predicate;
  if (anchor.path.empty())
    out.scopes = anchor.scopes;
  else
    out.paths.push_back(anchor.path);
  auto text = fmt::format("(#{}", directive);
  if (takes_capture(directive)) text += " @" + capture;
  for (const auto& argument : arguments) text += " " + argument_text(edit, argument);
  if (anchor_names_neighbour(pattern)) text += " @neighbour";
  out.directives.push_back(text + ")");
  edit.patterns.push_back(std::move(out));
}

void add_siblings(const Language& language, const ParsedFile& old_file, CapturedEdit& edit) {
  const auto first = edit.patterns[0];
  const bool is_literal = edit.directive == "ensure-entry!" || edit.directive == "ensure-element!";
  const auto end = first.place.find(") @" + first.capture);
  const auto begin = end == std::string::npos ? end : first.place.rfind('(', end) + 1;
  if (!is_literal || edit.patterns.size() != 1 || end == std::string::npos) return;
  const auto& shapes = language.sibling_shapes(first.place.substr(begin, end - begin));
  if (shapes.empty()) return;
  for (const auto& shape : shapes) {
    auto sibling = first;
    sibling.place.replace(begin - 1, end - begin + 2, shape);
    if (shape.contains("@wrapper")) {
      std::vector<std::string> names;
      for (const auto& name : language.sibling_shapes("wrappers"))
        names.push_back(query_string(name));
      sibling.extra.push_back(fmt::format("(#any-of? @wrapper {})", join(names, " ")));
    }
    edit.patterns.push_back(std::move(sibling));
  }
  const auto rule = compile_edit(language, edit, {});
  const auto sites = rule ? find_sites(*rule, old_file)
                          : Result<std::vector<Site>>(failure("", ""));
  if (!sites || sites->size() != 1) edit.patterns.resize(1);
}

void add_edit(CapturedEdit edit, std::vector<CapturedEdit>& edits) {
  const auto same = std::ranges::find_if(edits, [&](const CapturedEdit& other) {
    return edit.directive.starts_with("ensure-") && other.directive == edit.directive &&
           edit.patterns.size() == 1 && other.patterns.size() == 1 &&
           other.patterns[0].is_like(edit.patterns[0]) &&
           other.patterns[0].scopes == edit.patterns[0].scopes;
  });
  if (same == edits.end()) {
    edits.push_back(std::move(edit));
    return;
  }
  auto directive = std::move(edit.patterns[0].directives[0]);
  for (auto& side : edit.beside) {
    const auto name = fmt::format("text-{}", same->beside.size() + 1);
    const auto mark = fmt::format("\"file:{}\"", side.name);
    directive.replace(directive.find(mark), mark.size(), fmt::format("\"file:{}\"", name));
    same->beside.push_back({name, std::move(side.text)});
  }
  same->patterns[0].directives.push_back(std::move(directive));
  same->words.merge(edit.words);
  same->around.merge(edit.around);
  same->changed_tokens += edit.changed_tokens;
  same->payload_tokens += edit.payload_tokens;
}

}  // namespace portpatch
