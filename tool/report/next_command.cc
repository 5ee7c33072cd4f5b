#include "report/next_command.h"

#include <fmt/format.h>

namespace portpatch {

NextCommand next_command(const Report& report, const RuleReport& rule) {
  if (rule.outcome == Outcome::kMoved && !rule.never_relocates) {
    // A group moves as a whole.
    const auto what = rule.group.empty() ? rule.full_name() : rule.pack;
    const auto accept = "portpatch apply --accept-moves " + what;
    return report.revision.empty() ? NextCommand{accept, ""} : NextCommand{"portpatch pull " + what, ", then " + accept};
  }
  if (rule.outcome == Outcome::kAmbiguous && rule.sites.size() > rule.most_sites) {
    const auto& site = rule.sites[0];
    return {fmt::format("portpatch refresh {} --at {}:{}", rule.full_name(), site.path, site.line), "  (or the place that is meant), or set `expect`"};
  }
  return {"portpatch explain " + rule.full_name(), ""};
}

}  // namespace portpatch
