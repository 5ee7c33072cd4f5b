// Where a definition goes in its scope, and the blank lines that it needs there.
#pragma once

#include <functional>

#include "edit/blocks.h"
#include "syntax/definitions.h"

namespace portpatch {

/// Beside which statement of a block; no anchor means that the block is empty.
struct DefinitionPlace {
  Node anchor = {};
  bool is_behind = true;
};

/// Behind `neighbour` when it is given; else: a constant behind the last one in front of all
/// functions and classes, or behind the imports (statements under a preprocessor condition, for
/// which `is_stable` is false, are passed over); a function or class at the end of the block, in
/// front of its first use where it must be seen before, in front of what stays last in a file.
/// Fails with "used-above" when the scope's name is used before the scope begins, "no-neighbour".
[[nodiscard]] Result<DefinitionPlace> place_of_definition(
    const SourceTree& tree, const Node& block, const Definition& wanted, const Node& neighbour,
    const std::function<bool(const Node&)>& is_stable);

/// The definition's lines with blank lines in front and behind, as the block's own definitions have
/// them.
[[nodiscard]] CodeLines with_house_gaps(const SourceTree& tree, const Node& block,
                                        const DefinitionPlace& place, const Definition& wanted,
                                        CodeLines lines);

}  // namespace portpatch
