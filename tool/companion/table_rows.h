// Rows that a C++ table lacks, or elements of a list, written by #ensure-entry! and
// #ensure-element!, planned and verified as a rule's edits are.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "locate/parsed_file.h"

namespace portpatch {

struct NewRow {
  std::string key;    ///< "cc:12.0", spelled as its siblings spell theirs
  std::string value;  ///< C++ code; empty: an element of a list
  bool operator==(const NewRow&) const = default;
};

/// The whole text of `file` in which the table called `name` has the rows, in place of rows with
/// another value; else why that cannot be done.
[[nodiscard]] std::expected<std::string, std::string> with_rows(const ParsedFile& file,
                                                                const std::string& name,
                                                                const std::vector<NewRow>& rows);

}  // namespace portpatch
