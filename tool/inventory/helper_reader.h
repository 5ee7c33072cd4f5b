// Helpers: functions whose result says for which GPUs something is there. What do they let through?
#pragma once

#include <optional>

#include "inventory/cc_test_reader.h"
#include "inventory/file_facts.h"

namespace portpatch {

/// What the function `scope` returns true for; nothing when its result does not ask for a cc, or is
/// no condition.
[[nodiscard]] std::optional<HelperDefinition> read_helper(CcTestReader& reader, const Node& scope);

}  // namespace portpatch
