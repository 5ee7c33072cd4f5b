// Text of a directive, taken out of a file: without the indentation of the place it stood at.
#pragma once

#include <string>
#include <vector>

#include "base/text.h"
#include "syntax/source_tree.h"

namespace portpatch {

/// `range` without the indentation of its first line; lines that begin inside a string or a comment
/// stay as they are.
[[nodiscard]] std::string dedented(const SourceTree& tree, ByteRange range);

/// The range of statements (siblings, in order) with the comments that belong to them: those
/// between them, behind the last on its line, and of those directly above the first the ones not in
/// `known`.
[[nodiscard]] ByteRange with_comments(const SourceTree& tree, const std::vector<Node>& statements,
                                      const std::vector<std::string>& known);

/// The comments beside the children of `parent`, as they read.
[[nodiscard]] std::vector<std::string> comments_in(const SourceTree& tree, const Node& parent);

/// The comments of `tree` that `other` has not, in source order.
[[nodiscard]] std::vector<Node> own_comments(const SourceTree& tree, const SourceTree& other);

}  // namespace portpatch
