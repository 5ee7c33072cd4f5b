// GitLab's code quality report. It has no finding without a line: what concerns a whole file is
// shown at its first.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "report/format/format.h"
#include "report/json_text.h"

namespace portpatch {

std::string write_gitlab(const FindingReport& report) {
  using Json = nlohmann::ordered_json;
  constexpr const char* kSeverities[] = {"info", "minor", "major"};
  Json json = Json::array();
  for (const auto& finding : report.findings) {
    json.push_back({{"description", plain_text(finding.subject) + ": " + finding_text(finding)},
                    {"check_name", finding.type},
                    {"fingerprint", finding.fingerprint},
                    {"severity", kSeverities[static_cast<std::size_t>(finding.severity)]},
                    {"location",
                     {{"path", finding.place.path.empty() ? "." : finding.place.path},
                      {"lines", {{"begin", std::max<std::size_t>(finding.place.line, 1)}}}}}});
  }
  return json_text(json);
}

}  // namespace portpatch
