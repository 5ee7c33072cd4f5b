#include "report/format/format.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"

namespace portpatch {

namespace {

constexpr std::size_t kLongestText = 4000;  ///< bytes

constexpr FindingFormat kFormats[] = {
    {"sarif", "SARIF 2.1.0, for code scanning", write_sarif},
    {"rdjson", "reviewdog, with suggestions", write_rdjson},
    {"github", "annotations of GitHub workflows", write_github},
    {"markdown", "a summary for people", write_markdown},
    {"gitlab", "GitLab code quality", write_gitlab},
    {"junit", "JUnit XML, for CI dashboards", write_junit},
};

}  // namespace

std::span<const FindingFormat> finding_formats() { return kFormats; }

const FindingFormat* finding_format(std::string_view name) {
  const auto* found = std::ranges::find(kFormats, name, &FindingFormat::name);
  return found == std::end(kFormats) ? nullptr : found;
}

std::string plain_text(std::string_view text) {
  std::string out;
  for (const auto line : split_lines(text)) out += (out.empty() ? "" : "\n") + printable(line);
  if (out.size() <= kLongestText) return out;
  auto end = kLongestText;
  while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xC0) == 0x80)
    --end;  // no half character
  return fmt::format("{} ... ({} bytes more)", out.substr(0, end), out.size() - end);
}

std::string finding_text(const Finding& finding) {
  auto text = plain_text(finding.message);
  if (!finding.remedy.empty()) text += "\nwhat to do: " + plain_text(finding.remedy);
  return text;
}

std::string without_last_break(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  if (text.ends_with('\r')) text.pop_back();
  return text;
}

}  // namespace portpatch
