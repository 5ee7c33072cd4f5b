// How a run ends, whether at once or after it was killed: completed or rolled back from its
// journal. The run itself and the recovery after it go through the same functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apply/journal.h"
#include "apply/session.h"
#include "base/diagnostic.h"

namespace portpatch {

enum class RunEnd {
  kCompleted,   ///< every file reads what the run wrote
  kRolledBack,  ///< every file reads what it did before; the backup is dropped
};

struct Ending {
  RunEnd end = RunEnd::kCompleted;
  Manifest manifest;
  std::optional<Diagnostic> reason = std::nullopt;  ///< why it was rolled back, if that was a fault
  std::vector<std::string> notes = {};              ///< what else a person should know
};

/// Clears up after a run of which no file has been renamed: temporaries, folders, backup, journal.
[[nodiscard]] Result<void> abandon_run(Session& session, const Journal& journal);

/// Renames what is not yet renamed of a run past its commit point, or, where that cannot be, puts
/// back what is. Fails with "interrupted-run-conflict", changing nothing, where a file reads
/// neither what it did before the run nor what it wrote.
[[nodiscard]] Result<Ending> complete_run(Session& session, Journal journal);

/// Ends the run that the journal tells of, and then one that moved HEAD, unless it is this
/// process's own; nullopt when there is none.
[[nodiscard]] Result<std::optional<Ending>> recover(Session& session);

/// What recover() did, as a sentence.
[[nodiscard]] std::string describe(const Ending& ending);

}  // namespace portpatch
