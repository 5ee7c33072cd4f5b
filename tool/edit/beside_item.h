// insert-before! and insert-after! next to an item of a container: an argument, a parameter, an
// element or an entry.
#pragma once

#include <optional>

#include "edit/step.h"

namespace portpatch {

/// The step, when the captured node is an item; nothing when it is none, and statements are meant.
[[nodiscard]] std::optional<Step> plan_beside_item(const EditContext& context, bool in_front);
[[nodiscard]] std::optional<Step> revert_beside_item(const EditContext& context, bool in_front);

}  // namespace portpatch
