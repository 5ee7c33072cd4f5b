// What `portpatch check` found: each companion of the packs, and what its code lacks.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "companion/finding.h"
#include "report/report.h"

namespace portpatch {

struct CompanionReport {
  std::string pack, name;
  std::string demand;  ///< "mirrors python/sizes", "covers 12.0", "has an arm for what
                       ///< is_sm120_supported lets in"
  Agreement agreement = Agreement::kAgrees;
  std::vector<NamedPlace> places;  ///< that were looked at
  /// Of each file: "clang", "syntax only: reason".
  std::vector<std::pair<std::string, std::string>> depth;
  std::vector<CheckFinding> findings;
};

struct CheckReport {
  std::string command, root, revision;
  std::vector<CompanionReport> companions;
  std::vector<FileDiff> diffs;  ///< what --fix writes or would write
  std::string diff;             ///< the same as one unified diff
  std::string run_id, backup;
  std::vector<std::string> notes;
  bool fix = false, dry_run = false;
  std::string commit = {};  ///< full id, of `revision`

  /// 1 unless every companion agrees.
  [[nodiscard]] int exit_status() const;
};

/// The files that were seen so far and no further, by CompanionReport::depth.
using FilesByDepth = std::map<std::string, std::vector<std::string>>;
[[nodiscard]] FilesByDepth files_by_depth(const CompanionReport& companion);
/// "read by clang: a.cu, b.cu"; more than three files are counted.
[[nodiscard]] std::string depth_text(const std::string& depth,
                                     const std::vector<std::string>& paths);

[[nodiscard]] std::string write_text(const CheckReport& report, const TextStyle& style);
[[nodiscard]] std::string write_json(const CheckReport& report);

}  // namespace portpatch
