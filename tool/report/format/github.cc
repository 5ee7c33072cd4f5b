// Workflow commands of GitHub Actions: a line of standard output that becomes an annotation.
#include <fmt/format.h>

#include "report/format/format.h"

namespace portpatch {

namespace {

/// As GitHub's own toolkit escapes a command's text, and with `is_property` its properties.
std::string escaped(std::string_view text, bool is_property) {
  std::string out;
  for (const auto byte : text) {
    if (byte == '%' || byte == '\r' || byte == '\n' ||
        (is_property && (byte == ':' || byte == ',')))
      out += fmt::format("%{:02X}", static_cast<unsigned char>(byte));
    else
      out += byte;
  }
  return out;
}

}  // namespace

std::string write_github(const FindingReport& report) {
  constexpr std::string_view kCommands[] = {"notice", "warning", "error"};
  std::string out;
  for (const auto& finding : report.findings) {
    const auto* type = finding_type(finding.type);
    const auto title = fmt::format("{}: {}", type == nullptr ? finding.type : type->title,
                                   plain_text(finding.subject));
    out += fmt::format("::{} ", kCommands[static_cast<std::size_t>(finding.severity)]);
    if (!finding.place.path.empty())
      out += fmt::format("file={},", escaped(plain_text(finding.place.path), true));
    if (finding.place.line > 0)
      out += fmt::format("line={},endLine={},", finding.place.line,
                         finding.place.end_line > finding.place.line ? finding.place.end_line - 1
                                                                     : finding.place.line);
    auto text = finding_text(finding);
    for (const auto& also : finding.evidence)
      text += fmt::format("\nsee {}:{}: {}", plain_text(also.place.path), also.place.line,
                          plain_text(also.says));
    if (!finding.patch.empty()) text += "\n" + plain_text(finding.patch);
    out += fmt::format("title={}::{}\n", escaped(title, true), escaped(text, false));
  }
  for (const auto& note : report.notes)
    out += fmt::format("::notice title=portpatch::{}\n", escaped(plain_text(note), false));
  return out;
}

}  // namespace portpatch
