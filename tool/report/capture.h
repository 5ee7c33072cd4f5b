// What a capture made of a change, as data, and its writers.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace portpatch {

/// A place beside those of a rule.
struct OtherPlace {
  std::string path;
  std::size_t line = 0;
  std::string scope;
};

/// A rule that was captured.
struct CapturedLine {
  std::string rule;       ///< "python/max-sizes-12"
  std::string directive;  ///< "ensure-entry!"
  std::string path;
  std::size_t line = 0;
  std::string scope;
  std::string why;         ///< why this directive and this anchor
  std::size_t places = 1;  ///< at which the same edit stands
  std::size_t changed_tokens = 0, payload_tokens = 0;
  std::string group = {};  ///< of rules that stand or fall together; empty: it stands alone
  /// What its query matches in the tree beside its own places.
  std::vector<OtherPlace> namesakes = {};
  std::vector<OtherPlace> further = {};  ///< like its several places; the change did not touch them
};

/// A piece of the change that no rule says, or a file that was left out.
struct UncapturedLine {
  std::string path;
  std::size_t line = 0;    ///< 0: the whole file
  bool is_in_old = false;  ///< something went: the line is one of the old file
  std::string text, reason;
  std::size_t changed_tokens = 0;
};

struct CaptureReport {
  std::string command, root, pack;
  std::string source;  ///< what was captured: "3c2fe9baf10a (2026-08-18) subject", "the work tree's
                       ///< changes"
  std::vector<CapturedLine> rules;
  std::vector<UncapturedLine> uncaptured;
  std::vector<std::pair<std::string, std::string>> unchanged;  ///< files that need no rule, and why
  std::vector<FileDiff> diffs;                                 ///< of the pack
  std::string diff;                                            ///< the same as one unified diff
  std::string run_id, backup;
  std::vector<std::string> notes;
  bool dry_run = false;

  [[nodiscard]] bool needs_person() const { return !uncaptured.empty(); }
  [[nodiscard]] int exit_status() const { return needs_person() ? 1 : 0; }
};

/// For people (`explain`: with the reasons), and for programs (report.schema.json).
[[nodiscard]] std::string write_text(const CaptureReport& report, const TextStyle& style,
                                     bool explain);
[[nodiscard]] std::string write_json(const CaptureReport& report);

}  // namespace portpatch
