#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "report/page/code_view.h"
#include "report/page/frame.h"
#include "report/page/page.h"

namespace portpatch {

namespace {

constexpr Tone kTones[] = {Tone::kQuiet, Tone::kWarning, Tone::kBad};
Tone tone_of(Severity severity) { return kTones[static_cast<std::size_t>(severity)]; }

class FindingsPage {
 public:
  explicit FindingsPage(const FindingReport& report) : report_(report) {}

  std::string write() {
    return make_page(head(), [&](Html& html) {
      std::map<Severity, std::size_t, std::greater<>> counts;
      for (const auto& finding : report_.findings) ++counts[finding.severity];
      if (!counts.empty())
        put_filter(html, "findings", choices_of(counts, severity_name, [](Severity severity) {
                     return tone_of(severity);
                   }));
      html.in("div", {{"id", "findings"}, {"class", "cards"}}, [&] {
        for (const auto& finding : report_.findings) card(html, finding);
      });
      passed(html);
    });
  }

 private:
  [[nodiscard]] PageHead head() const {
    const auto bad = std::ranges::any_of(
        report_.findings, [](const Finding& one) { return one.severity == Severity::kError; });
    const auto loud = std::ranges::any_of(
        report_.findings, [](const Finding& one) { return one.severity == Severity::kWarning; });
    PageHead head{.command = report_.command,
                  .verdict = report_.findings.empty() ? "Nothing found"
                                                      : counted(report_.findings.size(), "finding"),
                  .tone = bad    ? Tone::kBad
                          : loud ? Tone::kWarning
                                 : Tone::kGood,
                  .facts = {{"tree", report_.root}},
                  .skipped = {},
                  .notes = report_.notes};
    if (!report_.base.empty()) head.facts.emplace_back("base", report_.base);
    if (!report_.revision.empty()) head.facts.emplace_back("revision", report_.revision);
    return head;
  }

  void card(Html& html, const Finding& finding) {
    const auto* type = finding_type(finding.type);
    const auto& place = finding.place;
    const Card card{.kind = severity_name(finding.severity),
                    .tone = tone_of(finding.severity),
                    .is_open = finding.severity != Severity::kNote,
                    .title = type == nullptr ? finding.type : std::string(type->title),
                    .place = place.path.empty() ? finding.subject
                                                : fmt::format("{}  {}", finding.subject,
                                                              place_text(place.path, place.line))};
    put_card(html, card, [&] { details(html, finding, type); });
  }

  void details(Html& html, const Finding& finding, const FindingType* type) {
    html.leaf("p", {{"class", "reason"}}, finding.message);
    if (!finding.is_in_diff)
      html.leaf("p", {{"class", "hint"}}, "outside of what the change touches");
    for (const auto& evidence : finding.evidence) {
      html.in("p", {}, [&] {
        if (!evidence.place.path.empty())
          html.leaf("code", {}, place_text(evidence.place.path, evidence.place.line)).text(" ");
        html.text(evidence.says);
      });
    }
    if (!finding.patch.empty()) {
      html.leaf("p", {}, "The verified edit:");
      code_.diff(html, finding.patch);
    }
    for (const auto line : split_lines(finding.remedy)) {
      const auto end = std::min(line.find("  "), line.size());  // a remark stands behind it
      if (line.starts_with("portpatch "))
        put_command(html, line.substr(0, end), trim(line.substr(end)));
      else
        html.leaf("p", {{"class", "remedy"}}, line);
    }
    if (type != nullptr) html.leaf("p", {{"class", "hint"}}, type->help);
    html.in("p", {{"class", "hint"}}, [&] {
      html.leaf("code", {}, finding.type).text(" ").leaf("code", {}, finding.fingerprint);
    });
  }

  void passed(Html& html) const {
    if (report_.passed.empty()) return;
    html.in("details", {{"class", "remarks"}}, [&] {
      html.leaf("summary", {}, fmt::format("{} judged and well", report_.passed.size()))
          .in("ul", {}, [&] {
            for (const auto& one : report_.passed) {
              html.in("li", {}, [&] { html.leaf("code", {}, one.subject).text(" " + one.says); });
            }
          });
    });
  }

  const FindingReport& report_;
  CodeView code_;
};

}  // namespace

std::string write_page(const FindingReport& report) { return FindingsPage(report).write(); }

}  // namespace portpatch
