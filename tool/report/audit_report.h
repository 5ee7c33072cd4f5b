// What `portpatch audit` found: the places that depend on a cc as a coverage matrix, what in them
// is a known kind of bug, and which Python gates and C++ dispatches disagree.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "inventory/inventory.h"
#include "report/report.h"

namespace portpatch {

/// How a place treats a cc: as ArmTaken says it, and "excluded" where it is named to be kept out.
enum class Coverage : std::uint8_t { kExact, kRange, kElse, kNone, kUnknown, kExcluded };
inline constexpr std::size_t kCoverageCount = 6;
[[nodiscard]] std::string_view coverage_name(Coverage coverage);

struct AuditPlace {
  CcPlace place;
  std::vector<CcAnswer> answers;   ///< for each cc that is asked
  std::vector<Coverage> coverage;  ///< likewise
  std::string subsystem;           ///< the folder that it is counted in
  int risk = 0;                    ///< 0 covered ... 5 it will fail
  bool is_test = false;            ///< in tests or benchmarks
  bool is_new = false;             ///< not there at the revision of --since, or otherwise
  /// How it was there, where known: an index of AuditReport::before.
  std::optional<std::size_t> was = std::nullopt;
};

/// A known kind of bug at a place.
struct AuditBug {
  std::string kind;  ///< "leaves-out-sibling", "unreachable-rung", "swallows"
  std::size_t place = 0;
  Cc cc;          ///< the asked one
  Cc other = {};  ///< the sibling that is left out; the cc that the swallowing arm names
  std::size_t line = 0;
  std::string condition;
};

/// The kinds, in the order in which they are shown, and what is said of all bugs of one.
struct BugKind {
  std::string_view kind, title;
};
[[nodiscard]] std::span<const BugKind> bug_kinds();
/// Behind the condition: "names 12.0, not 12.1", "takes 12.0". `cc`: the asked ones that it is said
/// of.
[[nodiscard]] std::string bug_text(const AuditBug& bug, std::string_view cc);

/// A Python gate that lets a cc in, and C++ code behind it that has no arm for it.
struct Disagreement {
  Cc cc;
  std::size_t gate = 0, dispatch = 0;  ///< places
  std::vector<std::string> through;    ///< names of functions that lead from one to the other
};

struct AuditReport {
  std::string command, root, revision, since;
  std::string commit = {};  ///< full id, of `revision`
  std::vector<Cc> cc;
  std::string asked_of = {};            ///< the GPU and who told, with --cc auto
  std::string clang_reason = {};        ///< why C++ was read by syntax only
  std::vector<AuditPlace> places;       ///< largest risk first, then by path and line
  std::vector<AuditPlace> before = {};  ///< what new places were at the revision of --since
  std::vector<AuditPlace> gone = {};    ///< that named an asked cc, and of which nothing has come
  std::vector<CcFile> files;            ///< depth of each file with places; no places in them
  std::vector<AuditBug> bugs;
  std::vector<Disagreement> disagreements;
  std::vector<SkippedFile> skipped;
  std::size_t files_read = 0, files_parsed = 0;

  /// 1 when a gate and a dispatch disagree, else 0.
  [[nodiscard]] int exit_status() const { return disagreements.empty() ? 0 : 1; }
};

inline constexpr int kRisky = 3;  ///< AuditPlace::risk from which on a place is a gap, and shown
                                  ///< without being asked for

/// `all`: every place, and no limit on any section.
[[nodiscard]] std::string write_text(const AuditReport& report, const TextStyle& style, bool all);
[[nodiscard]] std::string write_json(const AuditReport& report);

/// What a reader needs to recognise it: "check in gemm::run", "map MAX_SIZES".
[[nodiscard]] std::string place_title(const CcPlace& place);
/// The architectures that a place names: "90, 100, 103".
[[nodiscard]] std::string keys_text(const CcPlace& place);

}  // namespace portpatch
