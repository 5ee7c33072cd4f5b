// Where headers that a file asks for lie when no compile command says so: a folder above the file,
// or its include/, csrc/ or src/, below which the header's path exists.
#pragma once

#include <string>
#include <vector>

#include "looked_at.h"

namespace portpatch::matchers {

/// The folders to be searched, sorted; `missing` are the headers' paths as the file has them.
/// `looked_at` takes each path that decided it, there or not.
[[nodiscard]] std::vector<std::string> include_roots(const std::string& file,
                                                     const std::vector<std::string>& missing,
                                                     LookedAt& looked_at);

}  // namespace portpatch::matchers
