// What a trace came to, for people: the steps with their evidence, or what is left.
#pragma once

#include <string>

#include "report/report.h"

namespace portpatch {

/// "PATH:LINE, NAME in SCOPE", without what is not known.
[[nodiscard]] std::string shown(const PlaceReport& place);
/// Lines, indented by two.
[[nodiscard]] std::string trace_text(const TraceReport& trace);

}  // namespace portpatch
