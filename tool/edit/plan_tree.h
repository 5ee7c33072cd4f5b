// The planning stage: all rules of all files, one after the other on each file's text, groups
// standing or falling together, and rules that fight over a place refused.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "edit/plan.h"
#include "locate/locate.h"

namespace portpatch {

/// What became of one rule in the whole tree.
struct RulePlan {
  std::vector<SitePlan> sites;
  bool is_wanted = false;   ///< some site wants an edit and nothing stands against it
  bool is_written = false;  ///< its edits are in the texts below
  std::string refused;  ///< why it is not written although it is wanted: its group, another rule
};

struct TreePlan {
  std::vector<RulePlan> rules;  ///< as in LocateResult::rules
  /// New texts, by path, of the files that change.
  std::map<std::string, std::string> texts;
};

struct PlanOptions {
  Direction direction = Direction::kApply;
  bool accept_moves = false;  ///< rules found elsewhere than at their base are planned for writing
  bool all_or_nothing = false;            ///< all rules are one group
  std::set<std::size_t> left_alone = {};  ///< rules that are not touched, whatever they want
  /// By path: the whole text that taking the rules back gives.
  std::map<std::string, std::string> originals = {};
  /// What stands against an edit apart from the file itself; may be empty.
  std::function<std::optional<Step>(const LocatedRule&, const Site&)> objection = {};
};

/// Plans the rules that were found as often as expected. Each file's text goes through its rules in
/// order; every rule that was written must still hold in the end.
[[nodiscard]] Result<TreePlan> plan_tree(const LocateResult& located, FileStore& store,
                                         const PlanOptions& options);

}  // namespace portpatch
