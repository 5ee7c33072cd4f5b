// What upstream has done since the base that speaks against an edit which the file itself allows.
#pragma once

#include <optional>

#include "edit/ownership.h"

namespace portpatch {

/// A conflict when upstream has brought, since the rule's base and in the scope of `site`, a
/// statement that is more like one that the rule inserts than like any that upstream had there
/// before: both together would do the thing twice. Nothing otherwise, and where base or upstream
/// are not known. For the directives that insert statements.
[[nodiscard]] std::optional<Step> upstream_rival(const Rule& rule, const Site& site,
                                                 Ownership& ownership);

/// A conflict when upstream had the rule's edit at `site` at some time since the base and no longer
/// has it: to make it again would put back what upstream has changed or taken out. `original` is
/// the rule with the query that it had at its base.
[[nodiscard]] std::optional<Step> taken_out_upstream(const Rule& rule, const Rule& original,
                                                     const Site& site, Ownership& ownership);

}  // namespace portpatch
