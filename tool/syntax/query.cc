#include "syntax/query.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <ranges>
#include <set>

#include <fmt/format.h>

#include "syntax/language.h"
#include "syntax/node_access.h"
#include "syntax/predicates.h"

namespace portpatch {

namespace {

using QueryHandle = std::unique_ptr<TSQuery, decltype(&ts_query_delete)>;
using CursorHandle = std::unique_ptr<TSQueryCursor, decltype(&ts_query_cursor_delete)>;

const TSLanguage* grammar_of(const Language& language) {
  return static_cast<const TSLanguage*>(language.grammar());
}

std::vector<std::string> known_kinds(const Language& language) {
  std::set<std::string> kinds;
  const auto* grammar = grammar_of(language);
  for (std::uint32_t i = 0; i < ts_language_symbol_count(grammar); ++i) {
    const auto type = ts_language_symbol_type(grammar, static_cast<TSSymbol>(i));
    if (type == TSSymbolTypeRegular || type == TSSymbolTypeSupertype) {
      kinds.insert(ts_language_symbol_name(grammar, static_cast<TSSymbol>(i)));
    }
  }
  return {kinds.begin(), kinds.end()};
}

std::vector<std::string> known_fields(const Language& language) {
  std::vector<std::string> fields;
  const auto* grammar = grammar_of(language);
  for (std::uint32_t i = 1; i <= ts_language_field_count(grammar); ++i) {
    fields.emplace_back(ts_language_field_name_for_id(grammar, static_cast<TSFieldId>(i)));
  }
  return fields;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates,
                         std::string otherwise) {
  if (const auto near = nearest(word, candidates)) return fmt::format("did you mean `{}`?", *near);
  return otherwise;
}

/// The word of query notation at `at`, for the caret.
ByteRange word_at(std::string_view text, std::size_t at) {
  auto end = at;
  while (end < text.size() && !std::string_view(" \t\r\n()[]\":").contains(text[end])) ++end;
  return {at, std::max(end, std::min(at + 1, text.size()))};
}

Diagnostic describe_error(const Language& language, TSQueryError error, std::string_view path,
                          std::string_view text, std::size_t at) {
  const auto range = word_at(text, std::min(at, text.size()));
  const auto word = range.of(text);
  Diagnostic diagnostic{
      .code = "query-syntax", .message = "", .place = place_of(path, text, range)};
  switch (error) {
    case TSQueryErrorNodeType:
      diagnostic.code = "unknown-node-type";
      diagnostic.message = fmt::format("{} has no node type `{}`", language.title(), word);
      diagnostic.remedy = did_you_mean(word, known_kinds(language),
                                       "node types are the ones that `tree-sitter parse` prints");
      break;
    case TSQueryErrorField:
      diagnostic.code = "unknown-field";
      diagnostic.message = fmt::format("{} has no field `{}`", language.title(), word);
      diagnostic.remedy = did_you_mean(word, known_fields(language),
                                       "leave the field out, or look it up in the grammar");
      break;
    case TSQueryErrorStructure:
      diagnostic.code = "impossible-pattern";
      diagnostic.message = "no tree can ever match this pattern";
      diagnostic
          .remedy = "the node at the caret cannot stand there: look at the tree of a real example";
      break;
    default:
      diagnostic.message = "the query's syntax is broken here";
      diagnostic.remedy =
          "compare with rules/README.md: (node field: (child) @capture (#predicate? @capture "
          "\"text\"))";
  }
  return diagnostic;
}

/// Compiles `text` at `offset` alone; adds a diagnostic for what tree-sitter says.
QueryHandle compile_part(const Language& language, std::string_view path, std::string_view text,
                         ByteRange part, std::vector<Diagnostic>& errors) {
  std::uint32_t at = 0;
  TSQueryError error = TSQueryErrorNone;
  QueryHandle query(ts_query_new(grammar_of(language), text.data() + part.begin,
                                 static_cast<std::uint32_t>(part.size()), &at, &error),
                    &ts_query_delete);
  // Unknown captures are all found by check_captures(), not only the first.
  if (!query && error != TSQueryErrorCapture)
    errors.push_back(describe_error(language, error, path, text, part.begin + at));
  return query;
}

/// "unknown-capture" for each argument that names a capture which its pattern does not define.
void check_captures(const PatternText& pattern, const Predicate& predicate, std::string_view path,
                    std::string_view text, std::vector<Diagnostic>& errors) {
  const auto known = captures_of(pattern);
  for (const auto& argument : predicate.arguments) {
    if (!argument.is_capture || std::ranges::find(known, argument.text) != known.end()) continue;
    errors.push_back(
        {.code = "unknown-capture",
         .message = fmt::format("the pattern defines no capture `@{}`", argument.text),
         .place = place_of(path, text, argument.place),
         .remedy = known.empty()
                       ? "put it behind a node of the pattern: (identifier) @name"
                       : fmt::format("a predicate sees its own pattern only, which defines @{}",
                                     join(known, ", @"))});
  }
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Is it `(#name? @capture "string" ...)`, which tree-sitter always takes?
bool is_plain_predicate(const QueryItem& list) {
  const std::string_view name = list.items[0].text;
  const bool is_named = name.size() > 2 && is_letter(name[1]) &&
                        (name.ends_with('?') || name.ends_with('!')) &&
                        std::ranges::all_of(name.substr(1, name.size() - 2),
                                            [](char c) { return is_letter(c) || c == '-'; });
  return is_named &&
         std::ranges::all_of(list.items | std::views::drop(1), [](const QueryItem& item) {
           return item.kind == QueryItem::Kind::kString || item.kind == QueryItem::Kind::kCapture;
         });
}

/// What tree-sitter looks at of a pattern: patterns that differ in names only have one. nullopt
/// where that cannot be told.
std::optional<std::string> without_predicates(const PatternText& pattern, std::string_view text) {
  std::map<std::string, std::size_t> defined;  // captures, with where
  const auto note = [&](const auto& self, const std::vector<QueryItem>& items) -> void {
    for (const auto& item : items) {
      if (item.kind == QueryItem::Kind::kCapture) defined.emplace(item.text, item.range.begin);
      if (!item.is_predicate()) self(self, item.items);
    }
  };
  note(note, pattern.items);
  const auto is_behind_its_captures = [&](const QueryItem& predicate) {
    return std::ranges::all_of(predicate.items, [&](const QueryItem& item) {
      if (item.kind != QueryItem::Kind::kCapture) return true;
      const auto found = defined.find(item.text);
      return found != defined.end() && found->second < predicate.range.begin;
    });
  };
  std::string nodes;
  auto at = pattern.range.begin;
  for (const auto* predicate : predicates_of(pattern)) {
    if (!is_plain_predicate(*predicate) || !is_behind_its_captures(*predicate) ||
        predicate->range.begin < at)
      return std::nullopt;
    nodes.append(text.substr(at, predicate->range.begin - at));
    at = predicate->range.end;
  }
  return nodes.append(text.substr(at, pattern.range.end - at));
}

/// Ends a query when it has dropped matches, or takes too long.
struct QueryWatch {
  TSQueryCursor* cursor = nullptr;
  double begin = thread_seconds();
  std::size_t asked = 0;
  bool is_late = false;

  bool must_stop() {
    constexpr std::size_t kAskTheClock = 64;
    if (++asked % kAskTheClock == 0)
      is_late |= thread_seconds() - begin > static_cast<double>(kQuerySeconds.most);
    return is_late || ts_query_cursor_did_exceed_match_limit(cursor);
  }
};

}  // namespace

Predicate to_predicate(const QueryItem& list) {
  Predicate predicate{.name = list.items[0].text.substr(1),
                      .arguments = {},
                      .place = list.range,
                      .name_place = list.items[0].range};
  for (std::size_t i = 1; i < list.items.size(); ++i) {
    const auto& item = list.items[i];
    predicate.arguments.push_back({item.kind == QueryItem::Kind::kCapture, item.text, item.range});
  }
  return predicate;
}

struct PatternParts {
  std::vector<Predicate> directives, predicates;
  std::vector<std::unique_ptr<ReadyPredicate>> ready;
};

struct CompiledQuery::State {
  const Language* language = nullptr;
  std::string path, source;
  QueryText text;
  std::vector<PatternParts> patterns;

  /// What tree-sitter makes of the source; null when it does not compile. Made once, by whichever
  /// thread asks first.
  const TSQuery* query() {
    std::call_once(is_made_, [&] {
      std::vector<Diagnostic> errors;
      query_ = compile_part(*language, path, source, {0, source.size()}, errors);
      const auto captures = query_ ? ts_query_capture_count(query_.get()) : 0;
      for (std::uint32_t i = 0; i < captures; ++i) {
        std::uint32_t length = 0;
        const char* name = ts_query_capture_name_for_id(query_.get(), i, &length);
        capture_names_.emplace_back(name, length);
      }
    });
    return query_.get();
  }
  /// The captures of query().
  const std::vector<std::string>& capture_names() const { return capture_names_; }

 private:
  std::once_flag is_made_;
  QueryHandle query_{nullptr, &ts_query_delete};
  std::vector<std::string> capture_names_;
};

CompiledQuery::CompiledQuery() : state_(std::make_unique<State>()) {}
CompiledQuery::CompiledQuery(CompiledQuery&&) noexcept = default;
CompiledQuery& CompiledQuery::operator=(CompiledQuery&&) noexcept = default;
CompiledQuery::~CompiledQuery() = default;

std::expected<CompiledQuery, std::vector<Diagnostic>> CompiledQuery::compile(
    const Language& language, std::string_view path, std::string_view text, Compile when) {
  auto read = read_query_text(path, text);
  if (!read) return std::unexpected(std::vector{read.error()});
  CompiledQuery result;
  auto& state = *result.state_;
  state.language = &language;
  state.path = path;
  state.source = text;
  state.text = std::move(*read);

  const bool is_now = when == Compile::kNow;
  const bool is_known = !is_now || state.query() != nullptr;
  std::vector<Diagnostic> errors;
  for (const auto& pattern : state.text.patterns) {
    if (pattern.items[0].is_predicate()) {
      errors.push_back(
          {.code = "pattern-without-node",
           .message = "this predicate stands outside every pattern and would hold for nothing",
           .place = place_of(path, text, pattern.range),
           .remedy = "move it inside the parentheses of its pattern: ((node) @capture (#eq? "
                     "@capture \"text\"))"});
      continue;
    }
    if (!is_known) compile_part(language, path, text, pattern.range, errors);
    PatternParts parts;
    for (const auto* item : predicates_of(pattern)) {
      auto predicate = to_predicate(*item);
      check_captures(pattern, predicate, path, text, errors);
      if (predicate.name.ends_with('!')) {
        parts.directives.push_back(std::move(predicate));
        continue;
      }
      auto ready = make_ready(language, predicate, path, text);
      if (ready)
        parts.ready.push_back(std::move(*ready));
      else
        errors.push_back(ready.error());
      parts.predicates.push_back(std::move(predicate));
    }
    state.patterns.push_back(std::move(parts));
  }
  const bool is_misread = !is_known || (is_now && ts_query_pattern_count(state.query()) !=
                                                      state.patterns.size());
  if (errors.empty() && is_misread) {
    errors.push_back(
        {.code = "query-syntax",
         .message = "tree-sitter reads another number of patterns here",
         .place = Place{.path = std::string(path), .source = {}},
         .remedy = "put each pattern with its predicates into one pair of parentheses"});
  }
  if (!errors.empty()) {
    std::ranges::stable_sort(errors, [](const Diagnostic& a, const Diagnostic& b) {
      return std::pair(a.place->line, a.place->column) < std::pair(b.place->line, b.place->column);
    });
    return std::unexpected(std::move(errors));
  }
  return result;
}

std::size_t CompiledQuery::pattern_count() const { return state_->patterns.size(); }
const QueryText& CompiledQuery::text() const { return state_->text; }
const std::vector<Predicate>& CompiledQuery::directives(std::size_t pattern) const {
  return state_->patterns[pattern].directives;
}
const std::vector<Predicate>& CompiledQuery::predicates(std::size_t pattern) const {
  return state_->patterns[pattern].predicates;
}

Result<std::vector<Match>> CompiledQuery::run(const SourceTree& tree, const Node& node,
                                              std::string_view path) const {
  const auto* query = state_->query();
  if (query == nullptr)
    return failure("query-syntax", fmt::format("{} does not compile", state_->path));
  const CursorHandle cursor(ts_query_cursor_new(), &ts_query_cursor_delete);
  ts_query_cursor_set_match_limit(cursor.get(), static_cast<std::uint32_t>(kOpenMatches.most));
  QueryWatch watch{.cursor = cursor.get()};
  const TSQueryCursorOptions options{.payload = &watch,
                                     .progress_callback = [](TSQueryCursorState* state) {
                                       return static_cast<QueryWatch*>(state->payload)->must_stop();
                                     }};
  ts_query_cursor_exec_with_options(cursor.get(), query, NodeAccess::raw(node), &options);
  std::vector<Match> matches;
  TSQueryMatch raw;
  while (!watch.must_stop() && ts_query_cursor_next_match(cursor.get(), &raw)) {
    Match match{.pattern = raw.pattern_index, .captures = {}};
    for (std::uint16_t i = 0; i < raw.capture_count; ++i) {
      match.captures.push_back({state_->capture_names()[raw.captures[i].index],
                                NodeAccess::wrap(raw.captures[i].node, NodeAccess::tree(node))});
    }
    const PredicateContext context{tree, path, match};
    const auto& ready = state_->patterns[match.pattern].ready;
    if (std::ranges::all_of(ready, [&](const auto& one) { return one->holds(context); })) {
      matches.push_back(std::move(match));
      if (matches.size() > kMatches.most) return beyond(kMatches);
    }
  }
  if (ts_query_cursor_did_exceed_match_limit(cursor.get())) return beyond(kOpenMatches);
  if (watch.is_late) return beyond(kQuerySeconds);
  std::ranges::stable_sort(matches, [](const Match& a, const Match& b) {
    const auto place = [](const Match& m) {
      return std::pair(m.pattern, m.captures.empty() ? ByteRange() : m.captures[0].node.range());
    };
    return place(a) < place(b);
  });
  return matches;
}

bool compile_together(const Language& language, const std::vector<std::string_view>& texts) {
  // tree-sitter counts the steps of a query with 16 bits; a step takes a byte of the text at least.
  constexpr std::size_t kMostBytes = 60'000;
  std::set<std::string> different;
  for (const auto text : texts) {
    const auto read = read_query_text("", text);
    if (!read) return false;
    for (const auto& pattern : read->patterns) {
      auto nodes = without_predicates(pattern, text);
      if (!nodes) return false;
      different.insert(std::move(*nodes));
    }
  }
  const auto all = join({different.begin(), different.end()}, "\n");
  if (all.size() > kMostBytes) return false;
  std::vector<Diagnostic> errors;
  const auto query = compile_part(language, "", all, {0, all.size()}, errors);
  return query && ts_query_pattern_count(query.get()) == different.size();
}

std::vector<std::size_t> CompiledQuery::failing(std::size_t pattern, const SourceTree& tree,
                                                const Match& match, std::string_view path) const {
  std::vector<std::size_t> failing;
  const auto& ready = state_->patterns[pattern].ready;
  for (std::size_t i = 0; i < ready.size(); ++i) {
    if (!ready[i]->holds({tree, path, match})) failing.push_back(i);
  }
  return failing;
}

Node Match::find(std::string_view name) const {
  const auto found = std::ranges::find(captures, name, &Capture::name);
  return found == captures.end() ? Node() : found->node;
}

}  // namespace portpatch
