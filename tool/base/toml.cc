#include "base/toml.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
// Of a broken text toml++ asserts, or without assertions assumes, what it then finds not to be so:
// `[` alone in its line.
#undef NDEBUG
#define TOML_ASSERT(condition) static_assert(true)
#include <toml++/toml.h>

#include "base/utf8.h"

namespace portpatch {

namespace {

/// toml++ counts columns in characters, portpatch in bytes.
class Converter {
 public:
  explicit Converter(std::string_view text) : text_(text) {
    for (auto at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
      lines_.push_back(at + 1);
  }

  [[nodiscard]] LineColumn at(const toml::source_position& position) const {
    if (position.line == 0) return {};
    auto at = position.line <= lines_.size() ? lines_[position.line - 1] : text_.size();
    const auto begin = at;
    for (std::size_t column = 1; column < position.column && at < text_.size(); ++column) {
      do ++at;
      while (at < text_.size() && (static_cast<unsigned char>(text_[at]) & 0xC0) == 0x80);
    }
    return {position.line, at - begin + 1};
  }

  [[nodiscard]] std::size_t offset(const toml::source_position& position) const {
    const auto [line, column] = at(position);
    return line <= lines_.size() ? lines_[line - 1] + column - 1 : text_.size();
  }

  [[nodiscard]] TomlValue convert(const toml::node& node) const;

 private:
  std::string_view text_;
  std::vector<std::size_t> lines_{0};  ///< where each begins
};

TomlValue Converter::convert(const toml::node& node) const {
  TomlValue value;
  value.place = at(node.source().begin);
  if (const auto* text = node.as_string()) {
    value.kind = TomlValue::Kind::kString;
    value.text = text->get();
  } else if (const auto* integer = node.as_integer()) {
    value.kind = TomlValue::Kind::kInteger;
    value.integer = integer->get();
  } else if (const auto* boolean = node.as_boolean()) {
    value.kind = TomlValue::Kind::kBoolean;
    value.boolean = boolean->get();
  } else if (const auto* array = node.as_array()) {
    value.kind = TomlValue::Kind::kArray;
    for (const auto& item : *array) value.items.push_back(convert(item));
  } else if (const auto* table = node.as_table()) {
    value.kind = TomlValue::Kind::kTable;
    for (const auto& [key, item] : *table) {
      value.members.push_back({std::string(key.str()), at(key.source().begin), convert(item)});
    }
    std::ranges::sort(value.members, [](const auto& a, const auto& b) {
      return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
    });
  } else {
    value.kind = TomlValue::Kind::kOther;
  }
  return value;
}

}  // namespace

const TomlValue* TomlValue::find(std::string_view key) const {
  const auto found = std::ranges::find(members, key, &Member::key);
  return found == members.end() ? nullptr : &found->value;
}

std::vector<std::string> TomlValue::strings() const {
  if (kind == Kind::kString) return {text};
  std::vector<std::string> result;
  for (const auto& item : items) {
    if (item.kind == Kind::kString) result.push_back(item.text);
  }
  return result;
}

Result<TomlValue> parse_toml(std::string_view path, std::string_view text) {
  try {
    return Converter(text).convert(toml::parse(text, path));
  } catch (const toml::parse_error& error) {
    const auto begin = Converter(text).offset(error.source().begin);
    return std::unexpected(Diagnostic{.code = "bad-toml",
                                      .message = std::string(error.description()),
                                      .place = place_of(path, text, {begin, begin + 1}),
                                      .remedy = "mend the TOML syntax here"});
  }
}

std::string toml_key(std::string_view text) {
  if (!is_utf8(text)) return toml_key(readable_utf8(text));
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += fmt::format("\\{}", c);
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (c == '\r')
      out += "\\r";
    else if (byte < 0x20 || byte == 0x7F)
      out += fmt::format("\\u{:04X}", byte);
    else
      out += c;
  }
  return out + '"';
}

std::string toml_string(std::string_view text) {
  if (!is_utf8(text)) return toml_string(readable_utf8(text));
  const bool plain = std::ranges::all_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 ? byte != 0x7F : (c == '\n' || c == '\t');
  });
  if (plain && text.contains('\n') && !text.contains("'''") && !text.ends_with('\'')) {
    return fmt::format("'''\n{}'''", text);
  }
  return toml_key(text);
}

std::string_view describe(TomlValue::Kind kind) {
  switch (kind) {
    case TomlValue::Kind::kString:
      return "a string";
    case TomlValue::Kind::kInteger:
      return "an integer";
    case TomlValue::Kind::kBoolean:
      return "true or false";
    case TomlValue::Kind::kArray:
      return "an array";
    case TomlValue::Kind::kTable:
      return "a table";
    case TomlValue::Kind::kOther:
      break;
  }
  return "a value of another kind";
}

}  // namespace portpatch
