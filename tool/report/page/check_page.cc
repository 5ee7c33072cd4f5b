#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/text.h"
#include "report/page/code_view.h"
#include "report/page/frame.h"
#include "report/page/page.h"

namespace portpatch {

namespace {

Tone tone_of(Agreement agreement) {
  constexpr Tone kTones[] = {Tone::kGood, Tone::kWarning, Tone::kBad, Tone::kBad};
  return kTones[static_cast<std::size_t>(agreement)];
}

class CheckPage {
 public:
  explicit CheckPage(const CheckReport& report) : report_(report) {
    for (const auto& companion : report.companions) companions_.push_back(&companion);
    std::ranges::stable_sort(
        companions_, [](const auto* a, const auto* b) { return a->agreement > b->agreement; });
  }

  std::string write() {
    return make_page(head(), [&](Html& html) {
      std::map<Agreement, std::size_t, std::greater<>> counts;
      for (const auto* one : companions_) ++counts[one->agreement];
      put_filter(html, "companions", choices_of(counts, agreement_name, [](Agreement agreement) {
                   return tone_of(agreement);
                 }));
      html.in("div", {{"id", "companions"}, {"class", "cards"}}, [&] {
        for (const auto* one : companions_) card(html, *one);
      });
      if (report_.diff.empty()) return;
      html.leaf("h2", {}, report_.run_id.empty() ? "What --fix would write" : "What --fix wrote");
      code_.diff(html, report_.diff);
    });
  }

 private:
  [[nodiscard]] PageHead head() const {
    const auto well = static_cast<std::size_t>(
        std::ranges::count(report_.companions, Agreement::kAgrees, &CompanionReport::agreement));
    const auto all = report_.companions.size();
    PageHead head{.command = report_.command,
                  .verdict = {},
                  .tone = well == all ? Tone::kGood : Tone::kBad,
                  .facts = {{"tree", report_.root}},
                  .skipped = {},
                  .notes = report_.notes};
    head.verdict = well == all
                       ? fmt::format("{} agree{}", counted(all, "companion"), all == 1 ? "s" : "")
                       : fmt::format("{} of {} do{} not agree", all - well,
                                     counted(all, "companion"), all - well == 1 ? "es" : "");
    if (!report_.revision.empty()) head.facts.emplace_back("revision", report_.revision);
    if (!report_.run_id.empty())
      head.facts.emplace_back(
          "run", fmt::format("{}: {} written; taken back by: portpatch undo", report_.run_id,
                             counted(report_.diffs.size(), "file")));
    return head;
  }

  void card(Html& html, const CompanionReport& companion) {
    const Card card{.kind = agreement_name(companion.agreement),
                    .tone = tone_of(companion.agreement),
                    .is_open = companion.agreement != Agreement::kAgrees,
                    .title = companion.pack + "/" + companion.name,
                    .place = companion.demand};
    put_card(html, card, [&] {
      for (const auto& finding : companion.findings) put_finding(html, finding);
      places(html, companion);
      depth(html, companion);
    });
  }

  static void put_named(Html& html, std::string_view title, const NamedPlace& place) {
    html.in("div", {}, [&] {
      html.leaf("dt", {}, title).in("dd", {}, [&] {
        html.leaf("code", {}, place_text(place.path, place.line));
        if (!place.text.empty()) html.text(" ").leaf("code", {}, place.text);
      });
    });
  }

  void put_finding(Html& html, const CheckFinding& finding) {
    html.in("section", {{"class", "site"}}, [&] {
      html.in("p", {{"class", "reason"}}, [&] {
        html.leaf("code", {{"class", "kind"}}, finding_name(finding.kind));
        html.text(" " + finding.says);
      });
      html.in("dl", {{"class", "facts"}}, [&] {
        put_named(html, "here", finding.here);
        if (!finding.there.path.empty()) put_named(html, "against", finding.there);
      });
      if (!finding.added_key.empty()) {
        html.in("p", {}, [&] {
          html.text("--fix writes the row ").leaf("code", {}, finding.added_key).text(": ");
        });
        code_.block(html, finding.here.path, finding.added_value);
      }
      if (!finding.remedy.empty()) html.leaf("p", {{"class", "remedy"}}, finding.remedy);
    });
  }

  static void places(Html& html, const CompanionReport& companion) {
    if (companion.places.empty()) return;
    html.in("dl", {{"class", "facts"}}, [&] {
      for (const auto& place : companion.places) put_named(html, "looked at", place);
    });
  }

  static void depth(Html& html, const CompanionReport& companion) {
    for (const auto& [depth, paths] : files_by_depth(companion))
      html.leaf("p", {{"class", "hint"}}, depth_text(depth, paths));
  }

  const CheckReport& report_;
  std::vector<const CompanionReport*> companions_;  ///< worst first
  CodeView code_;
};

}  // namespace

std::string write_page(const CheckReport& report) { return CheckPage(report).write(); }

}  // namespace portpatch
