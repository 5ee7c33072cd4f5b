// Elements inside a string literal: "9.0a;10.0".
#pragma once

#include "edit/step.h"

namespace portpatch {

/// ensure-element! where the sequence is `literal`, a string; and the way back.
[[nodiscard]] Step plan_text_element(const EditContext& context, const Node& literal);
[[nodiscard]] Step revert_text_element(const EditContext& context, const Node& literal);

}  // namespace portpatch
