#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "base/files.h"
#include "pack/pack.h"
#include "pack/pack_files.h"
#include "pack/settings.h"

namespace portpatch {

namespace {

namespace fs = std::filesystem;
using Errors = std::vector<Diagnostic>;

/// The shapes' literals without repetition: shapes of one rule mostly require the same names.
std::vector<std::vector<std::vector<LiteralFinder>>> make_prefilter(const std::vector<Shape>& shapes) {
  std::set<std::vector<std::vector<std::string>>> different;
  for (const auto& shape : shapes) different.insert(shape.literals);
  if (different.contains({})) return {};
  std::vector<std::vector<std::vector<LiteralFinder>>> prefilter;
  for (const auto& groups : different) {
    auto& finders = prefilter.emplace_back();
    for (const auto& group : groups) {
      auto& alternatives = finders.emplace_back();
      for (const auto& literal : group) {
        // Where a shorter one is part of it, the shorter one decides.
        const bool covered = std::ranges::any_of(group, [&](const auto& other) { return other.size() < literal.size() && literal.contains(other); });
        if (!covered) alternatives.emplace_back(literal);
      }
    }
  }
  return prefilter;
}

class Loader {
 public:
  Loader(const PackPath& where, const PackFiles& files) : where_(where), files_(files) {
    pack_.path = where.typed;
    pack_.folder = where.folder;
    pack_.hash = files.hash;
  }

  std::expected<Pack, Errors> load() {
    auto settings = read_settings();
    if (is_newer()) return std::unexpected(std::move(errors_));
    auto lock = read_lock();
    for (const auto& [name, content] : files_.files) {
      if (name.ends_with(".scm")) read_rule(name, content, settings);
    }
    check_settings_name_rules(settings);
    attach_lock(std::move(lock));
    if (pack_.rules.empty() && pack_.resting.empty() && errors_.empty()) fail_without_rules();
    if (errors_.empty()) return std::move(pack_);
    std::ranges::stable_sort(errors_, {}, [](const Diagnostic& error) {
      return error.place ? std::tuple(error.place->path, error.place->line, error.place->column) : std::tuple(std::string(), 0uz, 0uz);
    });
    return std::unexpected(std::move(errors_));
  }

 private:
  std::string shown(std::string_view name) const { return fmt::format("{}/{}", where_.typed, name); }

  const std::string* content(std::string_view name) const {
    const auto found = std::ranges::find(files_.files, name, &std::pair<std::string, std::string>::first);
    return found == files_.files.end() ? nullptr : &found->second;
  }

  void add(Errors more) { errors_.insert(errors_.end(), more.begin(), more.end()); }

  PackSettings read_settings() {
    auto settings = parse_settings(shown("pack.toml"), *content("pack.toml"), errors_);
    pack_.name = settings.name.empty() ? fs::path(where_.folder).filename().string() : settings.name;
    pack_.upstream = settings.upstream;
    pack_.after_edit = settings.after_edit;
    return settings;
  }

  /// Of a format that is not known nothing else can be said.
  bool is_newer() const { return std::ranges::find(errors_, "newer-format", &Diagnostic::code) != errors_.end(); }

  PackLock read_lock() {
    const auto* text = content("pack.lock");
    if (text == nullptr) return {};
    auto lock = parse_lock(shown("pack.lock"), *text);
    if (!lock) {
      add(lock.error());
      return {};
    }
    pack_.lock_text = *text;
    return std::move(*lock);
  }

  void read_rule(const std::string& file, const std::string& text, const PackSettings& settings) {
    const auto name = file.substr(0, file.size() - 4);
    if (std::ranges::count(file, '/') != 1) {
      errors_.push_back({.code = "misplaced-rule",
                         .message = "a rule stands at PACK/LANGUAGE/RULE.scm, neither higher nor deeper",
                         .place = Place{.path = shown(file), .source = {}},
                         .remedy = fmt::format("move it to {}", shown(fmt::format("LANGUAGE/{}", file.substr(file.rfind('/') + 1))))});
      return;
    }
    all_names_.insert(name);
    if (!where_.rule.empty() && name != where_.rule) return;
    const auto folder = file.substr(0, file.find('/'));
    const auto* language = find_language(folder);
    if (language == nullptr) {
      const auto near = nearest(folder, language_names());
      errors_.push_back({.code = "unknown-language",
                         .message = fmt::format("`{}` is no language that portpatch knows", folder),
                         .place = Place{.path = shown(file), .source = {}},
                         .remedy = near ? fmt::format("did you mean the folder `{}`?", *near)
                                        : fmt::format("languages are: {}", join(language_names(), ", "))});
      return;
    }
    Rule rule{.name = name, .path = shown(file), .reason = {}, .source = text, .language = language,
              .settings = settings.defaults, .shapes = {}, .query = std::nullopt, .locked = {}};
    if (const auto found = settings.rules.find(name); found != settings.rules.end()) rule.settings = found->second.first;
    if (!rule.settings.enabled && where_.rule.empty()) {
      pack_.resting.push_back(name);
      return;
    }
    const auto before = errors_.size();
    auto query = CompiledQuery::compile(*language, rule.path, text);
    if (!query) return add_rule_errors(rule, query.error());
    rule.reason = query->text().header;
    if (query->pattern_count() == 0) {
      error_at(rule, {0, 0}, "empty-rule", "the rule has no pattern", "write a query with a directive; see rules/README.md");
    }
    for (std::size_t i = 0; i < query->pattern_count(); ++i) read_shape(rule, *query, i);
    check_held_shapes(rule);
    rule.prefilter = make_prefilter(rule.shapes);
    rule.query = std::move(*query);
    if (errors_.size() == before) pack_.rules.push_back(std::move(rule));
  }

  /// The mistakes of a query that does not compile, and those of its directives beside them.
  void add_rule_errors(const Rule& rule, Errors errors) {
    if (const auto read = read_query_text(rule.path, rule.source)) {
      for (const auto& pattern : read->patterns) {
        if (pattern.items[0].is_predicate()) continue;
        for (const auto* item : predicates_of(pattern)) {
          const auto predicate = to_predicate(*item);
          if (!predicate.name.ends_with('!') || is_mark(predicate)) continue;
          auto directive = read_directive(*rule.language, pattern, predicate, rule_file(rule), rule.source);
          if (directive || directive.error().code == "unknown-capture") continue;  // the query's mistakes name it
          directive.error().place->path = rule.path;
          errors.push_back(std::move(directive.error()));
        }
      }
    }
    std::ranges::stable_sort(errors, {}, [](const Diagnostic& one) { return std::pair(one.place->line, one.place->column); });
    add(std::move(errors));
  }

  /// A directive that is no edit: #set! says nothing to portpatch, #held! marks a pattern.
  static bool is_mark(const Predicate& predicate) { return predicate.name == "set!" || predicate.name == "held!"; }

  /// Ties a pattern to its place: without one it matches everywhere.
  static bool is_anchor(const Predicate& predicate) {
    constexpr std::string_view kNames[] = {"eq?", "any-eq?", "match?", "any-match?", "any-of?", "in-scope?", "in-path?"};
    return std::ranges::find(kNames, predicate.name) != std::end(kNames) && !predicate.arguments.back().is_capture;
  }

  void error_at(const Rule& rule, ByteRange range, std::string code, std::string message, std::string remedy) {
    errors_.push_back({.code = std::move(code),
                       .message = std::move(message),
                       .place = place_of(rule.path, rule.source, range),
                       .remedy = std::move(remedy)});
  }

  void read_shape(Rule& rule, const CompiledQuery& query, std::size_t index) {
    const auto& pattern = query.text().patterns[index];
    Shape shape{.directives = {}, .held = {}, .literals = required_literals(pattern)};
    const auto before = errors_.size();
    for (const auto& predicate : query.directives(index)) {
      if (predicate.name == "set!") continue;
      if (predicate.name == "held!") {
        read_held(rule, pattern, predicate, shape);
        continue;
      }
      auto directive = read_directive(*rule.language, pattern, predicate, rule_file(rule), rule.source);
      if (directive) {
        shape.directives.push_back(std::move(*directive));
      } else {
        errors_.push_back(directive.error());
        if (errors_.back().place) errors_.back().place->path = rule.path;
      }
    }
    if (errors_.size() == before) {
      if (shape.directives.empty() && !shape.is_held()) {
        error_at(rule, pattern.range, "no-directive", "the pattern has no directive: it would find a place and do nothing",
                 "add a directive such as (#ensure-entry! @map \"KEY\" \"VALUE\"), or (#held! @node)");
      } else if (!shape.directives.empty() && shape.is_held()) {
        error_at(rule, pattern.range, "held-with-directive", "a #held! pattern says how the place looks when it holds; it takes no directive",
                 "put the directive into a pattern of its own");
      }
      if (std::ranges::none_of(query.predicates(index), is_anchor)) {
        error_at(rule, pattern.range, "no-anchor", "the pattern has no anchor: it would match everywhere",
                 "tie it to a name: (#eq? @name \"TABLE\"), #match?, #any-of?, #in-scope? or #in-path?");
      }
    }
    rule.shapes.push_back(std::move(shape));
  }

  /// The rule's file for reading what stands beside it.
  std::string rule_file(const Rule& rule) const { return fmt::format("{}/{}.scm", where_.folder, rule.name); }

  void read_held(const Rule& rule, const PatternText& pattern, const Predicate& predicate, Shape& shape) {
    const auto captures = captures_of(pattern);
    const bool fits = predicate.arguments.size() == 1 && predicate.arguments[0].is_capture &&
                      std::ranges::find(captures, predicate.arguments[0].text) != captures.end();
    if (fits) shape.held = predicate.arguments[0].text;
    else error_at(rule, predicate.place, "wrong-arguments", "`#held!` takes one capture of its pattern", "write (#held! @node)");
  }

  /// After remove! its pattern can match no longer, and after replace! it does not when it is
  /// anchored on the text that goes: then a #held! pattern must say what the place looks like.
  void check_held_shapes(const Rule& rule) {
    if (std::ranges::any_of(rule.shapes, &Shape::is_held)) return;
    for (const auto& shape : rule.shapes) {
      for (const auto& directive : shape.directives) {
        if (directive.kind() != DirectiveKind::remove) continue;
        error_at(rule, directive.place, "held-missing",
                 "after `#remove!` this pattern matches nothing, and that could as well mean that upstream took the place away",
                 "add a pattern of the surroundings as they are without it: ((function_definition name: (_) @f body: (_) @b) "
                 "(#eq? @f \"NAME\") (#lacks? @b \"TEXT\") (#held! @b))");
      }
    }
  }

  void check_settings_name_rules(const PackSettings& settings) {
    for (const auto& [name, setting] : settings.rules) {
      if (all_names_.contains(name)) continue;
      const auto near = nearest(name, {all_names_.begin(), all_names_.end()});
      errors_.push_back({.code = "unknown-rule",
                         .message = fmt::format("the pack has no rule `{}`", name),
                         .place = setting.second,
                         .remedy = near ? fmt::format("did you mean `{}`?", *near) : "remove the table, or add the rule"});
    }
  }

  void attach_lock(PackLock lock) {
    for (auto& rule : pack_.rules) {
      if (auto found = lock.rules.find(rule.name); found != lock.rules.end()) rule.locked = found->second;
    }
    pack_.lock = std::move(lock);
  }

  void fail_without_rules() {
    std::vector<std::string> names(all_names_.begin(), all_names_.end());
    const auto near = nearest(where_.rule, names);
    errors_.push_back(where_.rule.empty()
        ? Diagnostic{.code = "no-rules", .message = fmt::format("the pack {} has no rules", where_.typed),
                     .remedy = "a rule is a file LANGUAGE/NAME.scm in the pack; see rules/README.md"}
        : Diagnostic{.code = "unknown-rule", .message = fmt::format("the pack {} has no rule `{}`", where_.typed, where_.rule),
                     .remedy = near ? fmt::format("did you mean `{}`?", *near) : fmt::format("its rules are: {}", join(names, ", "))});
  }

  const PackPath& where_;
  const PackFiles& files_;
  Pack pack_;
  Errors errors_;
  std::set<std::string> all_names_;
};

}  // namespace

std::expected<Pack, Errors> load_pack(std::string_view path) {
  const auto where = find_pack(path);
  if (!where) return std::unexpected(Errors{where.error()});
  const auto files = read_pack_files(*where);
  if (!files) return std::unexpected(Errors{files.error()});
  return Loader(*where, *files).load();
}

std::expected<std::vector<Pack>, Errors> load_packs(const std::vector<std::string>& paths) {
  std::vector<Pack> packs;
  Errors errors;
  for (const auto& path : paths) {
    auto pack = load_pack(path);
    if (pack) packs.push_back(std::move(*pack));
    else errors.insert(errors.end(), pack.error().begin(), pack.error().end());
  }
  if (!errors.empty()) return std::unexpected(std::move(errors));
  return packs;
}

}  // namespace portpatch
