// TOML as plain values with their places, over toml++ (which only toml.cc sees).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"

namespace portpatch {

struct TomlValue {
  enum class Kind { kString, kInteger, kBoolean, kArray, kTable, kOther };
  struct Member;

  Kind kind = Kind::kTable;
  std::string text;  ///< of a string
  std::int64_t integer = 0;
  bool boolean = false;
  std::vector<TomlValue> items;  ///< of an array
  std::vector<Member> members;   ///< of a table, in the order of their places
  LineColumn place;

  /// The member called `key`, or nullptr.
  [[nodiscard]] const TomlValue* find(std::string_view key) const;
  /// The strings of an array of strings (others are left out), or the one of a string.
  [[nodiscard]] std::vector<std::string> strings() const;
};

struct TomlValue::Member {
  std::string key;
  LineColumn place;  ///< of the key
  TomlValue value;
};

/// Fails with "bad-toml" at the place of the first mistake; `path` is for the message only.
[[nodiscard]] Result<TomlValue> parse_toml(std::string_view path, std::string_view text);

/// `text` as a TOML string: a multi-line literal where that reads better and can be had, else a
/// basic one. TOML is UTF-8: other bytes become U+FFFD (base/utf8.h has what can be had back).
[[nodiscard]] std::string toml_string(std::string_view text);
/// The same as a key, which takes one line.
[[nodiscard]] std::string toml_key(std::string_view text);

/// "a string", "an integer", ... for messages.
[[nodiscard]] std::string_view describe(TomlValue::Kind kind);

}  // namespace portpatch
