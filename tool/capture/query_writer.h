// A captured edit's patterns as text: the place and the directive of each, shapes that the place
// may have after a refactoring, and edits at one place joined.
#pragma once

#include <string>
#include <vector>

#include "capture/anchor.h"
#include "capture/captured_edit.h"
#include "locate/parsed_file.h"

namespace portpatch {

/// Adds a pattern with `directive` at `anchor`, whose target is captured as `capture`. An argument
/// that is long, or has several lines, goes into a side file of the edit.
void add_pattern(CapturedEdit& edit, const Anchor& anchor, const std::string& capture,
                 const std::vector<std::string>& extra, const std::string& directive,
                 const std::vector<std::string>& arguments);

/// Adds the shapes that a literal may have after a refactoring, as further patterns, when the rule
/// still has its one place in the old file.
void add_siblings(const Language& language, const ParsedFile& old_file, CapturedEdit& edit);

/// Adds the edit; one at the place of another that sees for itself whether it holds becomes part of
/// that.
void add_edit(CapturedEdit edit, std::vector<CapturedEdit>& edits);

}  // namespace portpatch
