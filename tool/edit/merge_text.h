// A tree merge as edits of theirs' text: as few bytes as possible are changed, ours' pieces stand
// in theirs' indentation with the comments in front of them, theirs' comments stay.
#pragma once

#include <vector>

#include "base/diagnostic.h"
#include "edit/tree_merge.h"

namespace portpatch {

struct MergeEdits {
  std::vector<TextEdit> edits;  ///< sorted
  bool drops_comments = false;  ///< comments that ours changed or took away go with the code they
                                ///< stand in
};

/// Fails with "comment-lost" where a comment of upstream's stands in what is replaced, and with
/// "no-room" where a piece has no place in the layout.
[[nodiscard]] Result<MergeEdits> merge_edits(const SourceTree& base, const SourceTree& ours,
                                             const SourceTree& theirs,
                                             std::vector<MergeChange> changes);

}  // namespace portpatch
