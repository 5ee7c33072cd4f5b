// A step summary for people. Whatever comes from the tree stands in code spans and fences, where no
// link, mention or HTML of it comes alive. GitHub takes 1 MiB; what does not fit is counted.
#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "report/format/format.h"

namespace portpatch {

namespace {

/// Bytes.
constexpr std::size_t kLongest = 900'000, kLongestTable = 400'000, kLongestPatch = 60'000;

/// One more than the longest run of backticks in `text`.
std::string fence_for(std::string_view text, std::size_t least) {
  std::size_t run = 0, longest = 0;
  for (const auto byte : text) {
    run = byte == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(std::max(least, longest + 1), '`');
}

/// On one line; a bar would end the table's cell.
std::string span(std::string_view text) {
  constexpr std::size_t kLongestSpan = 300;
  auto plain = plain_text(text);
  if (plain.size() > kLongestSpan) {
    plain.resize(kLongestSpan);
    while (!plain.empty() && (static_cast<unsigned char>(plain.back()) & 0x80) != 0)
      plain.pop_back();  // may be half a character
    plain += " ...";
  }
  std::string out;
  for (const auto byte : plain)
    out += byte == '\n' ? " " : byte == '|' ? "\\|" : std::string(1, byte);
  const auto fence = fence_for(out, 1);
  return fmt::format("{0} {1} {0}", fence, out);
}

std::string block(std::string_view language, std::string_view text) {
  const auto fence = fence_for(text, 3);
  return fmt::format("{}{}\n{}\n{}\n\n", fence, language, text, fence);
}

std::string where(const Region& place) {
  return place.path.empty()
             ? ""
             : span(place.line > 0 ? fmt::format("{}:{}", place.path, place.line) : place.path);
}

std::string_view title_of(const Finding& finding) {
  const auto* type = finding_type(finding.type);
  return type == nullptr ? std::string_view("Finding") : type->title;
}

std::string details(const Finding& finding) {
  auto out = fmt::format("### {}\n\n{} {}\n\n{}", title_of(finding), span(finding.subject),
                         where(finding.place), block("text", finding_text(finding)));
  for (const auto& also : finding.evidence)
    out += fmt::format("- {} {}\n", where(also.place), span(also.says));
  if (!finding.evidence.empty()) out += '\n';
  if (finding.patch.size() > kLongestPatch) return out + "The patch is too long to be shown.\n\n";
  std::string patch;
  for (std::string_view rest = finding.patch; !rest.empty();) {  // by lines: none is shortened
    const auto end = std::min(rest.find('\n'), rest.size());
    patch += (patch.empty() ? "" : "\n") + printable(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return patch.empty() ? out : out + "The verified edit:\n\n" + block("diff", patch);
}

}  // namespace

std::string write_markdown(const FindingReport& report) {
  const auto count = report.findings.size();
  auto out = fmt::format("## portpatch: {} finding{}, {} well\n\n{}\n\n", count,
                         count == 1 ? "" : "s", report.passed.size(),
                         span("portpatch " + report.command));
  if (count > 0) out += "| | finding | of | where |\n| --- | --- | --- | --- |\n";
  std::size_t rows = 0, shown = 0;
  for (const auto& finding : report.findings) {
    if (out.size() > kLongestTable) break;
    out += fmt::format("| {} | {} | {} | {} |\n", severity_name(finding.severity),
                       title_of(finding), span(finding.subject), where(finding.place));
    ++rows;
  }
  out += '\n';
  if (rows < count) out += fmt::format("{} more are left out of the table.\n\n", count - rows);
  for (const auto& finding : report.findings) {
    auto one = details(finding);
    if (out.size() + one.size() > kLongest) break;
    out += one;
    ++shown;
  }
  if (shown < count)
    out += fmt::format("The details of {} more are left out: a summary may be no longer.\n\n",
                       count - shown);
  for (const auto& note : report.notes) {
    if (out.size() < kLongest) out += fmt::format("- note: {}\n", span(note));
  }
  return out;
}

}  // namespace portpatch
