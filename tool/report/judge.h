// The judgement: what the stages found, turned into one rule's outcome.
#pragma once

#include <functional>

#include "edit/home.h"
#include "edit/ownership.h"
#include "edit/plan_tree.h"
#include "locate/locate.h"
#include "report/report.h"

namespace portpatch {

/// SiteReport::base of a conflict where the base had nothing.
inline constexpr std::string_view kNothingThere = "(nothing of it)";

/// What the judgement depends on beside the plan.
struct JudgeOptions {
  Direction direction = Direction::kApply;
  bool write = false;
  bool accept_moves = false;
  /// False: lines and columns stay 0, and the commit that brought an outcome is not looked for.
  bool with_details = true;
};

/// As find_homes() found them for one rule.
[[nodiscard]] std::vector<HomeReport> report_homes(const std::vector<Home>& homes);

class RuleJudge {
 public:
  RuleJudge(const JudgeOptions& options, FileStore& store,
            std::function<Ownership&(const Pack&)> ownership_of)
      : options_(options), store_(store), ownership_of_(std::move(ownership_of)) {}

  /// The rule's report. `files_read`: how many files the scan looked at.
  [[nodiscard]] Result<RuleReport> judge(const LocatedRule& located, const RulePlan& plan,
                                         std::size_t files_read);

 private:
  [[nodiscard]] Result<SiteReport> judge_site(const LocatedRule& located, const RulePlan& plan,
                                              const SitePlan& site);
  [[nodiscard]] SiteReport site_at(const Rule& rule, const Site& site, ByteRange range,
                                   Outcome outcome) const;
  [[nodiscard]] std::string text_at(const Rule& rule, const std::string& path) const;
  [[nodiscard]] std::string line_of(const Site& site) const;
  void add_traces(const LocatedRule& located, RuleReport& report) const;
  void add_history(const LocatedRule& located, RuleReport& report);
  void judge_lost(const LocatedRule& located, std::size_t files_read, RuleReport& report) const;
  void judge_miscount(const LocatedRule& located, RuleReport& report) const;
  void judge_without_query(const LocatedRule& located, RuleReport& report) const;
  [[nodiscard]] Outcome edit_outcome(const RulePlan& plan) const;
  [[nodiscard]] std::optional<CommitInfo> taken_over(const LocatedRule& located);
  [[nodiscard]] Result<Outcome> holding_outcome(const LocatedRule& located, const SitePlan& site);

  JudgeOptions options_;
  FileStore& store_;
  std::function<Ownership&(const Pack&)> ownership_of_;
};

}  // namespace portpatch
