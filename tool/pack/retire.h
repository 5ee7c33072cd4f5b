// Taking a rule out of its pack, with a record of why it is not needed any more.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "pack/pack.h"
#include "repo/history.h"

namespace portpatch {

/// A file of the pack that changes; nullopt where there is none.
struct PackFileChange {
  std::string name;  ///< relative to the pack's folder
  std::optional<std::string> before, after;
};

/// A rule to take out, and the upstream commit that made it needless, when known.
struct Retirement {
  const Rule* rule = nullptr;
  std::optional<CommitInfo> commit;
};

/// The changes that take the rules out of `pack`: their files and side files, their tables in
/// pack.toml, their base in pack.lock; `retired.toml` records each with its text. Fails
/// with "hand-work" when pack.toml sets up a rule otherwise than in a table of its own, or names it
/// for a companion.
[[nodiscard]] Result<std::vector<PackFileChange>> retire_rules(
    const Pack& pack, const std::vector<Retirement>& rules);

}  // namespace portpatch
