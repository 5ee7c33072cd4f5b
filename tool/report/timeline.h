// The outcomes of rules along a line of commits, as data, and its writers. A timeline may be cut
// into pieces that are computed apart and joined again.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "repo/history.h"
#include "report/report.h"

namespace portpatch {

/// Where a site is, apart from its line.
struct TimelinePlace {
  std::string path, scope;
  auto operator<=>(const TimelinePlace&) const = default;
};

/// How a rule stands at one commit.
struct TimelineState {
  Outcome outcome = Outcome::kHeld;
  std::vector<TimelinePlace> places;  ///< in the order of the sites; empty when there is none
  std::string reason;                 ///< why a person is needed, when a site says so

  /// Equal as a timeline sees it: a change of the reason alone is none.
  [[nodiscard]] bool is_like(const TimelineState& other) const {
    return outcome == other.outcome && places == other.places;
  }
};

struct TimelineChange {
  CommitInfo commit;
  TimelineState after;
};

struct TimelineRule {
  std::string pack, rule;
  TimelineState start;                  ///< at the commit before the first one
  std::vector<TimelineChange> changes;  ///< oldest first

  [[nodiscard]] std::string full_name() const { return pack + "/" + rule; }
  [[nodiscard]] const TimelineState& end() const {
    return changes.empty() ? start : changes.back().after;
  }
};

/// Piece `index` of `count` equal ones of a line of commits.
struct Shard {
  std::size_t index = 1, count = 1;  ///< 1-based
  std::string from, to;              ///< the commit before the piece and its last one, full ids
  std::size_t commits = 0;           ///< in the piece
};

struct Timeline {
  std::string command;  ///< "timeline rules/sm120 A..B", without --shard
  std::string root;     ///< the repository
  std::string range;    ///< as typed
  CommitInfo from, to;
  std::size_t commits = 0;                                 ///< of the whole range
  std::optional<Shard> shard;                              ///< nothing: the whole range
  std::vector<std::pair<std::string, std::string>> packs;  ///< as typed, and the hash of its files
  std::vector<TimelineRule> rules;                         ///< in the order of packs and names
  std::vector<std::string> resting;
  std::vector<std::pair<std::string, std::string>> skipped;  ///< path and reason, at any commit

  [[nodiscard]] bool needs_person() const;  ///< at the end
  [[nodiscard]] int exit_status() const { return needs_person() ? 1 : 0; }
};

/// The day of CommitInfo::date; nothing when it is none.
[[nodiscard]] std::optional<std::chrono::sys_days> day_of(std::string_view date);

/// For people, and for programs (report.schema.json).
[[nodiscard]] std::string write_text(const Timeline& timeline, const TextStyle& style);
[[nodiscard]] std::string write_json(const Timeline& timeline);

/// What write_json() wrote. `path` is named in the error "no-timeline".
[[nodiscard]] Result<Timeline> read_timeline(std::string_view path, std::string_view json);

/// A piece and the file that it came from.
struct TimelinePiece {
  std::string file;
  Timeline timeline;
};
/// The whole timeline of its pieces, in any order. Fails with "no-shard", "foreign-shard",
/// "doubled-shard", "missing-shard" or "torn-shards" (their states do not join).
[[nodiscard]] Result<Timeline> merge_timelines(const std::vector<TimelinePiece>& pieces);

}  // namespace portpatch
