// The finding stage: where each rule's sites are, and how they were found.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "locate/scan.h"

namespace portpatch {

struct LocatedRule {
  enum class How {
    kAtBase,     ///< at the locked paths, as often as expected: no scan was needed
    kByScan,     ///< in the whole tree, as often as expected, and the lock agrees or says nothing
    kElsewhere,  ///< as often as expected, but not where the base was
    kMiscount,   ///< more or fewer sites than expected
    kNowhere,    ///< no site at all
    kFailed,     ///< a file of the rule could not be read: nothing is known
  };
  const Pack* pack = nullptr;
  const Rule* rule = nullptr;
  How how = How::kNowhere;
  std::vector<Site> sites;    ///< in path order
  std::vector<std::string> tried;  ///< the locked paths that were looked at first
  std::string failure;        ///< for kFailed
};

/// Searches the whole tree for rules; what scan_tree() does.
using Search = std::function<Result<ScanResult>(const WorkTree&, const std::vector<const Rule*>&, const ScanOptions&, FileStore&)>;

struct LocateOptions {
  bool use_base = true;  ///< false only in tests: always scan
  ScanOptions scan;
  Search search = scan_tree;  ///< a caller that knows what earlier searches found brings its own
  std::function<bool(const Rule&)> is_wanted = {};  ///< which rules are looked for; all when empty
};

struct LocateResult {
  std::vector<LocatedRule> rules;  ///< in the order of packs and rules
  std::vector<SkippedFile> skipped;
  std::size_t files_read = 0, files_parsed = 0;  ///< by the scan; 0 when there was none
};

/// Finds the sites of all rules of `packs`: first at the paths of the base, then for the rules that
/// are not there as expected in the whole tree. `store` keeps the files with sites.
[[nodiscard]] Result<LocateResult> locate_rules(const WorkTree& tree, const std::vector<Pack>& packs,
                                                const LocateOptions& options, FileStore& store);

}  // namespace portpatch
