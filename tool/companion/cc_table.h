// Tables keyed by cc, and lists of cc, as data, whatever the language writes them in, so that a
// Python dict can be compared with a C++ initialiser.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inventory/cc_keys.h"
#include "locate/parsed_file.h"
#include "syntax/code_value.h"

namespace portpatch {

/// A constant, or a list of data; a map is a list of pairs of which the order says nothing.
struct Datum {
  std::optional<Constant> constant = std::nullopt;
  bool is_list = false, is_map = false;
  std::vector<Datum> items = {};
  std::string text = {};  ///< as spelled
};

enum class Same { kYes, kNo, kUnknown };

/// Floating numbers are equal within a millionth; a truth value equals its number. Unknown where a
/// part of either is no constant and the rest does not differ.
[[nodiscard]] Same compare(const Datum& one, const Datum& other);

struct CcRow {
  KeyMeaning key;
  std::string key_text;  ///< as spelled
  Datum value;
  std::size_t line = 0;
};

struct CcTable {
  std::size_t line = 0;
  ByteRange range;       ///< of the container
  bool is_list = false;  ///< of cc alone: its rows have no values
  std::vector<CcRow> rows;
  std::vector<std::string>
      unread;  ///< keys that say no cc, stand twice, or depend on the preprocessor

  /// The row for `cc`: the one that names it, else the one of its family (12 for 12.1).
  [[nodiscard]] const CcRow* find(const Cc& cc) const;
};

/// The table that `node` is or holds; nothing when it is none.
[[nodiscard]] std::optional<CcTable> read_table(const SourceTree& tree, const Node& node);
struct NamedTables {
  std::vector<CcTable> tables;
  std::vector<std::size_t>
      unread;  ///< lines at which something of that name is defined that is no such table
};
/// What is called `name` in the file.
[[nodiscard]] NamedTables tables_named(const SourceTree& tree, std::string_view name);

/// `key` as a cc for people: "12.0", or "12.x" for a whole family.
[[nodiscard]] std::string describe(const KeyMeaning& key);

}  // namespace portpatch
