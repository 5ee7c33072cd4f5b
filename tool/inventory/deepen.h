// What Clang sees of files, put over what syntax shows of them.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "inventory/clang_reader.h"
#include "repo/work_tree.h"

namespace portpatch {

/// Does the file go to Clang, rather than being of a language that it does not read?
[[nodiscard]] bool is_clangs(std::string_view path);

/// Asks portpatch-cc about the C++ and CUDA files of `files`, at `tree`'s revision. Its places come
/// first; of ours those stay that it has not seen. Gives why nobody was asked: the program is not
/// there.
[[nodiscard]] Result<std::string> deepen(const WorkTree& tree, ClangOptions options,
                                         std::vector<CcFile>& files);

}  // namespace portpatch
