// Bodies of functions that no name of interest stands in are blanked before a file is parsed: parsing is
// what an inventory costs, and most of a file is such bodies.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "syntax/language.h"

namespace portpatch {

/// `text` with those bodies as blanks (in Python as `0`, a statement), of the same length and with the same lines.
/// `names` are sorted. What is not certainly a whole body stays.
[[nodiscard]] std::string without_idle_bodies(const Language& language, std::string_view text, const std::vector<ByteRange>& names);

}  // namespace portpatch
