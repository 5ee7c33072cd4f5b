// Output formats of findings, for bots and dashboards: one row and one file a format.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "report/findings.h"

namespace portpatch {

struct FindingFormat {
  std::string_view name;  ///< of --format
  std::string_view help;  ///< what reads it
  std::string (*write)(const FindingReport& report);
};
[[nodiscard]] std::span<const FindingFormat> finding_formats();
/// nullptr when there is none of that name.
[[nodiscard]] const FindingFormat* finding_format(std::string_view name);

/// Each is deterministic, and UTF-8 without control characters whatever bytes the tree's names and
/// sources hold.
[[nodiscard]] std::string write_sarif(const FindingReport& report);
[[nodiscard]] std::string write_rdjson(const FindingReport& report);
[[nodiscard]] std::string write_github(const FindingReport& report);
[[nodiscard]] std::string write_markdown(const FindingReport& report);
[[nodiscard]] std::string write_gitlab(const FindingReport& report);
[[nodiscard]] std::string write_junit(const FindingReport& report);

/// Message and remedy, fit for any reader: lines kept, control characters and bytes that are no
/// UTF-8 spelled, shortened where it is very long.
[[nodiscard]] std::string finding_text(const Finding& finding);
/// The same for any text.
[[nodiscard]] std::string plain_text(std::string_view text);
/// Without its last line break, for readers that count whole lines.
[[nodiscard]] std::string without_last_break(std::string text);

}  // namespace portpatch
