#include "pack/settings.h"

#include <charconv>

#include <fmt/format.h>

#include "pack/toml_reader.h"
#include "syntax/cc_condition.h"

namespace portpatch {

namespace {

std::optional<Expect> parse_expect(const TomlValue& value) {
  if (value.kind == TomlValue::Kind::kInteger && value.integer >= 1) {
    const auto count = static_cast<std::size_t>(value.integer);
    return Expect{count, count};
  }
  if (value.kind != TomlValue::Kind::kString) return std::nullopt;
  const std::string_view text = value.text;
  if (text == "all") return Expect{1, SIZE_MAX};
  const auto dots = text.find("..");
  Expect expect;
  const auto number = [](std::string_view digits, std::size_t& out) {
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    return error == std::errc() && stop == digits.data() + digits.size();
  };
  if (dots == std::string_view::npos) {
    if (!number(text, expect.least)) return std::nullopt;
    expect.most = expect.least;
  } else if (!number(text.substr(0, dots), expect.least) ||
             !number(text.substr(dots + 2), expect.most)) {
    return std::nullopt;
  }
  if (expect.least < 1 || expect.most < expect.least) return std::nullopt;
  return expect;
}

/// NAME = "12.0": over what is there already.
void read_helpers(TomlReader& reader, const TomlValue& table, RuleSettings& settings) {
  for (const auto& [name, place, value] : table.members) {
    if (value.kind == TomlValue::Kind::kString && parse_cc_set(value.text))
      settings.helpers[name] = value.text;
    else
      reader.fail("bad-value", value.place,
                  fmt::format("`{}` does not say for which compute capabilities it is true", name),
                  "write \"12.0\", \"12\", \">=9.0\" or \"10.0..10.3\"");
  }
}

/// The keys that may stand in [defaults] and in [rules."..."], over what `settings` already says.
void read_rule_settings(TomlReader& reader, const TomlValue& table, RuleSettings& settings) {
  reader.check_keys(table, {"enabled", "expect", "group", "on-conflict", "relocate", "names",
                            "helpers", "owner", "hardware", "upstream-pull-request", "after-edit"});
  settings.enabled = reader.boolean(table, "enabled").value_or(settings.enabled);
  if (const auto* value = table.find("expect")) {
    if (const auto expect = parse_expect(*value))
      settings.expect = *expect;
    else
      reader.fail("bad-value", value->place, "`expect` is no number of sites that a rule can have",
                  "write 1, 2, \"1..3\" or \"all\"");
  }
  settings.group = reader.text(table, "group").value_or(settings.group);
  if (const auto word = reader.word(table, "on-conflict", {"stop", "keep-upstream", "override"})) {
    settings.on_conflict = static_cast<OnConflict>(*word);
  }
  if (const auto word = reader.word(table, "relocate", {"ask", "auto", "never"})) {
    settings.relocate = static_cast<Relocate>(*word);
  }
  if (table.find("names")) settings.names = reader.texts(table, "names");
  if (const auto* helpers = reader.table(table, "helpers"))
    read_helpers(reader, *helpers, settings);
  settings.owner = reader.text(table, "owner").value_or(settings.owner);
  settings.hardware = reader.text(table, "hardware").value_or(settings.hardware);
  settings.upstream_pull_request = reader.text(table, "upstream-pull-request")
                                       .value_or(settings.upstream_pull_request);
  settings.after_edit = reader.text(table, "after-edit").value_or(settings.after_edit);
}

}  // namespace

std::string describe(const Expect& expect) {
  if (!expect.is_number()) return "all";
  return expect.least == expect.most ? std::to_string(expect.least)
                                     : fmt::format("{}..{}", expect.least, expect.most);
}

PackSettings parse_settings(std::string_view path, std::string_view text,
                            std::vector<Diagnostic>& errors) {
  PackSettings settings;
  const auto toml = parse_toml(path, text);
  if (!toml) {
    errors.push_back(toml.error());
    return settings;
  }
  TomlReader reader(path, text);
  if (!reader.check_format(*toml)) {
    errors.insert(errors.end(), reader.errors().begin(), reader.errors().end());
    return settings;
  }
  reader.check_keys(
      *toml, {"format", "name", "upstream", "after-edit", "cc", "defaults", "rules", "companion"});
  settings.name = reader.text(*toml, "name").value_or("");
  settings.upstream = reader.text(*toml, "upstream").value_or("");
  settings.after_edit = reader.text(*toml, "after-edit").value_or("");
  settings.cc = read_ccs(reader, *toml, "cc");
  if (const auto* defaults = reader.table(*toml, "defaults"))
    read_rule_settings(reader, *defaults, settings.defaults);
  if (const auto* rules = reader.table(*toml, "rules")) {
    for (const auto& [name, place, table] : rules->members) {
      if (table.kind != TomlValue::Kind::kTable) {
        reader.fail("bad-value", place, fmt::format("`{}` must be a table", name),
                    "write [rules.\"LANGUAGE/RULE\"] above its settings");
        continue;
      }
      auto one = settings.defaults;
      read_rule_settings(reader, table, one);
      settings.rules[name] = {one,
                              Place{std::string(path), place.line, place.column,
                                    std::string(split_lines(text)[place.line - 1]), name.size()}};
    }
  }
  if (const auto* companions = toml->find("companion")) {
    for (const auto* table : reader.tables(*companions, companions->place))
      settings.companions.push_back(read_companion(reader, *table));
  }
  errors.insert(errors.end(), reader.errors().begin(), reader.errors().end());
  return settings;
}

}  // namespace portpatch
