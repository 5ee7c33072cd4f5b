#include "report/next_command.h"

#include <fmt/format.h>

namespace portpatch {

std::string next_command(const Report& report, const RuleReport& rule) {
  if (rule.outcome == Outcome::kMoved && !rule.never_relocates) {
    const auto what = rule.group.empty() ? rule.full_name()
                                         : rule.pack;  // a group moves as a whole
    return fmt::format("{0}portpatch apply --accept-moves {1}",
                       report.revision.empty() ? "" : fmt::format("portpatch pull {}, then ", what),
                       what);
  }
  if (rule.outcome == Outcome::kAmbiguous && rule.sites.size() > rule.most_sites) {
    const auto& site = rule.sites[0];
    return fmt::format(
        "portpatch refresh {} --at {}:{}  (or the place that is meant), or set `expect`",
        rule.full_name(), site.path, site.line);
  }
  if (rule.outcome == Outcome::kPending)
    return fmt::format("portpatch {} {}", report.revision.empty() ? "apply" : "pull", rule.pack);
  if (rule.outcome == Outcome::kUpstreamed)
    return fmt::format("portpatch retire {}", rule.full_name());
  return fmt::format("portpatch explain {}{}", rule.full_name(),
                     report.revision.empty() ? "" : " --rev " + report.revision_name);
}

}  // namespace portpatch
