// Finding a place without its history, from the copy of it in pack.lock.
#pragma once

#include "locate/trace.h"

namespace portpatch {

/// Looks for the locked site in every file of the tree. `why` says what is missing; the trace's
/// `unknown` repeats it. Certain only when one place alone has the name, and most of the content.
[[nodiscard]] Result<Trace> match_copy(const WorkTree& tree, FileStore& store, const Rule& rule,
                                       const LockedSite& locked, const std::string& why);

}  // namespace portpatch
