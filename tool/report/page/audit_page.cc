#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "companion/finding.h"
#include "report/page/frame.h"
#include "report/page/page.h"
#include "syntax/cc.h"

namespace portpatch {

namespace {

using Counts = std::array<std::size_t, kCoverageCount>;

constexpr std::size_t kFewBugs = 6;  ///< more of a kind are folded away

constexpr Tone kTones[kCoverageCount] = {Tone::kGood, Tone::kNotice, Tone::kWarning,
                                         Tone::kBad,  Tone::kQuiet,  Tone::kQuiet};
Tone tone_of(Coverage coverage) { return kTones[static_cast<std::size_t>(coverage)]; }

/// As the begin of a line.
std::string capitalised(std::string_view text) {
  std::string out(text);
  if (!out.empty() && out[0] >= 'a' && out[0] <= 'z')
    out[0] = static_cast<char>(out[0] - 'a' + 'A');
  return out;
}

class AuditPage {
 public:
  explicit AuditPage(const AuditReport& report) : report_(report) {
    for (std::size_t i = 0; i < report.places.size(); ++i) {
      const auto& one = report.places[i];
      if (!report.since.empty() && !one.is_new) continue;
      auto& group = groups_[one.subsystem];
      if (group.empty()) order_.push_back(one.subsystem);
      group.push_back(i);
      ++shown_;
      if (one.place.by_clang) is_syntax_only_ = false;
      risky_ += one.risk >= kRisky;
      for (std::size_t cc = 0; cc < one.coverage.size(); ++cc)
        ++total_[cc][static_cast<std::size_t>(one.coverage[cc])];
    }
  }

  std::string write() {
    return make_page(head(), [&](Html& html) {
      totals(html);
      disagreements(html);
      for (const auto& kind : bug_kinds()) bugs(html, kind);
      html.leaf("h2", {{"id", "matrix"}}, "By folder, largest risk first");
      filter(html);
      html.in("div", {{"id", "folders"}, {"class", "folders"}}, [&] {
        for (const auto& name : order_) folder(html, name);
      });
    });
  }

 private:
  [[nodiscard]] PageHead head() const {
    std::set<std::string_view> paths;
    std::size_t by_clang = 0;
    for (const auto& one : report_.places) {
      paths.insert(one.place.path);
      by_clang += one.place.by_clang;
    }
    PageHead head{.command = report_.command,
                  .verdict = {},
                  .tone = report_.disagreements.empty() ? Tone::kGood : Tone::kBad,
                  .facts = {{"tree", report_.root}},
                  .skipped = {},
                  .notes = {}};
    std::set<std::size_t> gate_places;
    for (const auto& one : report_.disagreements) gate_places.insert(one.gate);
    const auto gates = gate_places.size();
    head.verdict = gates == 0 ? ""
                   : gates == 1
                       ? "1 gate disagrees with the code behind it; "
                       : fmt::format("{} gates disagree with the code behind them; ", gates);
    head.verdict += fmt::format("{} of {} at risk", risky_, counted(shown_, "place"));
    if (!report_.revision.empty()) head.facts.emplace_back("revision", report_.revision);
    if (!report_.asked_of.empty()) head.facts.emplace_back("GPU", report_.asked_of);
    head.facts.emplace_back("seen", fmt::format("{} in {} of {}: {} by Clang, {} by syntax only",
                                                counted(report_.places.size(), "place"),
                                                paths.size(), counted(report_.files_read, "file"),
                                                by_clang, report_.places.size() - by_clang));
    if (!report_.since.empty())
      head.facts.emplace_back("since", fmt::format("{}: {} new, and no other is shown",
                                                   report_.since, counted(shown_, "place")));
    if (!report_.clang_reason.empty()) head.notes.push_back(report_.clang_reason);
    for (const auto& [path, reason] : report_.skipped) head.skipped.emplace_back(path, reason);
    return head;
  }

  static void put_counts(Html& html, const Counts& counts) {
    for (std::size_t i = 0; i < kCoverageCount; ++i) {
      if (counts[i] == 0) continue;
      html.text(" ").in("span", {{"class", fmt::format("badge {}", tone_name(kTones[i]))}}, [&] {
        html.leaf("b", {}, std::to_string(counts[i]))
            .text(" ")
            .text(coverage_name(static_cast<Coverage>(i)));
      });
    }
  }

  void totals(Html& html) const {
    html.in("dl", {{"class", "facts totals"}, {"aria-label", "How the places take it"}}, [&] {
      for (std::size_t cc = 0; cc < report_.cc.size(); ++cc) {
        html.in("div", {}, [&] {
          html.leaf("dt", {}, "cc " + cc_text(report_.cc[cc])).in("dd", {}, [&] {
            put_counts(html, total_.contains(cc) ? total_.at(cc) : Counts{});
          });
        });
      }
    });
    html.in("details", {{"class", "remarks"}}, [&] {
      html.leaf("summary", {}, "What the words mean").in("dl", {{"class", "facts"}}, [&] {
        for (const auto& [word, meaning] :
             std::initializer_list<std::pair<const char*, const char*>>{
                 {"exact", "an arm names the cc, or its major number"},
                 {"range", "an arm such as >= 90 takes it: nobody may have thought of it"},
                 {"else", "the else, the default"},
                 {"none", "nothing takes it"},
                 {"unknown", "depends on a further condition"},
                 {"excluded", "nothing takes it, and it is named: != 120, raise"}}) {
          html.in("div", {}, [&] { html.leaf("dt", {}, word).leaf("dd", {}, meaning); });
        }
      });
    });
  }

  static void put_place(Html& html, const CcPlace& place, std::size_t line) {
    put_place(html, place, line, place.path);
  }
  static void put_place(Html& html, const CcPlace& place, std::size_t line, std::string_view path) {
    html.leaf("code", {{"class", "place"}}, place_text(path, line)).text(" " + place.form);
    if (!place.name.empty()) html.text(" ").leaf("code", {}, place.name);
    if (!place.function.empty()) html.text(" in ").leaf("code", {}, place.function);
  }

  /// The cc of all of `items` that are like the one at `first`, as text; empty when an earlier one
  /// is.
  template <typename Item, typename IsLike>
  static std::string cc_of(const std::vector<Item>& items, std::size_t first,
                           const IsLike& is_like) {
    std::vector<Cc> cc;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (!is_like(items[i], items[first])) continue;
      if (i < first) return {};
      cc.push_back(items[i].cc);
    }
    return describe(cc);
  }

  void disagreements(Html& html) const {
    if (report_.disagreements.empty()) return;
    const auto is_like = [](const Disagreement& a, const Disagreement& b) {
      return a.gate == b.gate && a.dispatch == b.dispatch && a.through == b.through;
    };
    html.leaf("h2", {}, "Gates that let a cc in, and code behind them without an arm for it");
    html.leaf("p", {{"class", "hint"}},
              "A guess, by the names of calls: look at the way from one to the other.");
    html.in("ul", {{"class", "findings"}}, [&] {
      for (std::size_t i = 0; i < report_.disagreements.size(); ++i) {
        const auto& one = report_.disagreements[i];
        const auto cc = cc_of(report_.disagreements, i, is_like);
        if (cc.empty()) continue;
        const auto& gate = report_.places[one.gate].place;
        const auto& dispatch = report_.places[one.dispatch].place;
        html.in("li", {{"class", "bad"}}, [&] {
          html.in("p", {}, [&] {
            put_place(html, gate, gate.line);
            html.text(fmt::format(" lets {} in", cc));
          });
          html.in("p", {}, [&] {
            html.text(one.through.empty() ? "which calls" : "by way of ");
            for (std::size_t at = 0; at < one.through.size(); ++at)
              html.text(at == 0 ? "" : ", ").leaf("code", {}, one.through[at]);
          });
          html.in("p", {}, [&] {
            put_place(html, dispatch, dispatch.line);
            html.text(fmt::format(" has {} only", keys_text(dispatch)));
          });
        });
      }
    });
  }

  void bugs(Html& html, const BugKind& kind) const {
    const auto is_like = [](const AuditBug& a, const AuditBug& b) {
      return a.kind == b.kind && a.place == b.place && a.line == b.line &&
             a.condition == b.condition;
    };
    std::vector<std::pair<const AuditBug*, std::string>> found;  // and the cc
    for (std::size_t i = 0; i < report_.bugs.size(); ++i) {
      if (report_.bugs[i].kind != kind.kind) continue;
      if (auto cc = cc_of(report_.bugs, i, is_like); !cc.empty())
        found.emplace_back(&report_.bugs[i], std::move(cc));
    }
    if (found.empty()) return;
    html.in("details", {{"class", "bugs"}, {"open", found.size() <= kFewBugs}}, [&] {
      html.in("summary", {}, [&] {
        html.leaf("h2", {}, fmt::format("{}: {}", capitalised(kind.title), found.size()));
      });
      html.in("ul", {{"class", "findings"}}, [&] {
        for (const auto& [bug, cc] : found) {
          html.in("li", {{"class", "warning"}}, [&] {
            html.in("p", {}, [&] { put_place(html, report_.places[bug->place].place, bug->line); });
            html.in("p", {}, [&] {
              html.leaf("code", {}, bug->condition);
              html.text(" " + bug_text(*bug, cc));
            });
          });
        }
      });
    });
  }

  /// How many of the places take some cc in this way.
  [[nodiscard]] std::size_t taking(const std::vector<std::size_t>& places,
                                   Coverage coverage) const {
    return static_cast<std::size_t>(std::ranges::count_if(places, [&](std::size_t at) {
      return std::ranges::find(report_.places[at].coverage, coverage) !=
             report_.places[at].coverage.end();
    }));
  }

  void filter(Html& html) const {
    std::vector<Choice> choices{{"risky", risky_, Tone::kBad}};
    for (std::size_t i = 0; i < kCoverageCount; ++i) {
      std::size_t count = 0;
      for (const auto& [name, group] : groups_) count += taking(group, static_cast<Coverage>(i));
      if (count > 0)
        choices.push_back({std::string(coverage_name(static_cast<Coverage>(i))), count, kTones[i]});
    }
    put_filter(html, "folders", choices);
  }

  void folder(Html& html, const std::string& name) const {
    const auto& group = groups_.at(name);
    const auto risky = static_cast<std::size_t>(std::ranges::count_if(
        group, [&](std::size_t at) { return report_.places[at].risk >= kRisky; }));
    Counts counts{};
    for (std::size_t i = 0; i < kCoverageCount; ++i)
      counts[i] = taking(group, static_cast<Coverage>(i));
    html.in("details", {}, [&] {
      html.in("summary", {}, [&] {
        html.leaf("strong", {}, name).in("span", {{"class", "counts"}}, [&] {
          html.text(counted(group.size(), "place"));
          if (risky > 0) html.text(", ").leaf("b", {}, fmt::format("{} risky", risky));
          put_counts(html, counts);
        });
      });
      table(html, name, group);
    });
  }

  void table(Html& html, const std::string& name, const std::vector<std::size_t>& group) const {
    html.in("table", {{"class", "places"}, {"aria-label", name}}, [&] {
      html.in("thead", {}, [&] {
        html.in("tr", {}, [&] {
          for (const auto& cc : report_.cc) html.leaf("th", {{"scope", "col"}}, cc_text(cc));
          html.leaf("th", {{"scope", "col"}}, "place");
        });
      });
      html.in("tbody", {}, [&] {
        for (const auto at : group) row(html, report_.places[at], name);
      });
    });
  }

  /// Where Clang has seen the one place and not the other.
  [[nodiscard]] std::string_view depth_of(const AuditPlace& one) const {
    return one.place.by_clang || is_syntax_only_ ? "" : "syntax only";
  }

  void row(Html& html, const AuditPlace& one, std::string_view folder) const {
    std::set<std::string> kinds;
    for (const auto coverage : one.coverage) kinds.insert(std::string(coverage_name(coverage)));
    if (one.risk >= kRisky) kinds.insert("risky");
    html.in("tr", {{"data-kind", join({kinds.begin(), kinds.end()}, " ")}}, [&] {
      for (std::size_t cc = 0; cc < one.coverage.size(); ++cc) {
        html.in("td", {{"data-cc", cc_text(report_.cc[cc])}}, [&] {
          put_badge(html, coverage_name(one.coverage[cc]), tone_of(one.coverage[cc]));
          if (one.answers[cc].value)
            html.leaf("span", {{"class", "value"}}, value_text(*one.answers[cc].value));
        });
      }
      html.in("td", {}, [&] {
        // The folder stands above.
        const auto path = one.place.path.starts_with(folder) &&
                                  one.place.path.size() > folder.size() + 1
                              ? one.place.path.substr(folder.size() + 1)
                              : one.place.path;
        put_place(html, one.place, one.place.line, path);
        const auto keys = keys_text(one.place);
        html.leaf("span", {{"class", "keys"}},
                  keys.empty() ? depth_of(one)
                               : fmt::format("names {}{}{}", keys,
                                             depth_of(one).empty() ? "" : "; ", depth_of(one)));
      });
    });
  }

  const AuditReport& report_;
  std::map<std::string, std::vector<std::size_t>> groups_;  ///< places of each folder
  std::vector<std::string> order_;                          ///< the riskiest folder first
  std::map<std::size_t, Counts> total_;                     ///< by cc
  std::size_t shown_ = 0, risky_ = 0;
  bool is_syntax_only_ = true;
};

}  // namespace

std::string write_page(const AuditReport& report) { return AuditPage(report).write(); }

}  // namespace portpatch
