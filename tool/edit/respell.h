// Upstream may change how it writes things, not what it says: key 9 becomes "9.0" or (9, 0), MiB
// becomes MB or a number, a list becomes a tuple or a frozenset. A directive that was written in
// the old spelling follows, when its siblings show the new one beyond doubt.
#pragma once

#include <optional>

#include "edit/step.h"

namespace portpatch {

/// The directive with its texts as the siblings spell them now; nullopt when nothing changed, or
/// the base's copy in pack.lock does not tell. Fails with "spelling-changed" when they are spelled
/// in another way than at the base, and how to spell ours cannot be told.
[[nodiscard]] Result<std::optional<Directive>> respell(const EditContext& context);

}  // namespace portpatch
