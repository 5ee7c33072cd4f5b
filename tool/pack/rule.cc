// One rule from its text: the query compiled, its patterns' directives and marks checked.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "pack/pack.h"
#include "syntax/code_value.h"

namespace portpatch {

namespace {

using Errors = std::vector<Diagnostic>;

/// The patterns' literals without repetition: shapes of one rule mostly require the same names.
std::vector<std::vector<std::vector<LiteralFinder>>> make_prefilter(const Language& language,
                                                                    const QueryText& query) {
  const auto name_in_code = [&](std::string_view code) { return required_name(language, code); };
  std::set<std::vector<std::vector<std::string>>> different;
  for (const auto& pattern : query.patterns)
    different.insert(required_literals(pattern, name_in_code));
  if (different.contains({})) return {};
  std::vector<std::vector<std::vector<LiteralFinder>>> prefilter;
  for (const auto& groups : different) {
    auto& finders = prefilter.emplace_back();
    for (const auto& group : groups) {
      auto& alternatives = finders.emplace_back();
      for (const auto& literal : group) {
        // Where a shorter one is part of it, the shorter one decides.
        const bool covered = std::ranges::any_of(group, [&](const auto& other) {
          return other.size() < literal.size() && literal.contains(other);
        });
        if (!covered) alternatives.emplace_back(literal);
      }
    }
  }
  return prefilter;
}

class RuleCompiler {
 public:
  RuleCompiler(const std::string& folder, Compile when) : folder_(folder), when_(when) {}

  std::expected<Rule, Errors> compile(Rule rule) {
    auto query = CompiledQuery::compile(*rule.language, rule.path, rule.source, when_);
    if (!query) {
      add_rule_errors(rule, query.error());
      return std::unexpected(std::move(errors_));
    }
    rule.reason = query->text().header;
    if (query->pattern_count() == 0) {
      error_at(rule, {0, 0}, "empty-rule", "the rule has no pattern",
               "write a query with a directive; see rules/README.md");
    }
    for (std::size_t i = 0; i < query->pattern_count(); ++i) read_shape(rule, *query, i);
    check_held_shapes(rule);
    rule.prefilter = make_prefilter(*rule.language, query->text());
    rule.query = std::move(*query);
    if (!errors_.empty()) return std::unexpected(std::move(errors_));
    return rule;
  }

 private:
  /// The mistakes of a query that does not compile, and those of its directives beside them.
  void add_rule_errors(const Rule& rule, Errors errors) {
    if (const auto read = read_query_text(rule.path, rule.source)) {
      for (const auto& pattern : read->patterns) {
        if (pattern.items[0].is_predicate()) continue;
        for (const auto* item : predicates_of(pattern)) {
          const auto predicate = to_predicate(*item);
          if (!predicate.name.ends_with('!') || is_mark(predicate)) continue;
          auto directive = read_directive(*rule.language, pattern, predicate, rule_file(rule),
                                          rule.source);
          if (directive || directive.error().code == "unknown-capture")
            continue;  // the query's mistakes name it
          directive.error().place->path = rule.path;
          errors.push_back(std::move(directive.error()));
        }
      }
    }
    std::ranges::stable_sort(errors, {}, [](const Diagnostic& one) {
      return std::pair(one.place->line, one.place->column);
    });
    errors_.insert(errors_.end(), errors.begin(), errors.end());
  }

  /// A directive that is no edit: #set! says nothing to portpatch, #held! marks a pattern.
  static bool is_mark(const Predicate& predicate) {
    return predicate.name == "set!" || predicate.name == "held!";
  }

  /// Ties a pattern to its place: without one it matches everywhere.
  static bool is_anchor(const Predicate& predicate) {
    constexpr std::string_view kNames[] = {"eq?",     "any-eq?", "match?",    "any-match?",
                                           "any-of?", "reads?",  "in-scope?", "in-path?"};
    return std::ranges::find(kNames, predicate.name) != std::end(kNames) &&
           !predicate.arguments.back().is_capture;
  }

  void error_at(const Rule& rule, ByteRange range, std::string code, std::string message,
                std::string remedy) {
    errors_.push_back({.code = std::move(code),
                       .message = std::move(message),
                       .place = place_of(rule.path, rule.source, range),
                       .remedy = std::move(remedy)});
  }

  void read_shape(Rule& rule, const CompiledQuery& query, std::size_t index) {
    const auto& pattern = query.text().patterns[index];
    // What stands in code is no name of the place.
    const auto no_name = [](std::string_view) { return std::string(); };
    Shape shape{.directives = {}, .held = {}, .literals = required_literals(pattern, no_name)};
    const auto before = errors_.size();
    for (const auto& predicate : query.directives(index)) {
      if (predicate.name == "set!") continue;
      if (predicate.name == "held!") {
        read_held(rule, pattern, predicate, shape);
        continue;
      }
      auto directive = read_directive(*rule.language, pattern, predicate, rule_file(rule),
                                      rule.source);
      if (directive) {
        shape.directives.push_back(std::move(*directive));
      } else {
        errors_.push_back(directive.error());
        if (errors_.back().place) errors_.back().place->path = rule.path;
      }
    }
    give_targets(pattern, shape);
    if (errors_.size() == before) {
      if (shape.directives.empty() && !shape.is_held()) {
        error_at(
            rule, pattern.range, "no-directive",
            "the pattern has no directive: it would find a place and do nothing",
            "add a directive such as (#ensure-entry! @map \"KEY\" \"VALUE\"), or (#held! @node)");
      } else if (!shape.directives.empty() && shape.is_held()) {
        error_at(rule, pattern.range, "held-with-directive",
                 "a #held! pattern says how the place looks when it holds; it takes no directive",
                 "put the directive into a pattern of its own");
      }
      if (first_capture(pattern).empty()) {
        error_at(rule, pattern.range, "no-capture", "the pattern captures no node",
                 "write @name behind the node that the rule is about");
      }
      if (std::ranges::none_of(query.predicates(index), is_anchor)) {
        error_at(rule, pattern.range, "no-anchor",
                 "the pattern has no anchor: it would match everywhere",
                 "tie it to a name: (#eq? @name \"TABLE\"), #match?, #any-of?, #reads?, #in-scope? "
                 "or #in-path?");
      }
    }
    rule.shapes.push_back(std::move(shape));
  }

  /// A directive that takes no capture has the target of the others, else the first capture.
  static void give_targets(const PatternText& pattern, Shape& shape) {
    const auto named = std::ranges::find_if(
        shape.directives, [](const Directive& one) { return !one.capture.empty(); });
    const auto target = named == shape.directives.end() ? first_capture(pattern) : named->capture;
    for (auto& directive : shape.directives) {
      if (directive.capture.empty()) directive.capture = target;
    }
  }

  /// The rule's file for reading what stands beside it.
  std::string rule_file(const Rule& rule) const {
    return fmt::format("{}/{}.scm", folder_, rule.name);
  }

  void read_held(const Rule& rule, const PatternText& pattern, const Predicate& predicate,
                 Shape& shape) {
    const auto captures = captures_of(pattern);
    const bool fits = predicate.arguments.size() == 1 && predicate.arguments[0].is_capture &&
                      std::ranges::find(captures, predicate.arguments[0].text) != captures.end();
    if (fits)
      shape.held = predicate.arguments[0].text;
    else
      error_at(rule, predicate.place, "wrong-arguments",
               "`#held!` takes one capture of its pattern", "write (#held! @node)");
  }

  /// After remove! its pattern can match no longer, and after replace! it does not when it is
  /// anchored on the text that goes: then a #held! pattern must say what the place looks like.
  void check_held_shapes(const Rule& rule) {
    if (std::ranges::any_of(rule.shapes, &Shape::is_held)) return;
    for (const auto& shape : rule.shapes) {
      for (const auto& directive : shape.directives) {
        if (directive.kind() != DirectiveKind::remove) continue;
        error_at(rule, directive.place, "held-missing",
                 "after `#remove!` this pattern matches nothing, and that could as well mean that "
                 "upstream took the place away",
                 "add a pattern of the surroundings as they are without it: ((function_definition "
                 "name: (_) @f body: (_) @b) "
                 "(#eq? @f \"NAME\") (#lacks? @b \"TEXT\") (#held! @b))");
      }
    }
  }

  const std::string& folder_;
  Compile when_;
  Errors errors_;
};

}  // namespace

std::expected<Rule, std::vector<Diagnostic>> compile_rule(Rule rule, const std::string& folder,
                                                          Compile when) {
  return RuleCompiler(folder, when).compile(std::move(rule));
}

std::expected<Rule, std::vector<Diagnostic>> with_source(const Rule& rule, std::string source,
                                                         const std::string& folder) {
  return compile_rule({.name = rule.name,
                       .path = rule.path,
                       .reason = {},
                       .source = std::move(source),
                       .language = rule.language,
                       .settings = rule.settings,
                       .shapes = {},
                       .prefilter = {},
                       .query = std::nullopt,
                       .locked = rule.locked},
                      folder);
}

}  // namespace portpatch
