// From the names of one tree that may mean a cc to the conditions, lists and tables that they stand
// in.
#pragma once

#include "inventory/cc_names.h"
#include "inventory/extract.h"

namespace portpatch {

/// Adds what the tree shows to `facts`, of which the path is set. `file_speaks`: names that are
/// often something else mean a cc in this file.
void read_tree(const SourceTree& tree, const CcNames& names, bool file_speaks,
               const ExtractContext& context, FileFacts& facts);

}  // namespace portpatch
