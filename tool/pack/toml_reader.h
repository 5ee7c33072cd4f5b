// Reads the tables of pack.toml and pack.lock and collects every mistake with its place.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/toml.h"

namespace portpatch {

class TomlReader {
 public:
  TomlReader(std::string_view path, std::string_view text) : path_(path), text_(text) {}

  /// "unknown-key" for each member that is not in `known`, with the nearest name.
  void check_keys(const TomlValue& table, std::initializer_list<std::string_view> known);
  /// "newer-format" when `format` is another than 1, "bad-value" when there is none. False for a
  /// newer one, whose keys would only look like mistakes.
  [[nodiscard]] bool check_format(const TomlValue& file);

  /// The member of that kind; "bad-value" and nothing when it is of another kind.
  [[nodiscard]] std::optional<std::string> text(const TomlValue& table, std::string_view key);
  [[nodiscard]] std::optional<bool> boolean(const TomlValue& table, std::string_view key);
  [[nodiscard]] const TomlValue* table(const TomlValue& table, std::string_view key);
  /// One of `words`, as its index.
  [[nodiscard]] std::optional<std::size_t> word(const TomlValue& table, std::string_view key,
                                                std::initializer_list<std::string_view> words);
  [[nodiscard]] std::vector<std::string> texts(const TomlValue& table, std::string_view key);
  /// The tables of an array of tables.
  [[nodiscard]] std::vector<const TomlValue*> tables(const TomlValue& array, LineColumn key_place);

  void fail(std::string code, LineColumn place, std::string message, std::string remedy);
  [[nodiscard]] const std::vector<Diagnostic>& errors() const { return errors_; }

 private:
  [[nodiscard]] const TomlValue* find(const TomlValue& table, std::string_view key,
                                      TomlValue::Kind kind);

  std::string_view path_, text_;
  std::vector<Diagnostic> errors_;
};

}  // namespace portpatch
