#include "syntax/language.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <tree_sitter/api.h>

#include "base/toml.h"
#include "syntax/pattern_set.h"

#define PORTPATCH_GRAMMAR(name) extern "C" const TSLanguage* tree_sitter_##name(void);
#include "grammars.inc"
#undef PORTPATCH_GRAMMAR

namespace portpatch {

namespace {

struct Grammar {
  std::string_view name;
  const TSLanguage* (*get)();
};

constexpr Grammar kGrammars[] = {
#define PORTPATCH_GRAMMAR(name) {#name, tree_sitter_##name},
#include "grammars.inc"
#undef PORTPATCH_GRAMMAR
};

struct LanguageFile {
  std::string_view path;
  std::string_view content;
};

constexpr LanguageFile kLanguageFiles[] = {
#include "language_files.inc"
};

/// The built-in data is part of the program: a mistake in it is a broken build, which the test
/// Language.EveryBuiltInDescriptionLoads finds first.
[[noreturn]] void broken_build(const Diagnostic& diagnostic) {
  std::fputs(render(diagnostic, false).c_str(), stderr);
  std::abort();
}

}  // namespace

std::string_view language_data(std::string_view language, std::string_view file) {
  const auto path = fmt::format("{}/{}", language, file);
  const auto* found = std::ranges::find(kLanguageFiles, path, &LanguageFile::path);
  return found == std::end(kLanguageFiles) ? std::string_view() : found->content;
}

/// All languages; each is loaded when it is first asked for.
class Languages {
 public:
  static const Language* find(std::string_view name);

 private:
  static std::unique_ptr<Language> load(std::string_view name, std::string_view description);
};

Language::Language() = default;
Language::~Language() = default;

bool Language::owns(std::string_view path) const {
  return std::ranges::any_of(files_, [&](const auto& glob) { return glob_matches(glob, path); });
}

std::string Language::file_ending() const {
  return files_.empty() ? "txt" : files_[0].substr(files_[0].rfind('.') + 1);
}

const std::vector<FragmentFrame>& Language::frames(std::string_view kind) const {
  static const std::vector<FragmentFrame> none;
  const auto found = frames_.find(kind);
  return found == frames_.end() ? none : found->second;
}

std::string fill_template(std::string_view entry_template, std::string_view table,
                          std::string_view key, std::string_view value) {
  const std::pair<std::string_view, std::string_view> parts[] = {
      {"{table}", table}, {"{key}", key}, {"{value}", value}};
  std::string out;
  for (std::size_t at = 0; at < entry_template.size();) {
    const auto* part = std::ranges::find_if(
        parts, [&](const auto& one) { return entry_template.substr(at).starts_with(one.first); });
    out += part == std::end(parts) ? entry_template.substr(at, 1) : part->second;
    at += part == std::end(parts) ? 1 : part->first.size();
  }
  return out;
}

bool Language::is_builtin(std::string_view name) const {
  return std::ranges::binary_search(builtins_, name);
}

bool Language::is_standard_module(std::string_view name) const {
  return std::ranges::binary_search(standard_modules_, name);
}

const std::vector<std::string>& Language::sibling_shapes(std::string_view kind) const {
  static const std::vector<std::string> none;
  const auto found = sibling_shapes_.find(kind);
  return found == sibling_shapes_.end() ? none : found->second;
}

const std::string& Language::import_template(std::string_view part) const {
  static const std::string none;
  const auto found = import_templates_.find(part);
  return found == import_templates_.end() ? none : found->second;
}

namespace {

const PatternSet& compile_once(std::once_flag& once, std::unique_ptr<PatternSet>& slot,
                               const Language& language, std::string_view text,
                               std::string_view file) {
  std::call_once(once, [&] {
    auto query = PatternSet::read(language, fmt::format("{}/{}", language.name(), file), text);
    if (!query) broken_build(query.error());
    slot = std::make_unique<PatternSet>(std::move(*query));
  });
  return *slot;
}

}  // namespace

const PatternSet& Language::roles() const {
  return compile_once(roles_once_, roles_, *this, roles_text_, "roles.scm");
}

const PatternSet& Language::checks() const {
  return compile_once(checks_once_, checks_, *this, checks_text_, "checks.scm");
}

std::unique_ptr<Language> Languages::load(std::string_view name, std::string_view description) {
  const auto toml = parse_toml(fmt::format("{}/language.toml", name), description);
  if (!toml) broken_build(toml.error());
  std::unique_ptr<Language> language(new Language);
  const auto strings = [&](std::string_view key) {
    const auto* value = toml->find(key);
    return value ? value->strings() : std::vector<std::string>();
  };
  const auto text = [&](std::string_view key) {
    const auto* value = toml->find(key);
    return value ? value->text : std::string();
  };
  const auto flag = [&](std::string_view key) {
    const auto* value = toml->find(key);
    return value && value->boolean;
  };
  language->name_ = name;
  language->title_ = text("title");
  language->aliases_ = strings("aliases");
  language->files_ = strings("files");
  language->builtins_ = strings("builtins");
  language->anchor_fields_ = strings("anchor-fields");
  std::ranges::sort(language->builtins_);
  language->standard_modules_ = strings("standard-library");
  std::ranges::sort(language->standard_modules_);
  language->empty_statement_ = text("empty-statement");
  language->definition_stand_in_ = text("definition-stand-in");
  language->conjunction_ = text("conjunction");
  language->disjunction_ = text("disjunction");
  language->whole_division_ = text("whole-division");
  if (toml->find("item-separator") != nullptr) language->item_separator_ = text("item-separator");
  language->text_delimiter_ = text("text-delimiter");
  language->parentheses_between_and_or_ = flag("parentheses-between-and-or");
  language->blocks_by_indentation_ = flag("blocks-by-indentation");
  language->has_preprocessor_ = flag("preprocessor");
  language->checks_names_ = flag("check-names");
  if (const auto* frames = toml->find("frames")) {
    for (const auto& [kind, place, list] : frames->members) {
      for (const auto& frame : list.items) {
        const auto parts = frame.strings();
        language->frames_[kind].push_back({parts.at(0), parts.at(1)});
      }
    }
  }
  if (const auto* templates = toml->find("entry-templates")) {
    for (const auto& [kind, place, value] : templates->members)
      language->templates_[kind] = value.text;
  }
  if (const auto* shapes = toml->find("sibling-shapes")) {
    for (const auto& [kind, place, list] : shapes->members)
      language->sibling_shapes_[kind] = list.strings();
  }
  if (const auto* templates = toml->find("import-templates")) {
    for (const auto& [part, place, value] : templates->members)
      language->import_templates_[part] = value.text;
  }
  language->roles_text_ = language_data(name, "roles.scm");
  language->checks_text_ = language_data(name, "checks.scm");
  const auto grammar = text("grammar");
  const auto* found = std::ranges::find(kGrammars, grammar, &Grammar::name);
  if (found == std::end(kGrammars)) {
    broken_build({.code = "no-grammar",
                  .message = fmt::format("{} names the unknown grammar {}", name, grammar)});
  }
  language->grammar_ = found->get();
  return language;
}

const Language* Languages::find(std::string_view name) {
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<Language>, std::less<>> loaded;
  const std::scoped_lock lock(mutex);
  if (const auto found = loaded.find(name); found != loaded.end()) return found->second.get();
  if (const auto description = language_data(name, "language.toml"); !description.empty()) {
    return (loaded[std::string(name)] = load(name, description)).get();
  }
  for (const auto& candidate : language_names()) {
    auto& slot = loaded[candidate];
    if (!slot) slot = load(candidate, language_data(candidate, "language.toml"));
    if (std::ranges::find(slot->aliases_, name) != slot->aliases_.end()) return slot.get();
  }
  return nullptr;
}

const Language* find_language(std::string_view name) { return Languages::find(name); }

const Language* language_owning(std::string_view path) {
  for (const auto& name : language_names()) {
    if (const auto* language = find_language(name); language->owns(path)) return language;
  }
  return nullptr;
}

std::vector<std::string> language_names() {
  std::vector<std::string> names;
  for (const auto& file : kLanguageFiles) {
    if (file.path.ends_with("/language.toml"))
      names.emplace_back(file.path.substr(0, file.path.find('/')));
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace portpatch
