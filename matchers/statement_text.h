// Statements read from source text alone: what Clang drops since a name in it is unknown, and
// bodies of macros.
#pragma once

#include <string_view>
#include <vector>

#include "facts.h"

namespace portpatch::matchers {

/// The statements of `range` in `text`: if, switch, loops, return, assignments and declarations;
/// the rest is one kOther each. Directives in between are passed over.
[[nodiscard]] std::vector<Statement> read_statements(std::string_view text, ByteRange range);

}  // namespace portpatch::matchers
