// Comments that came with a directive's own code and go with it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "edit/keys.h"
#include "edit/step.h"

namespace portpatch {

/// The step that takes out those of `comments` that stand directly above `code`, between its parts
/// or behind it on its last line. The code itself goes in the pass behind, so the step is
/// unfinished. Nullopt when none stands there. `parent` is what `code` stands in.
[[nodiscard]] std::optional<Step> without_own_comments(const SourceTree& tree, const Node& parent,
                                                       ByteRange code,
                                                       const std::vector<std::string>& comments);

/// The comments beside the code of a directive's text.
[[nodiscard]] std::vector<std::string> comments_of(const PayloadText& payload);
[[nodiscard]] std::vector<std::string> comments_of(const Fragment& payload);

}  // namespace portpatch
