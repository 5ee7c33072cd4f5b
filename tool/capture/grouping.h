// Which captured rules stand or fall together: those that would leave the code broken, or saying
// half of something, without one another.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "capture/captured_pack.h"

namespace portpatch {

/// For each rule the name of its group, empty when it needs no other. Tied are edits inside one
/// function, edits that share a name which a changed file did not have before or has no longer, and
/// an edit with those that bring a name which it takes for granted. `topic` names the groups; when
/// it is empty, each has the name of its first rule.
[[nodiscard]] std::vector<std::string> groups_of(const std::vector<CapturedRule>& rules,
                                                 const std::vector<CapturedFile>& files,
                                                 const std::string& topic);

/// The functions that `node` is in, and the ladder of the preprocessor that is nearer, each as
/// "path:offset": what is in one of them belongs together.
[[nodiscard]] std::set<std::string> homes_of(const SourceTree& tree, const std::string& path,
                                             Node node);

}  // namespace portpatch
