// A clang-query matcher expression, run on one translation unit. Seen by frontend/ only.
#pragma once

#include <string>
#include <vector>

#include "frontend/parse.h"

namespace clang {
class ASTContext;
}

namespace portpatch::matchers {

/// Appends what `expression` matches in the main file; an expression that does not parse matches
/// nothing.
void run_matcher(clang::ASTContext& context, const std::string& expression,
                 std::vector<MatchedNode>& matches);

}  // namespace portpatch::matchers
