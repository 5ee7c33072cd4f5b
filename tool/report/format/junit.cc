// JUnit's XML: a test case for each subject that was judged, failed where a person is needed.
#include <map>
#include <vector>

#include <fmt/format.h>

#include "report/format/format.h"

namespace portpatch {

namespace {

std::string xml(std::string_view text) {
  std::string out;
  for (const auto byte : plain_text(text)) {
    switch (byte) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\n':
        out += "&#10;";
        break;
      case '\t':
        out += "&#9;";
        break;
      default:
        out += byte;
    }
  }
  return out;
}

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

std::string_view element_of(const Finding& finding) {
  return finding.type == "file-skipped" || finding.type.starts_with("limit-") ? "skipped"
         : finding.severity == Severity::kNote                                ? "system-out"
                                                                              : "failure";
}

}  // namespace

std::string write_junit(const FindingReport& report) {
  std::map<std::string, std::vector<const Finding*>> subjects;
  for (const auto& finding : report.findings) subjects[finding.subject].push_back(&finding);
  std::size_t failures = 0, skipped = 0;
  std::string cases;
  const auto name = report.command.substr(0, report.command.find(' '));
  for (const auto& [subject, findings] : subjects) {
    const auto& worst = *findings[0];  // they are sorted
    const auto element = element_of(worst);
    std::string text;
    for (const auto* one : findings) {
      text += fmt::format("{}{}:{} {}\n{}", text.empty() ? "" : "\n\n", one->place.path,
                          one->place.line, one->type, finding_text(*one));
    }
    failures += element == "failure";
    skipped += element == "skipped";
    cases += fmt::format(
        "    <testcase classname=\"portpatch.{}\" name=\"{}\">\n      <{}{}>{}</{}>\n    "
        "</testcase>\n",
        xml(name), xml(subject), element,
        element == "system-out" ? ""
                                : fmt::format(" message=\"{}\"", xml(first_line(worst.message))),
        xml(text), element);
  }
  for (const auto& one : report.passed)
    cases += fmt::format("    <testcase classname=\"portpatch.{}\" name=\"{}\"/>\n", xml(name),
                         xml(one.subject));
  const auto counts = fmt::format(
      "name=\"portpatch {}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\"",
      xml(report.command), subjects.size() + report.passed.size(), failures, skipped);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {0}>\n  <testsuite {0}>\n{1}  "
      "</testsuite>\n</testsuites>\n",
      counts, cases);
}

}  // namespace portpatch
