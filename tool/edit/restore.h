// Taking back what a rule alone cannot take back (replace!, remove!): where upstream's version plus
// the rules is exactly the file, upstream's version is the file without them.
#pragma once

#include "edit/ownership.h"
#include "edit/plan_tree.h"

namespace portpatch {

/// For each rule that is blocked as "not-invertible": restores its files when all of `located`'s
/// rules applied to upstream's version give the file byte for byte. Changes `plan` in place.
/// `ownership_of` gives the upstream of a pack.
[[nodiscard]] std::optional<Diagnostic> restore_from_upstream(
    const LocateResult& located, FileStore& store,
    const std::function<Ownership&(const Pack&)>& ownership_of, TreePlan& plan);

}  // namespace portpatch
