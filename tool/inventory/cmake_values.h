// What CMake puts into its variables: set(), list(APPEND), foreach().
#pragma once

#include <string>
#include <vector>

#include "syntax/source_tree.h"

namespace portpatch {

struct CMakeValues {
  std::string name;  ///< of the variable
  std::string how;   ///< APPEND of list(), nothing of set(); IN ITEMS and the like of a loop
  std::vector<ByteRange> items;  ///< in quotes and between semicolons each one is its own
  Node body;                     ///< of a loop
};

/// All of a file's, in order.
[[nodiscard]] std::vector<CMakeValues> cmake_values(const SourceTree& tree);

}  // namespace portpatch
