// `portpatch check`: do the companions of the packs, C++ and CUDA code, agree with the rules and
// the gates in Python?
#pragma once

#include <string>
#include <vector>

#include "inventory/clang_reader.h"
#include "inventory/inventory.h"
#include "locate/scan.h"
#include "report/check_report.h"

namespace portpatch {

struct CheckRequest {
  std::string command;
  std::string folder = ".";        ///< a folder of the tree (-C)
  std::string rev;                 ///< a revision to read instead of the files on disk
  std::vector<std::string> packs;  ///< as typed
  bool fix = false, dry_run = false;
  bool syntax_only = false;
  ClangOptions clang = {};  ///< -p, -I, --cuda-path
  Progress progress = {};
  InventoryMemory* memory = nullptr;  ///< shared with other looks at the repository
};

/// Fails with the mistakes of the packs, "no-companions", or what was wrong with the tree; then
/// nothing was written. With `fix` the rows that are certain are written, all files or none.
[[nodiscard]] std::expected<CheckReport, std::vector<Diagnostic>> check(
    const CheckRequest& request);

}  // namespace portpatch
