#include "pack/retire.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/files.h"
#include "base/toml.h"
#include "pack/pack_files.h"

namespace portpatch {

namespace {

constexpr const char* kRecord = "retired.toml";
constexpr const char* kHeader =
    "# Rules that are not needed any more, since upstream says what they said. Written by\n"
    "# `portpatch retire`; to bring one back, save its source as LANGUAGE/NAME.scm.\n"
    "format = 1\n";

/// `text` of pack.toml without the table of `rule`: from its header to the next one. Comments
/// behind a blank line are the next one's.
std::string without_table(std::string_view text, std::string_view rule) {
  std::string out, behind;
  bool inside = false, is_over = false;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const auto line = text.substr(at, end - at), code = trim(line);
    if (code.starts_with('[')) {
      inside = code == fmt::format("[rules.\"{}\"]", rule) ||
               code == fmt::format("[rules.'{}']", rule);
      out += std::exchange(behind, {});
      is_over = false;
    }
    if (!inside) {
      out += line;
    } else if (code.empty() || code.starts_with('#')) {
      if (is_over) behind += line;
      is_over |= code.empty();
    } else {
      behind.clear();
      is_over = false;
    }
    at = end;
  }
  out += behind;
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

/// Does pack.toml still set the rule up?
bool names_rule(std::string_view text, std::string_view rule) {
  const auto toml = parse_toml("pack.toml", text);
  const auto* rules = toml ? toml->find("rules") : nullptr;
  return rules != nullptr && rules->find(rule) != nullptr;
}

std::string record_of(const Retirement& retirement) {
  const auto& rule = *retirement.rule;
  auto text = fmt::format("\n[[retired]]\nrule = {}\nreason = {}\n", toml_string(rule.name),
                          toml_string(rule.reason));
  if (const auto& commit = retirement.commit) {
    text += fmt::format("commit = {}\ndate = {}\nsubject = {}\n", toml_string(commit->id),
                        toml_string(commit->date), toml_string(commit->subject));
  }
  return text + fmt::format("source = {}\n", toml_string(rule.source));
}

}  // namespace

Result<std::vector<PackFileChange>> retire_rules(const Pack& pack,
                                                 const std::vector<Retirement>& rules) {
  for (const auto& companion : pack.companions) {
    const auto named = std::ranges::find_if(rules, [&](const Retirement& one) {
      return one.rule->name == companion.mirrors || one.rule->name == companion.gate;
    });
    if (named != rules.end()) {
      return failure("hand-work",
                     fmt::format("the companion {} of {} names {}", companion.name, pack.path,
                                 named->rule->name),
                     "take the companion out of pack.toml, or let it name another rule or helper");
    }
  }
  std::vector<PackFileChange> changes;
  const auto settings = read_file(pack.folder + "/pack.toml");
  if (!settings) return std::unexpected(settings.error());
  auto new_settings = *settings;
  auto lock = pack.lock;
  const auto record = read_file_if_there(pack.folder + "/" + kRecord);
  if (!record) return std::unexpected(record.error());
  auto new_record = record->value_or(kHeader);
  for (const auto& retirement : rules) {
    const auto& rule = *retirement.rule;
    changes.push_back({rule.name + ".scm", rule.source, std::nullopt});
    const auto beside = side_files(pack.folder, rule.name);
    if (!beside) return std::unexpected(beside.error());
    for (const auto& name : *beside) {
      auto text = read_file(pack.folder + "/" + name);
      if (!text) return std::unexpected(text.error());
      changes.push_back({name, std::move(*text), std::nullopt});
    }
    new_settings = names_rule(new_settings, rule.name) ? without_table(new_settings, rule.name)
                                                       : new_settings;
    if (names_rule(new_settings, rule.name) || !parse_toml("pack.toml", new_settings)) {
      return failure("hand-work",
                     fmt::format("pack.toml sets up {} otherwise than in a table [rules.\"{}\"]",
                                 rule.name, rule.name),
                     "take that out of pack.toml by hand, then run this again");
    }
    lock.rules.erase(rule.name);
    new_record += record_of(retirement);
  }
  if (new_settings != *settings) changes.push_back({"pack.toml", *settings, new_settings});
  if (pack.lock_text && write_lock(lock) != *pack.lock_text)
    changes.push_back({"pack.lock", pack.lock_text, write_lock(lock)});
  changes.push_back({kRecord, *record, new_record});
  return changes;
}

}  // namespace portpatch
