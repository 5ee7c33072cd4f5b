#include "capture/captured_pack.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "base/toml.h"
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
  if (!group.empty()) lines += fmt::format("group = {}\n", toml_string(group));
  if (!rule.edit.names.empty()) {
    std::vector<std::string> names;
    for (const auto& name : rule.edit.names) names.push_back(toml_string(name));
    lines += fmt::format("names = [{}]\n", join(names, ", "));
  }
  return lines.empty() ? "" : fmt::format("\n[rules.{}]\n{}", toml_string(rule.name), lines);
}

/// A name that is not in `taken`, and is from now on; with `number` it sorts by that.
std::string free_name(const std::string& language, const CapturedEdit& edit, std::size_t number, std::vector<std::string>& taken) {
  std::string words(stem_of(edit.base.path));
  if (number > 0) words += fmt::format(" {:02}", number);
  if (!edit.base.scope.empty()) words += fmt::format(" {}", last_scope(edit.base.scope));
  words += " " + slug(edit.topic, kLongestTopic);
  const auto stem = slug(words, kLongestName);
  const auto first = fmt::format("{}/{}", language, stem.empty() ? "edit" : stem);
  auto name = first;
  for (int more = 2; std::ranges::find(taken, name) != taken.end(); ++more) name = fmt::format("{}-{}", first, more);
  taken.push_back(name);
  return name;
}

}  // namespace

std::string slug(std::string_view text, std::size_t limit) {
  std::string out;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c))) out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!out.empty() && out.back() != '-') out += '-';
    if (out.size() == limit) break;
  }
  while (out.ends_with('-')) out.pop_back();
  return out;
}

std::vector<CapturedRule> name_rules(const Language& language, const FileVersions& file, const FileCapture& capture, std::vector<std::string>& taken) {
  for (const bool numbered : {false, true}) {
    auto names = taken;
    std::vector<CapturedRule> rules;
    for (const auto& edit : capture.edits) {
      rules.push_back({free_name(language.name(), edit, numbered ? rules.size() + 1 : 0, names), language.name(), edit});
    }
    std::vector<const CapturedRule*> sorted;
    for (const auto& rule : rules) sorted.push_back(&rule);
    std::ranges::sort(sorted, {}, &CapturedRule::name);
    std::vector<const CapturedEdit*> edits;
    for (const auto* rule : sorted) edits.push_back(&rule->edit);
    if (!numbered && !replays(language, file, edits, capture.text)) continue;
    taken = std::move(names);
    return rules;
  }
  return {};
}

std::vector<PackFileChange> captured_files(const PackState& pack, const std::vector<CapturedRule>& rules, const std::string& reason,
                                           const std::string& group) {
  std::vector<PackFileChange> changes;
  auto settings = pack.settings.value_or(fmt::format("format = 1\nname = {}\n", toml_string(pack.name)));
  if (!settings.ends_with('\n')) settings += '\n';
  auto lock = pack.lock;
  for (const auto& rule : rules) {
    changes.push_back({rule.name + ".scm", std::nullopt, as_comment(reason) + query_of(rule.edit, false)});
    const auto* language = find_language(rule.language);
    for (const auto& side : rule.edit.beside) changes.push_back({fmt::format("{}.{}.{}", rule.name, side.name, language->file_ending()), std::nullopt, side.text});
    settings += settings_of(rule, rules.size() > 1 ? group : "");
    lock.rules[rule.name] = {rule.edit.base};
  }
  if (settings != pack.settings) changes.push_back({"pack.toml", pack.settings, settings});
  changes.push_back({"pack.lock", pack.lock_text, write_lock(lock)});
  return changes;
}

}  // namespace portpatch
