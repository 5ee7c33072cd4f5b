// Taking back what a rule alone cannot take back (replace!, remove!): where a version of the file
// plus the rules is exactly the file, that version is the file without them.
#pragma once

#include "edit/ownership.h"
#include "edit/plan_tree.h"

namespace portpatch {

/// The texts without the rules' edits, by path, of files in which a rule says "not-invertible".
/// Tried are upstream's version, HEAD's and that of a rule's base commit; one counts when all of
/// `located`'s rules applied to it give the file byte for byte. `ownership_of` gives the upstream
/// of a pack.
[[nodiscard]] Result<std::map<std::string, std::string>> texts_without_rules(
    const LocateResult& located, FileStore& store,
    const std::function<Ownership&(const Pack&)>& ownership_of);

}  // namespace portpatch
