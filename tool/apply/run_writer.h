// One run that writes, within a session: every file of it or none.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apply/session.h"
#include "apply/transaction.h"
#include "base/diagnostic.h"

namespace portpatch {

struct FileWrite {
  FileChange change;
  std::optional<unsigned> permissions;  ///< of the file after; nullopt: those it has
};

/// As commit_changes(), in `session`, where nothing may be left of an interrupted run, unless
/// `superseded` is its journal's text, which this run then settles.
[[nodiscard]] Result<Run> write_run(Session& session, const std::vector<FileWrite>& writes,
                                    std::string_view command, std::string superseded);

/// A manifest as the run it tells of.
[[nodiscard]] Run run_of(const Manifest& manifest, const BackupStore& backups);

}  // namespace portpatch
