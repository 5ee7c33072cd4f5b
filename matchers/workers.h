// Files in child processes, so that a crash of Clang, or a file without end, costs that file and no
// other.
#pragma once

#include <string>
#include <vector>

#include "options.h"

namespace portpatch::matchers {

/// The JSON object of each of `options.files`, in their order.
[[nodiscard]] std::vector<std::string> analyse_files(const CcOptions& options);

}  // namespace portpatch::matchers
