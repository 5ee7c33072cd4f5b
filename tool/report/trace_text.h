// What a trace came to, for people: the steps with their evidence, or what is left; and homes.
#pragma once

#include <string>
#include <string_view>

#include "report/report.h"

namespace portpatch {

/// A text on one line, cut after about `longest` bytes.
[[nodiscard]] std::string one_line(std::string_view text, std::size_t longest);
/// "PATH:LINE, NAME in SCOPE", without what is not known.
[[nodiscard]] std::string shown(const PlaceReport& place);
/// Lines, indented by two.
[[nodiscard]] std::string home_text(const HomeReport& home);
/// The same of a trace; what is left at one of `homes` has been named there.
[[nodiscard]] std::string trace_text(const TraceReport& trace,
                                     const std::vector<HomeReport>& homes = {});

}  // namespace portpatch
