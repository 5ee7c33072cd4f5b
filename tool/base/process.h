// Running another program: git, which alone knows the user's credentials and settings, and
// portpatch-cc. No shell.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"

namespace portpatch {

struct ProcessRequest {
  std::vector<std::string> arguments;  ///< the first is looked up in PATH
  std::string folder;                  ///< where it runs; empty: where this process does
  std::vector<std::string> unset;      ///< variables that it does not inherit
  std::vector<std::pair<std::string, std::string>> set;
  std::string input;         ///< what it reads on standard input
  bool show_errors = false;  ///< its standard error is this process's own, instead of a result
  std::chrono::seconds time_limit{0};  ///< after which it is killed; 0: none
  std::size_t most_output = 0;  ///< bytes on its two outputs after which it is killed; 0: none
  /// Told the process id while the program has not begun yet. When it fails, or this process dies
  /// within, the program never begins.
  std::function<Result<void>(int pid)> before_start = {};
};

struct ProcessResult {
  int status = 0;  ///< exit status; 128 + N when signal N ended it
  std::string out, error;
};

/// Runs the program to its end. An interrupt from the keyboard reaches the program but leaves this
/// process alive, so that it can put things back. Programs that the program leaves behind in the
/// background are not waited for. Fails with "no-program" when it cannot be started, with
/// "program-lost" when what it says could not be read to its end, and with "program-hangs" or
/// "endless-output" when it was killed at a limit.
[[nodiscard]] Result<ProcessResult> run_process(const ProcessRequest& request);

}  // namespace portpatch
