// Recording the base of a rule: where its sites are and what upstream says there.
#pragma once

#include <vector>

#include "edit/ownership.h"
#include "edit/plan_tree.h"
#include "locate/locate.h"
#include "pack/lock.h"

namespace portpatch {

/// The sites of a rule that was found, for pack.lock: from upstream's version of each file; where
/// that is not known, from the file itself with the rule's edit taken out. Fails with
/// "no-base" when neither can be had.
[[nodiscard]] Result<std::vector<LockedSite>> record_base(const LocatedRule& located,
                                                          FileStore& store, Ownership& ownership);

/// Every site of the plan holds or was given what it wants.
[[nodiscard]] bool settled(const RulePlan& plan);

}  // namespace portpatch
