// What the grammar of a language accepts and the language does not: checks.scm, run on one node.
#pragma once

#include <functional>
#include <string>

#include "syntax/source_tree.h"

namespace portpatch {

/// Calls `object` with the words of every check of the language that objects to `node`. A check
/// with `(#unique! @capture)` objects to captures of the node that read the same.
void run_checks(const SourceTree& tree, const Node& node,
                const std::function<void(const std::string& words)>& object);

}  // namespace portpatch
