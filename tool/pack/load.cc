#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "pack/pack.h"
#include "pack/pack_files.h"
#include "pack/settings.h"

namespace portpatch {

namespace {

namespace fs = std::filesystem;
using Errors = std::vector<Diagnostic>;

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
    compile_rules();
    // The files' order differs: "sizes-2.scm" stands before "sizes.scm".
    std::ranges::stable_sort(pack_.rules, {}, &Rule::name);
    check_settings_name_rules(settings);
    check_companions_name_rules();
    attach_lock(std::move(lock));
    const bool serves_checks = !pack_.companions.empty() || !pack_.cc.empty();
    if (pack_.rules.empty() && pack_.resting.empty() && (!serves_checks || !where_.rule.empty()) &&
        errors_.empty())
      fail_without_rules();
    if (errors_.empty()) return std::move(pack_);
    std::ranges::stable_sort(errors_, {}, [](const Diagnostic& error) {
      return error.place ? std::tuple(error.place->path, error.place->line, error.place->column)
                         : std::tuple(std::string(), 0uz, 0uz);
    });
    return std::unexpected(std::move(errors_));
  }

 private:
  std::string shown(std::string_view name) const {
    return fmt::format("{}/{}", where_.typed, name);
  }

  const std::string* content(std::string_view name) const {
    const auto found = std::ranges::find(files_.files, name,
                                         &std::pair<std::string, std::string>::first);
    return found == files_.files.end() ? nullptr : &found->second;
  }

  void add(Errors more) { errors_.insert(errors_.end(), more.begin(), more.end()); }

  PackSettings read_settings() {
    auto settings = parse_settings(shown("pack.toml"), *content("pack.toml"), errors_);
    pack_.name = settings.name.empty() ? fs::path(where_.folder).filename().string()
                                       : settings.name;
    pack_.upstream = settings.upstream;
    pack_.after_edit = settings.after_edit;
    pack_.cc = settings.cc;
    pack_.companions = settings.companions;
    // Of one rule, only what goes with it.
    if (!where_.rule.empty())
      std::erase_if(pack_.companions, [&](const Companion& one) {
        return one.mirrors != where_.rule && one.gate != where_.rule;
      });
    return settings;
  }

  /// Of a format that is not known nothing else can be said.
  bool is_newer() const {
    return std::ranges::find(errors_, "newer-format", &Diagnostic::code) != errors_.end();
  }

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
      errors_.push_back(
          {.code = "misplaced-rule",
           .message = "a rule stands at PACK/LANGUAGE/RULE.scm, neither higher nor deeper",
           .place = Place{.path = shown(file), .source = {}},
           .remedy = fmt::format(
               "move it to {}",
               shown(fmt::format("LANGUAGE/{}", file.substr(file.rfind('/') + 1))))});
      return;
    }
    all_names_.insert(name);
    if (!where_.rule.empty() && name != where_.rule) return;
    const auto folder = file.substr(0, file.find('/'));
    const auto* language = find_language(folder);
    if (language == nullptr) {
      const auto near = nearest(folder, language_names());
      errors_.push_back(
          {.code = "unknown-language",
           .message = fmt::format("`{}` is no language that portpatch knows", folder),
           .place = Place{.path = shown(file), .source = {}},
           .remedy = near ? fmt::format("did you mean the folder `{}`?", *near)
                          : fmt::format("languages are: {}", join(language_names(), ", "))});
      return;
    }
    Rule rule{.name = name,
              .path = shown(file),
              .reason = {},
              .source = text,
              .language = language,
              .settings = settings.defaults,
              .shapes = {},
              .query = std::nullopt,
              .locked = {}};
    if (const auto found = settings.rules.find(name); found != settings.rules.end())
      rule.settings = found->second.first;
    if (!rule.settings.enabled && where_.rule.empty()) {
      pack_.resting.push_back(name);
      return;
    }
    pack_.rules.push_back(std::move(rule));
  }

  /// In groups of one language; where a group does not compile as one, each rule is asked alone,
  /// for its mistakes. Few rules are compiled at once: they will mostly be run.
  void compile_rules() {
    constexpr std::size_t kFew = 4, kGroup = 256;
    std::ranges::stable_sort(pack_.rules, {},
                             [](const Rule& rule) { return rule.language->name(); });
    auto rules = std::exchange(pack_.rules, {});
    for (auto rest = std::span(rules); !rest.empty();) {
      std::vector<std::string_view> texts;
      for (const auto& rule : rest.first(std::min(kGroup, rest.size()))) {
        if (rule.language == rest[0].language) texts.push_back(rule.source);
      }
      const auto when = texts.size() > kFew && compile_together(*rest[0].language, texts)
                            ? Compile::kOnFirstRun
                            : Compile::kNow;
      for (auto& rule : rest.first(texts.size())) {
        auto compiled = compile_rule(std::move(rule), where_.folder, when);
        if (compiled)
          pack_.rules.push_back(std::move(*compiled));
        else
          add(std::move(compiled.error()));
      }
      rest = rest.subspan(texts.size());
    }
  }

  void check_settings_name_rules(const PackSettings& settings) {
    for (const auto& [name, setting] : settings.rules) {
      if (all_names_.contains(name)) continue;
      const auto near = nearest(name, {all_names_.begin(), all_names_.end()});
      errors_.push_back({.code = "unknown-rule",
                         .message = fmt::format("the pack has no rule `{}`", name),
                         .place = setting.second,
                         .remedy = near ? fmt::format("did you mean `{}`?", *near)
                                        : "remove the table, or add the rule"});
    }
  }

  /// A gate without a slash is a helper.
  void check_companions_name_rules() {
    for (const auto& companion : pack_.companions) {
      const auto& name = companion.mirrors.empty() ? companion.gate : companion.mirrors;
      const bool is_rule = !companion.mirrors.empty() || name.contains('/');
      if (!is_rule || all_names_.contains(name)) continue;
      const auto near = nearest(name, {all_names_.begin(), all_names_.end()});
      errors_.push_back(
          {.code = "unknown-rule",
           .message = fmt::format("the companion {} names the rule `{}`, which the pack has not",
                                  companion.name, name),
           .place = Place{.path = shown("pack.toml"), .source = {}},
           .remedy = near ? fmt::format("did you mean `{}`?", *near)
                          : "name a rule as LANGUAGE/RULE"});
    }
  }

  void attach_lock(PackLock lock) {
    for (auto& rule : pack_.rules) {
      if (auto found = lock.rules.find(rule.name); found != lock.rules.end())
        rule.locked = found->second;
    }
    pack_.lock = std::move(lock);
  }

  void fail_without_rules() {
    std::vector<std::string> names(all_names_.begin(), all_names_.end());
    const auto near = nearest(where_.rule, names);
    errors_.push_back(
        where_.rule.empty()
            ? Diagnostic{.code = "no-rules",
                         .message = fmt::format("the pack {} has no rules, companions or cc",
                                                where_.typed),
                         .remedy =
                             "a rule is a file LANGUAGE/NAME.scm in the pack; see rules/README.md"}
            : Diagnostic{
                  .code = "unknown-rule",
                  .message = fmt::format("the pack {} has no rule `{}`", where_.typed, where_.rule),
                  .remedy = near ? fmt::format("did you mean `{}`?", *near)
                                 : fmt::format("its rules are: {}", join(names, ", "))});
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

namespace {

/// A rule that is named twice, as PACK PACK or PACK PACK/RULE, would be judged and told twice.
void check_named_once(const std::vector<Pack>& packs, Errors& errors) {
  std::map<std::string, const Pack*> seen;
  for (const auto& pack : packs) {
    for (const auto& rule : pack.rules) {
      const auto [first, is_new] = seen.try_emplace(pack.folder + "/" + rule.name, &pack);
      if (is_new) continue;
      errors.push_back({.code = "named-twice",
                        .message = fmt::format("{} and {} both name the rule `{}`",
                                               first->second->path, pack.path, rule.name),
                        .remedy = "name each pack or rule once"});
      return;
    }
  }
}

}  // namespace

std::expected<std::vector<Pack>, Errors> load_packs(const std::vector<std::string>& paths) {
  std::vector<Pack> packs;
  Errors errors;
  for (const auto& path : paths) {
    auto pack = load_pack(path);
    if (pack)
      packs.push_back(std::move(*pack));
    else
      errors.insert(errors.end(), pack.error().begin(), pack.error().end());
  }
  check_named_once(packs, errors);
  if (!errors.empty()) return std::unexpected(std::move(errors));
  return packs;
}

std::vector<const Rule*> rules_of(const std::vector<Pack>& packs) {
  std::vector<const Rule*> rules;
  for (const auto& pack : packs) {
    for (const auto& rule : pack.rules) rules.push_back(&rule);
  }
  return rules;
}

}  // namespace portpatch
