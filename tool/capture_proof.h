// The proof of a capture: the pack as it will be, run on the tree as it was.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "capture/captured_pack.h"

namespace portpatch {

struct ProofRequest {
  std::string folder;  ///< of the tree (-C)
  std::string base;    ///< the commit before the change
  std::string pack;    ///< its folder; may be absent
};

/// The captured files that the pack, with `changes` made to it, does not turn into what was
/// captured, each with the reason. Fails with what running it fails with.
[[nodiscard]] Result<std::map<std::string, std::string>> unproven_files(
    const ProofRequest& request, const std::vector<PackFileChange>& changes,
    const std::vector<CapturedFile>& files);

/// A fixture of the pack: the captured files as they were and as the pack makes them.
[[nodiscard]] std::vector<PackFileChange> fixture_files(
    const std::string& name, const std::vector<CapturedFile>& files,
    const std::map<std::string, std::string>& originals);

/// What is wrong with the fixtures among `changes` when `portpatch test` runs them; empty: nothing.
[[nodiscard]] Result<std::vector<std::string>> fixture_mistakes(
    const ProofRequest& request, const std::vector<PackFileChange>& changes);

}  // namespace portpatch
