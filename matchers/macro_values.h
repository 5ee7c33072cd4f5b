// What was read from text alone knows names only: those of macros get the values that the parse has
// seen.
#pragma once

#include "facts.h"

namespace portpatch::matchers {

/// A macro's number becomes the name's value, what else it stands for the name's origin.
void bind_macros(Expression& expression, const Facts& facts);
/// The same for all statements of `facts`.
void bind_macros(Facts& facts);

}  // namespace portpatch::matchers
