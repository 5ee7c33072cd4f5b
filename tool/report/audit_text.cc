#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "report/audit_report.h"

namespace portpatch {

namespace {

constexpr std::array<std::string_view, kCoverageCount> kNames{"exact", "range",   "else",
                                                              "none",  "unknown", "excluded"};
constexpr std::size_t kFewLines = 8, kRiskiest = 4;

using Counts = std::array<std::size_t, kCoverageCount>;

std::string at(const CcPlace& place, std::size_t line) {
  return fmt::format("{}:{}", printable(place.path), line);
}

void add_limited(std::string& out, const std::vector<std::string>& lines, std::size_t limit) {
  for (std::size_t i = 0; i < std::min(lines.size(), limit); ++i) out += lines[i];
  if (lines.size() > limit)
    out += fmt::format("  ... and {} more (--verbose)\n", lines.size() - limit);
}

std::string matrix_head() {
  std::string line = fmt::format("{:<48}{:>6}", "", "places");
  for (const auto name : kNames) line += fmt::format("{:>10}", name);
  return line + "\n";
}

std::string matrix_row(std::string_view title, std::size_t count, const Counts& counts) {
  auto line = fmt::format("{:<48}{:>6}", title, count);
  for (const auto one : counts)
    line += one == 0 ? fmt::format("{:>10}", "-") : fmt::format("{:>10}", one);
  return line + "\n";
}

std::string disagreements(const AuditReport& report, std::size_t limit) {
  if (report.disagreements.empty()) return {};
  std::vector<std::string> lines;
  for (const auto& one : report.disagreements) {
    const auto& gate = report.places[one.gate].place;
    const auto& dispatch = report.places[one.dispatch].place;
    auto line = fmt::format("  {} {} lets {} in\n", at(gate, gate.line), place_title(gate),
                            cc_text(one.cc));
    line += fmt::format("    {} {} has {} only\n", at(dispatch, dispatch.line),
                        place_title(dispatch), keys_text(dispatch));
    line += one.through.empty() ? "    called there\n"
                                : fmt::format("    by way of {}\n", join(one.through, ", "));
    lines.push_back(std::move(line));
  }
  auto out = fmt::format(
      "gates that let a cc in, and code behind them without an arm for it: {} (a guess, by the "
      "names of calls)\n",
      report.disagreements.size());
  add_limited(out, lines, limit);
  return out + "\n";
}

std::string bugs(const AuditReport& report, const BugKind& kind, std::size_t limit) {
  std::vector<std::string> lines;
  for (const auto& bug : report.bugs) {
    if (bug.kind != kind.kind) continue;
    const auto& place = report.places[bug.place].place;
    lines.push_back(fmt::format("  {} {} `{}` {}\n", at(place, bug.line), place_title(place),
                                printable(bug.condition), bug_text(bug, cc_text(bug.cc))));
  }
  if (lines.empty()) return {};
  auto out = fmt::format("{}: {}\n", kind.title, lines.size());
  add_limited(out, lines, limit);
  return out + "\n";
}

std::string matrix_line(const AuditPlace& one, const AuditReport& report) {
  std::string answers;
  for (std::size_t i = 0; i < one.coverage.size(); ++i) {
    answers += fmt::format("{}{}{}", answers.empty() ? "" : ", ",
                           report.cc.size() > 1 ? cc_text(report.cc[i]) + " " : "",
                           coverage_name(one.coverage[i]));
    if (one.answers[i].value)
      answers += fmt::format(" = {}", printable(value_text(*one.answers[i].value)));
  }
  return fmt::format("  {:<9} {} {} [{}]{}\n", answers, at(one.place, one.place.line),
                     place_title(one.place), keys_text(one.place),
                     one.place.by_clang ? "" : " (syntax only)");
}

std::string subsystems(const AuditReport& report, bool all) {
  std::vector<std::string> order;  // places are sorted by risk, so the riskiest comes first
  std::map<std::string, std::vector<const AuditPlace*>> groups;
  for (const auto& one : report.places) {
    if (!report.since.empty() && !one.is_new) continue;
    auto& group = groups[one.subsystem];
    if (group.empty()) order.push_back(one.subsystem);
    group.push_back(&one);
  }
  std::string out = matrix_head();
  for (const auto& name : order) {
    Counts counts{};
    std::vector<std::string> lines;
    for (const auto* one : groups[name]) {
      for (const auto coverage : one->coverage) ++counts[static_cast<std::size_t>(coverage)];
      if (all || one->risk >= kRisky) lines.push_back(matrix_line(*one, report));
    }
    out += matrix_row(name, groups[name].size(), counts);
    add_limited(out, lines, all ? lines.size() : kRiskiest);
  }
  return out;
}

}  // namespace

std::string_view coverage_name(Coverage coverage) {
  return kNames[static_cast<std::size_t>(coverage)];
}

std::span<const BugKind> bug_kinds() {
  static constexpr BugKind kKinds[] = {
      {"unreachable-rung",
       "open-ended tests in front of the arm that names the cc, which is never reached"},
      {"leaves-out-sibling", "exact tests that leave out the family's sibling"},
      {"swallows", "open-ended tests for an older architecture that swallow the cc"}};
  return kKinds;
}

std::string bug_text(const AuditBug& bug, std::string_view cc) {
  return bug.kind == "leaves-out-sibling" ? fmt::format("names {}, not {}", cc, cc_text(bug.other))
                                          : fmt::format("takes {}", cc);
}

std::string place_title(const CcPlace& place) {
  auto text = place.form;
  if (!place.name.empty()) text += fmt::format(" {}", printable(place.name));
  if (!place.function.empty()) text += fmt::format(" in {}", printable(place.function));
  return text;
}

std::string keys_text(const CcPlace& place) {
  std::vector<std::string> shown;
  for (const auto& arm : place.arms) {
    for (const auto& key : arm.keys) {
      const auto text = (key.op == "==" ? "" : key.op + " ") + key.key;
      if (std::ranges::find(shown, text) == shown.end()) shown.push_back(text);
    }
  }
  constexpr std::size_t kMost = 8;
  if (shown.size() > kMost) {
    const auto rest = shown.size() - kMost;
    shown.resize(kMost);
    shown.push_back(fmt::format("{} more", rest));
  }
  return printable(join(shown, ", "));
}

std::string write_text(const AuditReport& report, const TextStyle&, bool all) {
  const auto limit = all ? report.places.size() + report.bugs.size() : kFewLines;
  std::set<std::string_view> paths;
  std::size_t by_clang = 0, added = 0;
  for (const auto& one : report.places) {
    paths.insert(one.place.path);
    by_clang += one.place.by_clang;
    added += one.is_new;
  }
  std::string out = fmt::format("tree      {}\n", printable(report.root));
  if (!report.revision.empty()) out += fmt::format("revision  {}\n", printable(report.revision));
  if (!report.asked_of.empty()) out += fmt::format("gpu       {}\n", printable(report.asked_of));
  out += fmt::format("seen      {} in {} of {}: {} by Clang, {} by syntax only\n",
                     counted(report.places.size(), "place"), paths.size(),
                     counted(report.files_read, "file"), by_clang, report.places.size() - by_clang);
  if (!report.clang_reason.empty())
    out += fmt::format("          {}\n", printable(report.clang_reason));
  if (!report.since.empty())
    out += fmt::format("since     {}: {} new, and no other is shown\n", printable(report.since),
                       counted(added, "place"));
  out += "\n" + matrix_head();
  for (std::size_t i = 0; i < report.cc.size(); ++i) {
    Counts counts{};
    std::size_t count = 0;
    for (const auto& one : report.places) {
      if (!report.since.empty() && !one.is_new) continue;
      ++counts[static_cast<std::size_t>(one.coverage[i])];
      ++count;
    }
    out += matrix_row(cc_text(report.cc[i]), count, counts);
  }
  out += "\n" + disagreements(report, limit);
  for (const auto& kind : bug_kinds()) out += bugs(report, kind, limit);
  out += "by folder, largest risk first\n" + subsystems(report, all);
  if (!report.skipped.empty()) out += "\n";
  for (const auto& [path, reason] : report.skipped)
    out += fmt::format("not read: {}: {}\n", printable(path), printable(reason));
  return out;
}

}  // namespace portpatch
