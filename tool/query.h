// `portpatch query`: a rule author's lens on what a pattern matches, and what keeps it from
// matching.
#pragma once

#include "report/query_report.h"

namespace portpatch {

struct QueryRequest {
  std::string command;       ///< as it is reported
  std::string folder = ".";  ///< a folder of the tree (-C)
  std::string rev;           ///< a revision to read instead of the files on disk
  std::string pattern;       ///< query notation; empty with `rule`
  std::string rule;          ///< PACK/LANGUAGE/RULE whose patterns are run
  std::string language;      ///< empty: the one of the files in which the pattern compiles
  std::vector<std::string>
      paths;  ///< files and folders, relative to `folder`; all of the tree without any
  Progress progress;
};

/// All matches; the nearest misses when there are none. Fails with the pattern's mistakes, or
/// "which-language", "unknown-language", "outside-tree".
[[nodiscard]] std::expected<QueryReport, std::vector<Diagnostic>> run_query(
    const QueryRequest& request);

}  // namespace portpatch
