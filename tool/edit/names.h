// Are the names that inserted code uses visible where it stands?
#pragma once

#include <string>
#include <vector>

#include "base/text.h"
#include "syntax/source_tree.h"

namespace portpatch {

/// A name that is used in inserted code and is not visible there.
struct UnseenName {
  std::string name;
  std::string why;  ///< "is not defined in the file", "is defined only further down"
};

/// The unseen names in `inserted` ranges of `tree`. Visible are built-in names, `known` ones, and
/// definitions by the language's scope rules; behind an open import (`from x import *`) also names
/// that the file uses elsewhere. Empty for languages whose names come from other files.
[[nodiscard]] std::vector<UnseenName> unseen_names(const SourceTree& tree,
                                                   const std::vector<ByteRange>& inserted,
                                                   const std::vector<std::string>& known);

/// Names that `before` defines in `removed` ranges, that `after` defines nowhere any longer and
/// uses all the same.
[[nodiscard]] std::vector<std::string> orphaned_names(const SourceTree& before,
                                                      const std::vector<ByteRange>& removed,
                                                      const SourceTree& after);

}  // namespace portpatch
