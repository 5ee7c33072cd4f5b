// Modules that upstream renamed, as the imports of a file show it.
#pragma once

#include <map>
#include <string>

#include "locate/commit_files.h"
#include "locate/parsed_file.h"

namespace portpatch {

/// Dotted module paths, the old to the new one.
using ModuleRenames = std::map<std::string, std::string>;

/// What imports of `before` and `after` prove: the same names came from the old module and come
/// from the new one now, and nothing comes from the old one any more. The paths are cut to the part
/// that differs: `kit.details.flags` that became `kit.info.flags` renames `kit.details`. Paths for
/// which two statements say different things are left out.
[[nodiscard]] ModuleRenames renamed_modules(const ParsedFile& before, const ParsedFile& after);

/// `module` with its beginning renamed; itself when no rename concerns it.
[[nodiscard]] std::string renamed(const std::string& module, const ModuleRenames& renames);

/// What the imports of the files that named `module` at the base prove, when no file of the target
/// does. Nothing where that cannot be known, as a file of the target cannot be read.
[[nodiscard]] ModuleRenames renames_of(CommitFiles& files, const Language& language,
                                       const std::string& base, const std::string& target,
                                       const std::string& module);

}  // namespace portpatch
