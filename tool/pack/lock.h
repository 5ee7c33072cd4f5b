// pack.lock: the base of a pack. Where each site was, and what it read, when a person last
// confirmed it; from upstream's version of the file, never from edited bytes.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace portpatch {

struct LockedSite {
  std::string commit;  ///< of upstream, full id; empty for a tree without git
  std::string path;    ///< relative to the tree
  std::string scope;   ///< scope path, for people and for the trace
  std::string text;    ///< the site's node in upstream's version
};

struct PackLock {
  std::map<std::string, std::vector<LockedSite>> rules;  ///< by the rule's name within the pack
};

/// Errors: "bad-toml", "unknown-key", "newer-format", "bad-lock" with their place.
[[nodiscard]] std::expected<PackLock, std::vector<Diagnostic>> parse_lock(std::string_view path,
                                                                          std::string_view text);
/// The text of pack.lock: sorted, stable, fit for review.
[[nodiscard]] std::string write_lock(const PackLock& lock);

}  // namespace portpatch
