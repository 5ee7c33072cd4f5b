// `portpatch test`: do a pack's rules still do what its author saw them do?
#pragma once

#include "report/pack_test_report.h"

namespace portpatch {

struct PackTestRequest {
  std::string command;             ///< as it is reported
  std::string folder = ".";        ///< where the journal of --update is kept (-C)
  std::vector<std::string> packs;  ///< as typed
  bool update = false;             ///< write `after` and `outcomes` from what comes out
};

/// Runs every PACK/tests/NAME in a scratch folder, with the pack but not its lock: `before` becomes
/// `after` byte for byte with the `outcomes`, a second run changes nothing, and where all was
/// edited `unapply` gives `before` again. Nothing but the fixtures is written, and those with
/// `update` only.
[[nodiscard]] std::expected<PackTestReport, std::vector<Diagnostic>> test_packs(
    const PackTestRequest& request);

/// A timeline's rules by commits and days, the commits being those of the repository around
/// `folder`.
[[nodiscard]] std::expected<HistoryTest, std::vector<Diagnostic>> test_history(
    Timeline timeline, const std::string& folder);

}  // namespace portpatch
