// A rule whose place has moved, rewritten to match where it is now: the author's own query with its
// anchors (names, scopes, paths) as the new place has them.
#pragma once

#include "locate/footprint.h"
#include "locate/parsed_file.h"
#include "pack/pack.h"

namespace portpatch {

/// The rule with its query changed so that it matches `place` in `file`; nullopt when it does
/// already. Fails with "no-rewrite", saying why, when its shape does not fit the place any more.
[[nodiscard]] Result<std::optional<Rule>> rewrite_rule(const Rule& rule,
                                                       const std::string& pack_folder,
                                                       const ParsedFile& file,
                                                       const Footprint& place);

}  // namespace portpatch
