// The capture: changes of the work tree, of a commit or of a range become rules of a pack.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "locate/scan.h"
#include "report/capture.h"

namespace portpatch {

struct CaptureRequest {
  std::string command;       ///< as it is recorded: "capture --pack rules/local"
  std::string folder = ".";  ///< a folder of the tree (-C)
  std::string what;          ///< a commit, "A..B", or empty: the work tree's changes against HEAD
  std::vector<std::string> paths;  ///< only these files and folders; all when empty
  std::string pack;                ///< its folder; made when there is none
  std::string
      amend;  ///< a rule of the pack that is to say what the tree says now; empty: new rules
  bool fixture = false;  ///< also write a test of the pack, its files before and after
  bool dry_run = false;
  Progress progress = {};
};

/// Captures what the request names and writes the rules into the pack, unless it is a dry run. What
/// the pack's own rules bring about already is not captured again. Fails with the mistakes of the
/// pack, or with what was wrong with the tree or the revision; then nothing was written.
[[nodiscard]] std::expected<CaptureReport, std::vector<Diagnostic>> capture(
    const CaptureRequest& request);

}  // namespace portpatch
