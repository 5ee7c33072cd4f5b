#include "pack/toml_reader.h"

#include <algorithm>

#include <fmt/format.h>

namespace portpatch {

void TomlReader::fail(std::string code, LineColumn place, std::string message, std::string remedy) {
  std::size_t begin = 0;
  for (std::size_t line = 1; line < place.line && begin < text_.size(); ++line) {
    const auto newline = text_.find('\n', begin);
    begin = newline == std::string_view::npos ? text_.size() : newline + 1;
  }
  begin = std::min(begin + (place.column > 0 ? place.column - 1 : 0), text_.size());
  const auto end = std::min(text_.find_first_of(" \t\r\n=]", begin), text_.size());
  errors_.push_back({.code = std::move(code),
                     .message = std::move(message),
                     .place = place_of(path_, text_, {begin, end}),
                     .remedy = std::move(remedy)});
}

void TomlReader::check_keys(const TomlValue& table, std::initializer_list<std::string_view> known) {
  const std::vector<std::string> names(known.begin(), known.end());
  for (const auto& member : table.members) {
    if (std::ranges::find(names, member.key) != names.end()) continue;
    const auto near = nearest(member.key, names);
    fail("unknown-key", member.place, fmt::format("unknown key `{}`", member.key),
         near ? fmt::format("did you mean `{}`?", *near)
              : fmt::format("known keys are: {}", join(names, ", ")));
  }
}

bool TomlReader::check_format(const TomlValue& file) {
  const auto* format = file.find("format");
  if (format == nullptr) {
    fail("bad-value", LineColumn{}, "`format = 1` is missing",
         "write `format = 1` as its first line");
  } else if (format->kind != TomlValue::Kind::kInteger || format->integer < 1) {
    fail("bad-value", format->place, "`format` is no format's number", "write `format = 1`");
  } else if (format->integer != 1) {
    fail("newer-format", format->place,
         fmt::format("format {} is not known to this portpatch, which knows format 1",
                     format->integer),
         "update portpatch, or use the pack's version for format 1");
    return false;
  }
  return true;
}

const TomlValue* TomlReader::find(const TomlValue& table, std::string_view key,
                                  TomlValue::Kind kind) {
  const auto* value = table.find(key);
  if (value == nullptr || value->kind == kind) return value;
  fail("bad-value", value->place,
       fmt::format("`{}` is {}, not {}", key, describe(value->kind), describe(kind)),
       fmt::format("make it {}", describe(kind)));
  return nullptr;
}

std::optional<std::string> TomlReader::text(const TomlValue& table, std::string_view key) {
  const auto* value = find(table, key, TomlValue::Kind::kString);
  return value ? std::optional(value->text) : std::nullopt;
}

std::optional<bool> TomlReader::boolean(const TomlValue& table, std::string_view key) {
  const auto* value = find(table, key, TomlValue::Kind::kBoolean);
  return value ? std::optional(value->boolean) : std::nullopt;
}

const TomlValue* TomlReader::table(const TomlValue& table, std::string_view key) {
  return find(table, key, TomlValue::Kind::kTable);
}

std::optional<std::size_t> TomlReader::word(const TomlValue& table, std::string_view key,
                                            std::initializer_list<std::string_view> words) {
  const auto given = text(table, key);
  if (!given) return std::nullopt;
  const auto* found = std::ranges::find(words, *given);
  if (found != words.end()) return found - words.begin();
  const std::vector<std::string> names(words.begin(), words.end());
  fail("bad-value", table.find(key)->place, fmt::format("`{}` is no value of `{}`", *given, key),
       fmt::format("one of: {}", join(names, ", ")));
  return std::nullopt;
}

std::vector<std::string> TomlReader::texts(const TomlValue& table, std::string_view key) {
  const auto* value = find(table, key, TomlValue::Kind::kArray);
  if (value == nullptr) return {};
  for (const auto& item : value->items) {
    if (item.kind == TomlValue::Kind::kString) continue;
    fail("bad-value", item.place,
         fmt::format("`{}` holds {}, not {}", key, describe(item.kind),
                     describe(TomlValue::Kind::kString)),
         "make it an array of strings: [\"NAME\"]");
  }
  return value->strings();
}

std::vector<const TomlValue*> TomlReader::tables(const TomlValue& array, LineColumn key_place) {
  std::vector<const TomlValue*> found;
  const bool fits = array.kind == TomlValue::Kind::kArray &&
                    std::ranges::all_of(array.items, [](const auto& item) {
                      return item.kind == TomlValue::Kind::kTable;
                    });
  if (!fits) {
    fail("bad-value", key_place, "this must be an array of tables",
         "write [[...]] above each of its tables");
    return found;
  }
  for (const auto& item : array.items) found.push_back(&item);
  return found;
}

}  // namespace portpatch
