// The program as a person runs it: in a scratch folder, its output caught.
#pragma once

#include <string>

#include <sys/wait.h>
#include <unistd.h>

#include "tests/report/world.h"

namespace portpatch::test {

struct Ran {
  int status = -1;
  std::string out, error;
};

/// Runs `portpatch ARGUMENTS` (a piece of shell) in `folder` of the scratch folder, below it by
/// default.
inline Ran portpatch(const Scratch& scratch, const std::string& arguments,
                     const std::string& folder = ".", const std::string& environment = "") {
  const auto line = "cd '" + scratch.path(folder) + "' && " + environment +
                    " " PORTPATCH_PROGRAM " " + arguments + " >'" + scratch.path(".out") + "' 2>'" +
                    scratch.path(".error") + "' </dev/null";
  const int status = std::system(line.c_str());
  return {.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          .out = normalised(scratch.read(".out"), scratch),
          .error = normalised(scratch.read(".error"), scratch)};
}

}  // namespace portpatch::test
