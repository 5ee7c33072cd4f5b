// One rule in one file: its sites, what each needs, and the verified text in which all of them
// hold.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "edit/step.h"
#include "locate/sites.h"

namespace portpatch {

/// What became of one site.
struct SitePlan {
  Site site;                   ///< in the file as it was given
  Step step;                   ///< the worst of its directives
  bool upstream_kept = false;  ///< on-conflict = "keep-upstream" settled a conflict
};

struct FilePlan {
  std::vector<SitePlan> sites;
  /// The whole new text, verified; nothing when no site wants an edit or one of them is in conflict
  /// or blocked.
  std::optional<std::string> text;
};

/// What each of the sites needs, told without making the edits: one that is wanted may still turn
/// out to be blocked.
[[nodiscard]] std::vector<SitePlan> plan_sites(const Rule& rule, const ParsedFile& file,
                                               const std::vector<Site>& sites, Direction direction);

/// How a rule's sites are found in the edited text.
using SiteFinder = std::function<Result<std::vector<Site>>(const Rule&, const ParsedFile&)>;

/// Plans `rule` in `file`, whose sites are `sites`. A rule is written at all of its sites in a file
/// or at none. A verification that fails turns the sites it concerns into blocked ones.
[[nodiscard]] Result<FilePlan> plan_file(const Rule& rule, const ParsedFile& file,
                                         const std::vector<Site>& sites, Direction direction,
                                         const SiteFinder& find_again = find_sites);

}  // namespace portpatch
