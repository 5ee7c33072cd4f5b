// The reports as pages: one self-contained HTML file each, which needs no network, and a script
// only for comfort.
#pragma once

#include <string>

#include "report/audit_report.h"
#include "report/check_report.h"
#include "report/findings.h"
#include "report/report.h"
#include "report/timeline.h"

namespace portpatch {

/// The rules, worst first; conflicts side by side, the trace, the next command.
[[nodiscard]] std::string write_page(const Report& report);
/// The companions, worst first, with both places of each finding, and what --fix writes as a diff.
[[nodiscard]] std::string write_page(const CheckReport& report);
/// The coverage matrix: a section for each folder, a row for each place, a cell for each cc.
[[nodiscard]] std::string write_page(const AuditReport& report);
/// A lane for each rule along time, and the same facts as a table.
[[nodiscard]] std::string write_page(const Timeline& timeline);
/// The findings, worst first, with their evidence and what is suggested.
[[nodiscard]] std::string write_page(const FindingReport& report);

}  // namespace portpatch
