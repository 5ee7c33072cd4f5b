// Nothing is written that was not verified: the new tree is the old tree plus exactly the edit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "edit/step.h"
#include "edit/tree_compare.h"
#include "locate/parsed_file.h"

namespace portpatch {

/// What was planned for a file in one pass.
struct PlannedEdits {
  std::vector<TextEdit> edits;  ///< sorted, not overlapping
  std::vector<Allowance> allowed;
  std::vector<std::size_t> readings;  ///< the readings in which their sites were found
  bool takes_names = false;           ///< definitions go: what used them must have gone as well
};

/// Why `after` must not be written in place of `before`: a tree that differs beyond the edit, new
/// syntax errors, a language check, a name that is not visible. Nothing when it may.
[[nodiscard]] std::optional<Diagnostic> objection(const ParsedFile& before, const ParsedFile& after,
                                                  const PlannedEdits& planned, const Rule& rule);

}  // namespace portpatch
