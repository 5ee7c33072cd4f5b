// What compile_commands.json says of a file: the flags that matter for reading it, and what it is
// built for.
#pragma once

#include <string>
#include <vector>

#include "looked_at.h"

namespace portpatch::matchers {

struct CompileCommand {
  std::vector<std::string>
      arguments;  ///< -I, -isystem, -iquote, -D, -U, -include, -std; folders made absolute
  std::vector<std::string>
      architectures;  ///< of -gencode and its like, as spelled: sm_90a, compute_120
};

/// Of `path` in `build`/compile_commands.json; empty when the file is not there, is no list of
/// commands, or does not name it. `looked_at` takes the files that this was read from, there or
/// not.
[[nodiscard]] CompileCommand compile_command(const std::string& build, const std::string& path,
                                             LookedAt& looked_at);

/// The same of a command's words, which ran in `folder`; @file and --options-file are read.
[[nodiscard]] CompileCommand read_command(const std::vector<std::string>& words,
                                          const std::string& folder, LookedAt& looked_at);

}  // namespace portpatch::matchers
