// Clang's syntax tree -> our own facts: the one place where the two meet.
#pragma once

#include "facts.h"

namespace clang {
class ASTContext;
}

namespace portpatch::matchers {

/// Adds what stands in the main file: functions, statements outside of them, initialisers.
/// `skipped`: ranges of the file in branches of #if that were not taken.
void collect_facts(clang::ASTContext& context, const std::vector<ByteRange>& skipped, Facts& facts);

}  // namespace portpatch::matchers
