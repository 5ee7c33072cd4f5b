// Where a statement that imports goes in a file: blocks, sections, and the top of a file without
// any.
#pragma once

#include <optional>
#include <vector>

#include "edit/import_order.h"
#include "locate/parsed_file.h"

namespace portpatch {

/// Statements in a row, without a blank line between them.
struct ImportBlock {
  std::vector<ImportStatement> statements;
  std::vector<ImportKey> keys;  ///< as many
};

/// The statements of one block of code, with the imports among them.
struct ImportZone {
  Node container;  ///< the file, its include guard, or a block for type checkers
  std::vector<Node> statements;
  std::vector<ImportBlock> blocks;  ///< those in front of the first function or class; else all
  bool for_types = false;

  /// The zone of the file itself, or its first block for type checkers; nothing when there is none.
  [[nodiscard]] static std::optional<ImportZone> find(const ParsedFile& file, bool for_types);
};

/// Beside which node a new statement goes, and what blank lines it needs.
struct ImportPlace {
  Node anchor;  ///< null: into a file without statements
  bool is_behind = true;
  bool is_own_block = false;            ///< blank lines to its neighbours
  int blanks_after = 0;                 ///< in front of code that is no import
  std::optional<StatementOrder> order;  ///< of the block that it joins
};

/// In the block of its section, where the order of that block puts it; else as a block of its own,
/// or at the top of a file without imports.
[[nodiscard]] ImportPlace place_of_import(const ParsedFile& file, const ImportZone& zone,
                                          const ImportKey& key);

}  // namespace portpatch
