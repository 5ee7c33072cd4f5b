// Does a C++ table say what the table of a rule says?
#pragma once

#include <string>
#include <vector>

#include "companion/cc_table.h"
#include "companion/finding.h"
#include "companion/judge_places.h"
#include "inventory/place.h"
#include "pack/companion.h"

namespace portpatch {

/// A table and where it is.
struct PlacedTable {
  std::string path, name;
  CcTable table;

  [[nodiscard]] NamedPlace at(std::size_t line) const { return {path, line, name}; }
};

/// `theirs` is the rule's. Of what the C++ table lacks, the row to be added is given, in the words
/// of `module` (the C++ file) where its names mean the same. `places`: Clang's, whose values count
/// where ours cannot be read.
[[nodiscard]] std::vector<CheckFinding> judge_mirror(const Companion& companion,
                                                     const PlacedTable& ours,
                                                     const PlacedTable& theirs,
                                                     const SourceTree& module,
                                                     const std::vector<CcPlace>& places);
/// Says which of the table's keys could not be read, if any.
void add_unread(const PlacedTable& table, std::vector<CheckFinding>& findings);
/// Has the list an element for each cc that is let in?
[[nodiscard]] std::vector<CheckFinding> judge_list(const Companion& companion,
                                                   const PlacedTable& ours,
                                                   const std::optional<Gate>& gate);
/// The table as a place, for judge_places(): each row is an arm.
[[nodiscard]] CcPlace as_place(const PlacedTable& table);

}  // namespace portpatch
