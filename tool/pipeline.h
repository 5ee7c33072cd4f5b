// The whole flow: load, locate, plan, judge, commit, report.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "edit/step.h"
#include "locate/locate.h"
#include "report/report.h"

namespace portpatch {

/// What the user asked for.
struct Request {
  std::string command;       ///< as it is reported and recorded: "apply rules/sm120"
  std::string folder = ".";  ///< a folder of the tree (-C)
  std::string rev;           ///< a revision to read instead of the files on disk; writes nothing
  std::vector<std::string> left_out;  ///< with `rev`: paths that are not searched, sorted
  std::vector<std::string> packs;     ///< as typed: PACK or PACK/RULE
  Direction direction = Direction::kApply;
  bool write = false;  ///< false: status, --dry-run
  bool accept_moves = false;
  bool all_or_nothing = false;
  bool check = false;      ///< status --check
  bool use_memory = true;  ///< may answer from the content hashes of the last run
  bool use_base = true;    ///< look at the locked paths before the whole tree
  bool use_prefilter = true;
  Progress progress;     ///< told how far a search of the whole tree has come
  std::string at;        ///< refresh: the file, or FILE:LINE, in which the place is
  bool force = false;    ///< retire rules that are not upstream's
  bool dry_run = false;  ///< plan a command that writes, and write nothing
};

/// The tree around `folder`, or one of its repository's revisions.
[[nodiscard]] Result<WorkTree> open_tree(const std::string& folder, const std::string& rev);

/// Ends what an interrupted run left, or where nothing is to be written only looks for that; a
/// sentence for the report, if there was something.
[[nodiscard]] Result<std::optional<std::string>> end_interrupted_run(const WorkTree& tree,
                                                                     bool write);

/// Runs the request. Fails with every mistake of the packs together, or with what was wrong with
/// the tree or the machine; then nothing was written.
[[nodiscard]] std::expected<Report, std::vector<Diagnostic>> run(const Request& request);
/// The same for a revision, with the request's packs as they were loaded before, and with what
/// `shared` keeps of other runs.
[[nodiscard]] std::expected<Report, std::vector<Diagnostic>> run(const Request& request,
                                                                 const std::vector<Pack>& packs,
                                                                 const LocateOptions& shared);

/// What each stage makes of one rule, for `explain`; writes nothing.
[[nodiscard]] std::expected<std::string, std::vector<Diagnostic>> explain(const Request& request);
/// Takes rules that upstream has taken over out of their packs, with a record; with `force` any
/// rule.
[[nodiscard]] std::expected<Report, std::vector<Diagnostic>> retire(const Request& request);
/// Records the base of every rule of the packs, for `refresh`.
[[nodiscard]] std::expected<Report, std::vector<Diagnostic>> refresh(const Request& request);

}  // namespace portpatch
