// The finding stage: where each rule's sites are, and how they were found.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "locate/scan.h"
#include "locate/trace.h"

namespace portpatch {

struct LocatedRule {
  enum class How {
    kAtBase,    ///< at the locked paths, as often as expected: no scan was needed
    kByScan,    ///< in the whole tree, as often as expected, and the lock agrees or says nothing
    kFollowed,  ///< elsewhere than at the base, and the trace came to the same places
    kMoved,     ///< where the trace came to; the query had to be rewritten to match there
    kNoQuery,   ///< the trace came to a place that the query cannot be rewritten for
    kNamesake,  ///< as often as expected, but not where the base was, and the trace does not agree
    kMiscount,  ///< more or fewer sites than expected
    kNowhere,   ///< no site at all
    kFailed,    ///< a file of the rule could not be read: nothing is known
  };
  const Pack* pack = nullptr;
  const Rule* rule = nullptr;  ///< the pack's, or `rewritten`
  How how = How::kNowhere;
  std::vector<Site> sites;                ///< in path order
  std::vector<std::string> tried;         ///< the locked paths that were looked at first
  std::string failure;                    ///< for kFailed and kNoQuery
  std::vector<Trace> traces;              ///< of the locked sites that were not in place
  std::shared_ptr<const Rule> rewritten;  ///< for kMoved; `rule` points to it
  const Rule* original = nullptr;         ///< the pack's

  /// Is there a place for each site that the rule expects?
  [[nodiscard]] bool is_found() const {
    return how == How::kAtBase || how == How::kByScan || how == How::kFollowed ||
           how == How::kMoved;
  }
  /// Must a person agree to the place? Where the query itself still matches and the history shows
  /// that it is the same thing, nobody need be asked.
  [[nodiscard]] bool asks(bool accept_moves) const;
};

/// Searches the whole tree for rules; what scan_tree() does.
using Search = std::function<Result<ScanResult>(const WorkTree&, const std::vector<const Rule*>&,
                                                const ScanOptions&, FileStore&)>;

struct LocateOptions {
  bool use_base = true;   ///< false only in tests: always scan
  bool use_trace = true;  ///< follow sites that are not at their base
  ScanOptions scan;
  Search search = scan_tree;  ///< a caller that knows what earlier searches found brings its own
  TraceMemory* traces = nullptr;                    ///< of other trees of the repository
  std::function<bool(const Rule&)> is_wanted = {};  ///< which rules are looked for; all when empty
};

struct LocateResult {
  std::vector<LocatedRule> rules;  ///< in the order of packs and rules
  std::vector<SkippedFile> skipped;
  std::size_t files_read = 0, files_parsed = 0;  ///< by the scan; 0 when there was none
};

/// Finds the sites of all rules of `packs`: first at the paths of the base, then for the rules that
/// are not there as expected in the whole tree, then by the trace. `store` keeps the files with
/// sites.
[[nodiscard]] Result<LocateResult> locate_rules(const WorkTree& tree,
                                                const std::vector<Pack>& packs,
                                                const LocateOptions& options, FileStore& store);

}  // namespace portpatch
