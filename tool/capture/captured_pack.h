// Captured edits as files of a pack: names, queries with the comment at their top, settings, base.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "capture/capture_file.h"
#include "pack/lock.h"
#include "pack/retire.h"

namespace portpatch {

/// A captured edit, or equal ones at several places, with the name that its rule gets.
struct CapturedRule {
  std::string name;  ///< "python/all-reduce-utils-max-sizes-12", within the pack
  const Language* language = nullptr;
  CapturedEdit edit;
  std::vector<LockedSite> sites;
};

/// A file of the change, with what was captured in it.
struct CapturedFile {
  const Language* language = nullptr;
  FileVersions versions;
  FileCapture capture;
};

/// The rules of all files, named; names in `taken` are in use. Equal edits at several places are
/// one rule. Rules are applied in the order of their names: where that does not give what the edits
/// in their own order give, the names of that file are numbered.
[[nodiscard]] std::vector<CapturedRule> make_rules(const std::vector<CapturedFile>& files,
                                                   const std::vector<std::string>& taken);

/// What the pack is now, as far as a capture changes it.
struct PackState {
  std::string name;                     ///< of a new pack
  std::optional<std::string> settings;  ///< pack.toml; nullopt: there is no pack yet
  std::optional<std::string> lock_text;
  PackLock lock;
};

/// The files that bring `rules` into the pack. `reason` stands at the top of each rule; `groups`
/// holds one name a rule, empty for none.
[[nodiscard]] std::vector<PackFileChange> captured_files(const PackState& pack,
                                                         const std::vector<CapturedRule>& rules,
                                                         const std::string& reason,
                                                         const std::vector<std::string>& groups);

/// The files that make `rule` of the pack say `edit`; what pack.toml says of it stays.
[[nodiscard]] Result<std::vector<PackFileChange>> amended_files(const Pack& pack, const Rule& rule,
                                                                const CapturedRule& edit);

/// Words of `text` joined by hyphens, in lower case, fit for a file name.
[[nodiscard]] std::string slug(std::string_view text, std::size_t limit);

}  // namespace portpatch
