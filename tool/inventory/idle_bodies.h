// What an inventory need not see is blanked before a file is parsed: comments, docstrings, and
// bodies of functions that no name of interest stands in. Parsing is what an inventory costs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "syntax/language.h"

namespace portpatch {

/// `text` with its comments as blanks, and in Python docstrings as `0`, a statement; of the same
/// length and with the same lines.
[[nodiscard]] std::string without_remarks(const Language& language, std::string_view text);

/// `text` with those bodies as blanks (in Python as `0`, a statement), of the same length and with
/// the same lines. `names` are sorted. What is not certainly a whole body stays.
[[nodiscard]] std::string without_idle_bodies(const Language& language, std::string_view text,
                                              const std::vector<ByteRange>& names);

}  // namespace portpatch
