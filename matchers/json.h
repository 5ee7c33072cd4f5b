// The one output: JSON, format 1, described in README.md.
#pragma once

#include <string>
#include <string_view>

#include "analysis.h"

namespace portpatch::matchers {

/// One file's object, on one line for each place; what stands at the paths that were looked at is
/// read now.
[[nodiscard]] std::string file_json(const FileReport& report, std::string_view shown_path,
                                    std::string_view text);

/// The whole document around the files' objects.
[[nodiscard]] std::string document_json(const std::vector<Capability>& capabilities,
                                        const std::vector<std::string>& files);

}  // namespace portpatch::matchers
