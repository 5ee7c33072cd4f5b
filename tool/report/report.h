// What a run found and did, as data; the writers beside this file turn it into text and JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "repo/history.h"

namespace portpatch {

/// How a rule or a site ended. The order is from best to worst: a rule ends in its worst site.
/// One row an outcome: enumerator, name, "needs a person".
#define PORTPATCH_OUTCOMES(X)         \
  X(kUpstreamed, "upstreamed", false) \
  X(kHeld, "held", false)             \
  X(kPending, "pending", false)       \
  X(kEdited, "edited", false)         \
  X(kReverted, "reverted", false)     \
  X(kMoved, "moved", true)            \
  X(kConflict, "conflict", true)      \
  X(kAmbiguous, "ambiguous", true)    \
  X(kLost, "lost", true)              \
  X(kBlocked, "blocked", true)

enum class Outcome {
#define PORTPATCH_OUTCOME(id, name, person) id,
  PORTPATCH_OUTCOMES(PORTPATCH_OUTCOME)
#undef PORTPATCH_OUTCOME
};

[[nodiscard]] std::string_view name_of(Outcome outcome);
[[nodiscard]] std::optional<Outcome> outcome_named(std::string_view name);
[[nodiscard]] bool needs_person(Outcome outcome);

struct SiteReport {
  Outcome outcome = Outcome::kHeld;
  std::string path;
  std::size_t line = 0, column = 0;  ///< 1-based; 0 when only the file is known
  std::size_t last_line = 0;         ///< of what stands there; 0 when not known
  std::string scope;
  std::string code, reason, remedy;  ///< why a person is needed
  std::string ours, theirs;          ///< the two texts of a conflict
  std::string base;                  ///< what the base said there, in a conflict
  bool upstream_kept = false;
};

/// Where a traced place was or is, as reports name it.
struct PlaceReport {
  std::string path, scope, name;
  std::size_t line = 0;  ///< 0 when not known
};

/// One step on the way of a place, or something that is left and looks like it.
struct TraceStep {
  std::optional<CommitInfo> commit;  ///< that made the step, when known
  PlaceReport from, to;
  std::vector<std::string> evidence;  ///< "the same name (25)"
  std::vector<std::string> differs;   ///< of a survivor: what is otherwise than at the base
  int score = 0, margin = 0;          ///< points of 100, and the lead over the second best
  bool is_ours = false;               ///< upstream made the rule's edit in it

  /// "made upstream by" or "moved by"; without the "by" when the commit is not known.
  [[nodiscard]] std::string_view cause() const {
    if (is_ours) return commit ? "made upstream by" : "made upstream";
    return commit ? "moved by" : "moved";
  }
};

/// What the trace of one locked site came to.
struct TraceReport {
  std::string verdict;  ///< "certain", "uncertain", "gone"
  PlaceReport base;
  std::vector<TraceStep> steps;
  std::optional<CommitInfo> vanished;
  bool is_to_come = false;           ///< `vanished` brought it, and the tree is older
  std::vector<TraceStep> survivors;  ///< `to` is the survivor
  std::vector<std::string> unknown;  ///< what could not be known
};

/// Where words of a rule stand that is not found: for a person to look at.
struct HomeReport {
  std::string what;  ///< "its text at the base", "a part of what it would write"
  PlaceReport place;
  std::string text;  ///< the words
};

struct RuleReport {
  std::string pack, rule;  ///< "rules/sm120", "python/max-sizes"
  Outcome outcome = Outcome::kHeld;
  std::string reason;  ///< the rule's own comment
  std::string expect;
  std::vector<SiteReport> sites;
  std::vector<std::string> notes;  ///< further facts, one a line
  std::string after_edit;          ///< what must be rebuilt or restarted, when it was edited
  std::string owner;
  std::string group;                  ///< the rules that it stands or falls with
  std::size_t most_sites = 1;         ///< that `expect` allows
  bool never_relocates = false;       ///< relocate = "never"
  std::vector<TraceReport> traces;    ///< of sites that were not at their base
  std::vector<HomeReport> homes;      ///< best first
  std::string query_diff;             ///< how the rule's query changes, as a unified diff
  std::optional<CommitInfo> brought;  ///< the upstream commit that made it hold, or conflict

  [[nodiscard]] std::string full_name() const { return pack + "/" + rule; }
};

struct FileDiff {
  std::string path;
  std::string before, after;
};

/// What `pull` brought.
struct Pulled {
  std::string before, after;      ///< HEAD's commits
  std::string upstream;           ///< the commit that was fetched
  std::size_t commits = 0;        ///< how many HEAD did not have; 0: there was nothing new
  std::vector<std::string> kept;  ///< local changes that no rule explains, carried over
};

struct Report {
  std::string command;            ///< "apply", "status", "unapply"
  std::string root;               ///< the tree
  std::string revision;           ///< the commit that was read, with --rev; else empty
  std::string revision_name;      ///< as typed
  std::string upstream_name;      ///< the ref, or empty
  std::string upstream_commit;    ///< of upstream's version, or empty
  std::string upstream_unknown;   ///< why it is not known, or empty
  std::vector<RuleReport> rules;  ///< in the order of packs and names
  std::vector<std::string> resting;
  std::vector<std::pair<std::string, std::string>> skipped;  ///< path and reason
  std::vector<FileDiff> diffs;                               ///< of what was or would be written
  std::string diff;              ///< them as one unified diff, when it was asked for
  std::string run_id, backup;    ///< when something was written
  std::optional<Pulled> pulled;  ///< of `pull`
  std::vector<std::string> notes;
  bool dry_run = false;
  bool check = false;        ///< status --check: anything but held and upstreamed counts
  bool from_memory = false;  ///< answered from the content hashes of the last run

  [[nodiscard]] bool needs_person() const;
  [[nodiscard]] int exit_status() const { return needs_person() ? 1 : 0; }
};

/// How text is written for people.
struct TextStyle {
  bool colour = false;
};
/// The report for people, and for programs (report.schema.json).
[[nodiscard]] std::string write_text(const Report& report, const TextStyle& style);
[[nodiscard]] std::string write_json(const Report& report);

/// A run of the journal, for `undo`.
struct RunLine {
  std::string id, command, backup;
  std::vector<std::string> paths;
};
[[nodiscard]] std::string write_text(const std::vector<RunLine>& runs);
/// What an undo did.
[[nodiscard]] std::string write_text(const RunLine& undone, const std::vector<std::string>& notes);
[[nodiscard]] std::string write_json(const std::vector<RunLine>& runs);
/// A hook, for `hook`.
struct HookLine {
  std::string name, state, path;
  std::string kept;  ///< where the hook from before is, or empty
  std::vector<std::string> packs;
};
[[nodiscard]] std::string write_text(const std::vector<HookLine>& hooks);
[[nodiscard]] std::string write_json(const std::vector<HookLine>& hooks);
/// Why nothing was done: exit status 2.
[[nodiscard]] std::string write_json(const std::vector<Diagnostic>& errors);

/// Unified diff of the files, as git prints it.
[[nodiscard]] Result<std::string> unified_diff(const std::vector<FileDiff>& diffs);

}  // namespace portpatch
