// Rules that stand in inputs. Most mutations leave the rule as it is, and to compile a query costs
// more than all that is done with it.
#pragma once

#include <string>

#include "pack/pack.h"
#include "syntax/language.h"

namespace portpatch::fuzz {

/// The rule that `source` is; nullptr where it is none. Valid until many others were compiled.
[[nodiscard]] const Rule* compiled_rule(const Language& language, const std::string& source);

}  // namespace portpatch::fuzz
