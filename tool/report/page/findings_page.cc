#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "report/page/code_view.h"
#include "report/page/frame.h"
#include "report/page/page.h"

namespace portpatch {

namespace {

constexpr std::string_view kNames[] = {"note", "warning", "error"};
constexpr Tone kTones[] = {Tone::kQuiet, Tone::kWarning, Tone::kBad};
std::string_view name_of(Severity severity) { return kNames[static_cast<std::size_t>(severity)]; }
Tone tone_of(Severity severity) { return kTones[static_cast<std::size_t>(severity)]; }

const FindingType* type_named(std::string_view id) {
  const auto types = finding_types();
  const auto found = std::ranges::find(types, id, &FindingType::id);
  return found == types.end() ? nullptr : &*found;
}

class FindingsPage {
 public:
  explicit FindingsPage(const FindingReport& report) : report_(report) {}

  std::string write() {
    return make_page(head(), [&](Html& html) {
      std::map<Severity, std::size_t, std::greater<>> counts;
      for (const auto& finding : report_.findings) ++counts[finding.severity];
      std::vector<Choice> choices;
      for (const auto& [severity, count] : counts) choices.push_back({std::string(name_of(severity)), count, tone_of(severity)});
      if (!choices.empty()) put_filter(html, "findings", choices);
      html.in("div", {{"id", "findings"}, {"class", "cards"}}, [&] {
        for (const auto& finding : report_.findings) card(html, finding);
      });
      passed(html);
    });
  }

 private:
  [[nodiscard]] PageHead head() const {
    const auto bad = std::ranges::any_of(report_.findings, [](const Finding& one) { return one.severity == Severity::kError; });
    const auto loud = std::ranges::any_of(report_.findings, [](const Finding& one) { return one.severity == Severity::kWarning; });
    PageHead head{.command = report_.command, .verdict = report_.findings.empty() ? "Nothing found" : counted(report_.findings.size(), "finding"),
                  .tone = bad ? Tone::kBad : loud ? Tone::kWarning : Tone::kGood, .facts = {{"tree", report_.root}}, .skipped = {}, .notes = report_.notes};
    if (!report_.base.empty()) head.facts.emplace_back("base", report_.base);
    if (!report_.revision.empty()) head.facts.emplace_back("revision", report_.revision);
    return head;
  }

  void card(Html& html, const Finding& finding) {
    const auto* type = type_named(finding.type);
    html.in("article", {{"data-kind", name_of(finding.severity)}, {"class", tone_name(tone_of(finding.severity))}}, [&] {
      html.in("details", {{"open", finding.severity != Severity::kNote}}, [&] {
        html.in("summary", {}, [&] {
          put_badge(html, name_of(finding.severity), tone_of(finding.severity));
          html.in("span", {{"class", "title"}}, [&] {
            html.leaf("strong", {}, type == nullptr ? std::string_view(finding.type) : type->title);
            html.leaf("span", {{"class", "place"}}, finding.place.path.empty() ? finding.subject : fmt::format("{}  {}", finding.subject, place_text(finding.place.path, finding.place.line)));
          });
        });
        details(html, finding, type);
      });
    });
  }

  void details(Html& html, const Finding& finding, const FindingType* type) {
    html.in("div", {{"class", "body"}}, [&] {
      html.leaf("p", {{"class", "reason"}}, finding.message);
      if (!finding.is_in_diff) html.leaf("p", {{"class", "hint"}}, "outside of what the change touches");
      for (const auto& evidence : finding.evidence) {
        html.in("p", {}, [&] {
          if (!evidence.place.path.empty()) html.leaf("code", {}, place_text(evidence.place.path, evidence.place.line)).text(" ");
          html.text(evidence.says);
        });
      }
      for (const auto& edit : finding.edits) {
        html.in("p", {}, [&] { html.text("suggested at ").leaf("code", {}, place_text(edit.place.path, edit.place.line)); });
        if (edit.text.empty()) html.leaf("p", {}, "nothing: what stands there is taken out");
        else code_.block(html, edit.place.path, edit.text);
      }
      if (!finding.remedy.empty()) html.leaf("p", {{"class", "remedy"}}, finding.remedy);
      if (type != nullptr) html.leaf("p", {{"class", "hint"}}, type->help);
      html.in("p", {{"class", "hint"}}, [&] { html.leaf("code", {}, finding.type).text(" ").leaf("code", {}, finding.fingerprint); });
    });
  }

  void passed(Html& html) const {
    if (report_.passed.empty()) return;
    html.in("details", {{"class", "remarks"}}, [&] {
      html.leaf("summary", {}, fmt::format("{} judged and well", report_.passed.size())).in("ul", {}, [&] {
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
