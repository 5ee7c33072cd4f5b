// What `portpatch test` found: a pack's fixtures, and how its rules fared along a history.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"
#include "report/timeline.h"

namespace portpatch {

/// One folder of PACK/tests.
struct FixtureResult {
  std::string pack, name;
  std::vector<std::string> mistakes;  ///< a sentence each; none: it passed
  std::string diff;                   ///< from what is expected to what came out
  bool is_updated = false;            ///< --update wrote it
};

struct PackTestReport {
  std::string command;
  std::vector<FixtureResult> fixtures;
  std::string backup = {};  ///< of what --update replaced
  std::string run_id = {};
  std::vector<std::string> notes = {};

  [[nodiscard]] std::size_t failed() const;
  /// 1 when a fixture failed, or there is none.
  [[nodiscard]] int exit_status() const { return failed() > 0 || fixtures.empty() ? 1 : 0; }
};

[[nodiscard]] std::string write_text(const PackTestReport& report);
[[nodiscard]] std::string write_json(const PackTestReport& report);

/// How long a rule had an outcome.
struct OutcomeSpan {
  Outcome outcome = Outcome::kHeld;
  std::size_t commits = 0, days = 0;
};

/// A timeline with the number of each changing commit in its line, from 1.
struct HistoryTest {
  Timeline timeline;
  std::vector<std::vector<std::size_t>> positions;  ///< of each rule's changes
};

/// The outcomes of a rule and how long it had each, in the order of the outcomes.
[[nodiscard]] std::vector<OutcomeSpan> spans_of(const Timeline& timeline, const TimelineRule& rule,
                                                const std::vector<std::size_t>& positions);

[[nodiscard]] std::string write_text(const HistoryTest& test);
[[nodiscard]] std::string write_json(const HistoryTest& test);

}  // namespace portpatch
