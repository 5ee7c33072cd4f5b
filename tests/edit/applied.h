// One rule applied to one file, by the whole flow.
#pragma once

#include "tests/report/world.h"

namespace portpatch::test {

/// The file after `apply`, which must hold the second time; or the outcome and its reason.
inline std::string applied(const std::string& language, const std::string& file,
                           const std::string& rule, const std::string& before) {
  const World world({{"pack.toml", "format = 1\n"}, {language + "/rule.scm", "; Ours.\n" + rule}},
                    {{file, before}});
  const auto report = run(world.request("apply"));
  if (!report) return report.error()[0].message;
  if (report->rules[0].outcome != Outcome::kEdited)
    return std::string(name_of(report->rules[0].outcome)) + ": " +
           (report->rules[0].sites.empty() ? "" : report->rules[0].sites[0].reason);
  if (run(world.request("apply"))->rules[0].outcome != Outcome::kHeld)
    return "does not hold the second time";
  return world.file(file);
}

}  // namespace portpatch::test
