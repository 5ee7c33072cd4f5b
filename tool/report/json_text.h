// JSON as all reports print it.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace portpatch {

/// Indented, with a line break at the end. Bytes that are not UTF-8 become U+FFFD; everything
/// beyond ASCII is escaped, so that no control character of a tree reaches a terminal.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& json);

}  // namespace portpatch
