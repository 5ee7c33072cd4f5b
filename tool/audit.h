// `portpatch audit`: which places of a tree depend on a cc, how each treats the cc that are asked,
// and where Python lets a GPU in that the C++ behind it has no arm for.
#pragma once

#include <set>

#include "inventory/call_index.h"
#include "inventory/inventory.h"
#include "report/audit_report.h"

namespace portpatch {

struct AuditRequest {
  std::string command;                     ///< as it is reported
  std::string folder = ".";                ///< a folder of the tree (-C)
  std::string rev;                         ///< a revision to read instead of the files on disk
  std::string since;                       ///< a revision: what is new after it
  std::string cc;                          ///< "12.0,12.1" or "auto"
  std::vector<std::string> paths;          ///< files and folders, relative to `folder`
  bool syntax_only = false;                ///< without portpatch-cc
  std::string build = {}, cuda_path = {};  ///< for portpatch-cc
  std::vector<std::string> includes = {};
  Progress progress = {};
};

/// Fails with "bad-cc", "no-gpu", "outside-tree", or what reading the tree fails with.
[[nodiscard]] Result<AuditReport> run_audit(const AuditRequest& request);

/// What a change brings: `changes` are the files that differ between `since` and `rev`, instead of
/// the request's paths; the report has their places, and those of other files that disagree with
/// new ones.
[[nodiscard]] Result<AuditReport> audit_change(const AuditRequest& request,
                                               const std::vector<ChangedFile>& changes,
                                               InventoryMemory& memory);

/// The GPU of the same family whose code paths are the same: who names one means both.
[[nodiscard]] std::optional<Cc> sibling_of(const Cc& cc);
/// How the place treats `cc`, of which `answer` is the answer.
[[nodiscard]] Coverage coverage_of(const CcPlace& place, const CcAnswer& answer, const Cc& cc);
/// Could `one` be a side of a disagreement over `cc`, the `asked`th: a gate that lets it in, C++
/// code without an arm for it?
[[nodiscard]] bool may_disagree(const AuditPlace& one, std::size_t asked, const Cc& cc);
/// The Python files with functions that call `function`, over as many functions as
/// find_disagreements() looks.
[[nodiscard]] std::set<std::string> files_that_lead_to(const std::string& function,
                                                       const CallIndex& calls);
/// Known kinds of bug in the places; fills only what the places themselves show.
[[nodiscard]] std::vector<AuditBug> find_bugs(const std::vector<AuditPlace>& places,
                                              const std::vector<Cc>& asked);
/// Pairs of gate and dispatch that disagree, found by the names of calls over at most three
/// functions.
[[nodiscard]] std::vector<Disagreement> find_disagreements(const std::vector<AuditPlace>& places,
                                                           const std::vector<Cc>& asked,
                                                           const CallIndex& calls);

}  // namespace portpatch
