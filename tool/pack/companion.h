// A companion: C++ or CUDA code that must agree with a rule, or have an arm for a cc. It stands in
// pack.toml as [[companion]].
#pragma once

#include <string>
#include <vector>

#include "pack/toml_reader.h"
#include "syntax/cc.h"

namespace portpatch {

struct Companion {
  std::string name;                ///< for people; by default what and where it is
  std::vector<std::string> files;  ///< globs, relative to the tree

  /// What is looked at: exactly one of these is given.
  std::string table;     ///< a table keyed by cc, by its name
  std::string function;  ///< every ladder, check and condition in it
  std::string matcher;   ///< a clang-query matcher: what depends on a cc in what it matches
  std::string query;     ///< a tree-sitter query: likewise, in its first capture

  /// What must hold: `mirrors` or `gate`, or `covers` alone.
  std::string mirrors;  ///< a rule: the keys and values of its table
  std::string gate;     ///< a rule, or a Python helper: what it lets in has an arm here
  std::vector<Cc>
      covers;  ///< these have an arm; beside `mirrors` or `gate`: only these are compared
  bool range_ok = false;  ///< an arm such as `>= 100` will do
  bool else_ok = false;   ///< the else will do
};

/// A list such as ["12.0", "10.3"]; mistakes are added to the reader's errors.
[[nodiscard]] std::vector<Cc> read_ccs(TomlReader& reader, const TomlValue& table,
                                       std::string_view key);
/// Reads one table of [[companion]]; mistakes are added to the reader's errors.
[[nodiscard]] Companion read_companion(TomlReader& reader, const TomlValue& table);

}  // namespace portpatch
