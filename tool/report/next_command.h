// What a person types next for a rule that needs one.
#pragma once

#include <string>

#include "report/report.h"

namespace portpatch {

/// The command, fit for a shell, and in brackets what may be written otherwise.
[[nodiscard]] std::string next_command(const Report& report, const RuleReport& rule);

}  // namespace portpatch
