// What may follow on a command line that is being typed: asked for by the scripts of
// packaging/completions, which leave files and folders to their shell.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace portpatch {

struct Completion {
  std::vector<std::pair<std::string, std::string>> words;  ///< each with what it means
  /// What the shell adds: "files", "folders", "packs" (folders and *.scm), or nothing.
  std::string_view files = {};
};

/// `words` stand behind `portpatch`, the last one being the one under the cursor, perhaps empty.
/// Never fails: where nothing is known, nothing is offered.
[[nodiscard]] Completion complete(const std::vector<std::string>& words);

}  // namespace portpatch
