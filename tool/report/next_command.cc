#include "report/next_command.h"

#include <fmt/format.h>

#include "base/text.h"

namespace portpatch {

namespace {

/// `command` behind what brings the tree to the report's revision.
std::string behind_pull(const Report& report, const std::string& what, std::string_view command) {
  if (report.revision.empty()) return fmt::format("portpatch {} {}", command, what);
  if (report.command.starts_with("review "))
    return fmt::format("where this change is checked out: portpatch {} {}", command, what);
  return command == "apply"
             ? fmt::format("portpatch pull {}", what)
             : fmt::format("portpatch pull {0}, then portpatch {1} {0}", what, command);
}

}  // namespace

std::string next_command(const Report& report, const RuleReport& rule) {
  const auto name = shell_word(rule.full_name()), pack = shell_word(rule.pack);
  if (rule.outcome == Outcome::kMoved && !rule.never_relocates) {
    const auto& what = rule.group.empty() ? name : pack;  // a group moves as a whole
    return behind_pull(report, what, "apply --accept-moves");
  }
  if (rule.outcome == Outcome::kAmbiguous && rule.sites.size() > rule.most_sites) {
    const auto& site = rule.sites[0];
    return fmt::format(
        "portpatch refresh {} --at {}  (or the place that is meant), or set `expect`", name,
        shell_word(fmt::format("{}:{}", site.path, site.line)));
  }
  if (rule.outcome == Outcome::kPending) return behind_pull(report, pack, "apply");
  if (rule.outcome == Outcome::kUpstreamed) return fmt::format("portpatch retire {}", name);
  return fmt::format("portpatch explain {}{}", name,
                     report.revision.empty() ? "" : " --rev " + shell_word(report.revision_name));
}

}  // namespace portpatch
