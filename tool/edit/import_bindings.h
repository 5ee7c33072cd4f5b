// Does a file import this already, and does anything else have the name?
#pragma once

#include <vector>

#include "locate/parsed_file.h"
#include "syntax/imports.h"

namespace portpatch {

/// Under what an import stands.
enum class ImportReach {
  kAlways,
  kTypes,        ///< read by type checkers only
  kFallback,     ///< in a try block that catches its failure
  kConditional,  ///< under another condition
};

/// An import of the file outside of its functions and classes.
struct PresentImport {
  ImportStatement statement;
  ImportReach reach = ImportReach::kAlways;
  Node attempt;  ///< the try block, for kFallback
};

/// In source order.
[[nodiscard]] std::vector<PresentImport> present_imports(const ParsedFile& file);

/// Do both import the same thing under the same name?
[[nodiscard]] bool same_import(std::string_view path, const ImportStatement& present,
                               const ImportedName& present_name, const ImportStatement& wanted,
                               const ImportedName& wanted_name);

struct ImportState {
  enum class Kind { kHeld, kMissing, kConditional, kTaken };
  Kind kind = Kind::kMissing;
  Node node = {};  ///< what holds, is conditional, or has the name
};

/// What `file` makes of one name of a statement that it is to have.
[[nodiscard]] ImportState state_of(const ParsedFile& file,
                                   const std::vector<PresentImport>& present,
                                   const ImportStatement& wanted, const ImportedName& name);

}  // namespace portpatch
