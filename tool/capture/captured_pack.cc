#include "capture/captured_pack.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "base/files.h"
#include "base/toml.h"
#include "locate/sites.h"
#include "pack/pack_files.h"
#include "syntax/language.h"

namespace portpatch {

namespace {

constexpr std::size_t kLongestName = 60, kLongestTopic = 32, kLineWidth = 98;

/// "python/sglang/srt/all_reduce_utils.py" -> "all_reduce_utils"
std::string_view stem_of(std::string_view path) {
  const auto file = path.substr(path.rfind('/') + 1);
  return file.substr(0, file.find('.', 1));
}

/// The last part of "Communicator.__init__".
std::string_view last_scope(std::string_view scope) { return scope.substr(scope.rfind('.') + 1); }

std::string as_comment(const std::string& text) {
  std::string out;
  for (const auto line : split_lines(text)) {
    std::string rest(line);
    // A long line is broken at a blank.
    while (rest.size() > kLineWidth) {
      const auto at = rest.rfind(' ', kLineWidth);
      if (at == std::string::npos || at == 0) break;
      out += fmt::format("; {}\n", rest.substr(0, at));
      rest = rest.substr(at + 1);
    }
    out += rest.empty() ? ";\n" : fmt::format("; {}\n", rest);
  }
  return out;
}

std::string settings_of(const CapturedRule& rule, const std::string& group) {
  std::string lines;
  if (rule.sites.size() > 1) lines += fmt::format("expect = {}\n", rule.sites.size());
  if (!group.empty()) lines += fmt::format("group = {}\n", toml_string(group));
  if (!rule.edit.names.empty()) {
    std::vector<std::string> names;
    for (const auto& name : rule.edit.names) names.push_back(toml_string(name));
    lines += fmt::format("names = [{}]\n", join(names, ", "));
  }
  return lines.empty() ? "" : fmt::format("\n[rules.{}]\n{}", toml_key(rule.name), lines);
}

/// A name that is not in `taken`, and is from now on; with `number` it sorts by that.
std::string free_name(const CapturedRule& rule, std::size_t number,
                      std::vector<std::string>& taken) {
  const auto& edit = rule.edit;
  const bool is_in_one = std::ranges::all_of(
      rule.sites, [&](const LockedSite& site) { return site.path == edit.base.path; });
  std::string words(is_in_one ? stem_of(edit.base.path) : std::string_view());
  if (number > 0) words += fmt::format(" {:02}", number);
  if (!edit.base.scope.empty() && rule.sites.size() == 1)
    words += fmt::format(" {}", last_scope(edit.base.scope));
  words += " " + slug(edit.topic, kLongestTopic);
  const auto stem = slug(words, kLongestName);
  const auto first = fmt::format("{}/{}", rule.language->name(), stem.empty() ? "edit" : stem);
  auto name = first;
  for (int more = 2; std::ranges::find(taken, name) != taken.end(); ++more)
    name = fmt::format("{}-{}", first, more);
  taken.push_back(name);
  return name;
}

/// Equal edits at more places than this are looked for in vain: each pair is compared.
constexpr std::size_t kMostEdits = 2000;

class RuleMaker {
 public:
  RuleMaker(const std::vector<CapturedFile>& files, const std::vector<std::string>& taken)
      : files_(files), taken_(taken) {}

  std::vector<CapturedRule> take() && {
    collect();
    std::vector<Rules> choices{named(join_equal(), {}), named(edits_, {})};
    for (auto& rules : choices) {
      if (wrong_files(rules).empty()) return std::move(rules);
    }
    return named(edits_, wrong_files(choices[1]));
  }

 private:
  using Rules = std::vector<CapturedRule>;

  void collect() {
    for (const auto& file : files_) {
      for (const auto& edit : file.capture.edits)
        edits_.push_back({"", file.language, edit, {edit.base}});
    }
  }

  [[nodiscard]] static bool is_equal(const CapturedEdit& one, const CapturedEdit& other) {
    if (one.patterns.size() != other.patterns.size() || one.directive != other.directive)
      return false;
    for (std::size_t i = 0; i < one.patterns.size(); ++i) {
      if (!one.patterns[i].is_like(other.patterns[i]) ||
          one.patterns[i].directives != other.patterns[i].directives)
        return false;
    }
    return std::ranges::equal(one.beside, other.beside, [](const SideFile& a, const SideFile& b) {
      return a.name == b.name && a.text == b.text;
    });
  }

  /// Equal edits at several places, each set of them as one rule.
  [[nodiscard]] Rules join_equal() const {
    Rules rules;
    for (const auto& one : edits_) {
      const auto same = edits_.size() > kMostEdits
                            ? rules.end()
                            : std::ranges::find_if(rules, [&](const CapturedRule& rule) {
                                return rule.language == one.language &&
                                       is_equal(rule.edit, one.edit);
                              });
      if (same == rules.end()) {
        rules.push_back(one);
        continue;
      }
      for (std::size_t i = 0; i < one.edit.patterns.size(); ++i) {
        add_all(one.edit.patterns[i].scopes, same->edit.patterns[i].scopes);
        add_all(one.edit.patterns[i].paths, same->edit.patterns[i].paths);
      }
      add_all(one.edit.names, same->edit.names);
      same->edit.words.insert(one.edit.words.begin(), one.edit.words.end());
      same->edit.around.insert(one.edit.around.begin(), one.edit.around.end());
      same->edit.changed_tokens += one.edit.changed_tokens;
      same->sites.push_back(one.edit.base);
    }
    Rules checked;
    for (auto& rule : rules) {
      if (rule.sites.size() > 1) {
        auto compiled = compile_edit(*rule.language, rule.edit, rule.edit.names);
        rule.edit.rule = compiled ? std::make_shared<const Rule>(std::move(*compiled)) : nullptr;
      }
      if (rule.sites.size() < 2 || finds_its_sites(rule)) {
        checked.push_back(std::move(rule));
      } else {
        std::ranges::copy_if(edits_, std::back_inserter(checked), [&](const CapturedRule& one) {
          return one.language == rule.language && is_equal(rule.edit, one.edit);
        });
      }
    }
    return checked;
  }

  /// Does the joined rule match where its edits were captured, and nowhere else in these files?
  [[nodiscard]] bool finds_its_sites(const CapturedRule& rule) const {
    return rule.edit.rule && std::ranges::all_of(files_, [&](const CapturedFile& file) {
             const auto own = std::ranges::count(rule.sites, file.versions.path, &LockedSite::path);
             if (own == 0) return true;
             const auto parsed = ParsedFile::parse(*rule.language, file.versions.path,
                                                   file.versions.before);
             const auto sites = parsed ? find_sites(*rule.edit.rule, *parsed)
                                       : Result<std::vector<Site>>(std::vector<Site>());
             return sites && std::ssize(*sites) == own;
           });
  }

  static void add_all(const std::vector<std::string>& more, std::vector<std::string>& texts) {
    for (const auto& text : more) {
      if (std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
    }
  }

  /// The rules with names; those of the files in `numbered` with the number of the edit in its
  /// file.
  [[nodiscard]] Rules named(Rules rules, const std::vector<std::string>& numbered) const {
    auto taken = taken_;
    std::map<std::string, std::size_t> numbers;
    for (auto& rule : rules) {
      const bool has_number = std::ranges::find(numbered, rule.edit.base.path) != numbered.end();
      rule.name = free_name(rule, has_number ? ++numbers[rule.edit.base.path] : 0, taken);
    }
    return rules;
  }

  /// The files in which the rules, in the order of their names, do not give what was captured.
  [[nodiscard]] std::vector<std::string> wrong_files(const Rules& rules) const {
    std::vector<const CapturedRule*> sorted;
    for (const auto& rule : rules) sorted.push_back(&rule);
    std::ranges::sort(sorted, {}, &CapturedRule::name);
    std::vector<std::string> wrong;
    for (const auto& file : files_) {
      std::vector<const Rule*> here;
      bool is_whole = true;
      for (const auto* rule : sorted) {
        if (std::ranges::find(rule->sites, file.versions.path, &LockedSite::path) ==
            rule->sites.end())
          continue;
        is_whole &= rule->edit.rule != nullptr;
        here.push_back(rule->edit.rule.get());
      }
      if (!is_whole || !replays(file.versions, here, file.capture.text))
        wrong.push_back(file.versions.path);
    }
    return wrong;
  }

  const std::vector<CapturedFile>& files_;
  const std::vector<std::string>& taken_;
  Rules edits_;
};

}  // namespace

std::string slug(std::string_view text, std::size_t limit) {
  std::string out;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)))
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!out.empty() && out.back() != '-')
      out += '-';
    if (out.size() == limit) break;
  }
  while (out.ends_with('-')) out.pop_back();
  return out;
}

std::vector<CapturedRule> make_rules(const std::vector<CapturedFile>& files,
                                     const std::vector<std::string>& taken) {
  return RuleMaker(files, taken).take();
}

std::vector<PackFileChange> captured_files(const PackState& pack,
                                           const std::vector<CapturedRule>& rules,
                                           const std::string& reason,
                                           const std::vector<std::string>& groups) {
  std::vector<PackFileChange> changes;
  auto settings = pack.settings.value_or(
      fmt::format("format = 1\nname = {}\n", toml_string(pack.name)));
  if (!settings.ends_with('\n')) settings += '\n';
  auto lock = pack.lock;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const auto& rule = rules[i];
    changes.push_back(
        {rule.name + ".scm", std::nullopt, as_comment(reason) + query_of(rule.edit, false)});
    for (const auto& side : rule.edit.beside)
      changes.push_back(
          {fmt::format("{}.{}.{}", rule.name, side.name, rule.language->file_ending()),
           std::nullopt, side.text});
    settings += settings_of(rule, groups[i]);
    lock.rules[rule.name] = rule.sites;
  }
  if (settings != pack.settings) changes.push_back({"pack.toml", pack.settings, settings});
  changes.push_back({"pack.lock", pack.lock_text, write_lock(lock)});
  return changes;
}

Result<std::vector<PackFileChange>> amended_files(const Pack& pack, const Rule& rule,
                                                  const CapturedRule& edit) {
  std::vector<PackFileChange> changes{
      {rule.name + ".scm", rule.source, as_comment(rule.reason) + query_of(edit.edit, false)}};
  auto beside = side_files(pack.folder, rule.name);
  if (!beside) return std::unexpected(beside.error());
  auto& old_files = *beside;
  for (const auto& side : edit.edit.beside) {
    const auto name = fmt::format("{}.{}.{}", rule.name, side.name, rule.language->file_ending());
    auto before = read_file_if_there(pack.folder + "/" + name);
    if (!before) return std::unexpected(before.error());
    changes.push_back({name, std::move(*before), side.text});
    std::erase(old_files, name);
  }
  for (const auto& name : old_files) {
    auto before = read_file(pack.folder + "/" + name);
    if (!before) return std::unexpected(before.error());
    changes.push_back({name, std::move(*before), std::nullopt});
  }
  auto lock = pack.lock;
  lock.rules[rule.name] = edit.sites;
  if (pack.lock_text != write_lock(lock))
    changes.push_back({"pack.lock", pack.lock_text, write_lock(lock)});
  return changes;
}

}  // namespace portpatch
