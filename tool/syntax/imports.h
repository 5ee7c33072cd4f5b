// Statements that import, as data: what is imported from where, and under which name. An `#include`
// is one that imports a path and binds no name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/fragment.h"
#include "syntax/source_tree.h"

namespace portpatch {

/// One thing that a statement imports.
struct ImportedName {
  std::string name;   ///< `b` of `from a import b`, `a.b` of `import a.b`, `<x>` of `#include <x>`
  std::string bound;  ///< the name that the file has for it; empty when it binds none
  bool has_alias = false;
  Node node;
};

struct ImportStatement {
  Node node;
  std::string module;  ///< of `from MODULE import`; else empty
  bool is_from = false;
  bool is_first = false;   ///< must stand before all other statements: `from __future__ import`
  bool for_types = false;  ///< stands in a block that only type checkers read
  bool is_open = false;    ///< imports whatever is there: `from a import *`
  std::vector<ImportedName> names;
  std::string comment;  ///< in a directive's text: behind it on its line

  /// What it is sorted by: the module, or the one name.
  [[nodiscard]] std::string_view target() const {
    return is_from ? std::string_view(module) : std::string_view(names[0].name);
  }
};

/// The statement `node`, which has the role kImport.
[[nodiscard]] ImportStatement read_import(const SourceTree& tree, const Node& node);

/// The imports of a directive's text, one or more; nothing when anything else stands in it. Those
/// in a block for type checkers are marked.
[[nodiscard]] std::optional<std::vector<ImportStatement>> imports_of_text(const Fragment& fragment);

/// Do both name the same module, where a relative one is seen from the file `path`?
[[nodiscard]] bool same_module(std::string_view path, std::string_view one, std::string_view other);

}  // namespace portpatch
