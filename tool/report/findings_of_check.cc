// Findings of `check`: each finding of each companion.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "report/check_report.h"
#include "report/findings.h"

namespace portpatch {

namespace {

/// What is not there is named by globs, or by the pack: no file of the tree.
bool is_file(const NamedPlace& place) {
  return !place.path.empty() &&
         (place.line > 0 ||
          (place.path != "pack.toml" && place.path.find_first_of("*?[,") == std::string::npos));
}

Region region_of(const NamedPlace& place) {
  return is_file(place) ? Region{.path = place.path, .line = place.line} : Region{};
}

Finding finding_of_companion(const CompanionReport& companion, const CheckFinding& found) {
  auto finding = finding_of(fmt::format("companion-{}", finding_name(found.kind)),
                            fmt::format("{}/{}", companion.pack, companion.name));
  finding.place = region_of(found.here);
  const auto name = finding.place.path.empty() ? found.here.path : found.here.text;
  finding.message = name.empty() ? found.says : fmt::format("{}: {}", name, found.says);
  finding.message += "\nwhat the pack asks: " + companion.demand;
  finding.remedy = found.remedy;
  if (is_file(found.there))
    finding.evidence.push_back(
        {region_of(found.there), fmt::format("what it must agree with: {}", found.there.text)});
  finding.fingerprint = fingerprint(finding.type, stable_name(companion.pack, companion.name),
                                    finding.place.path,
                                    fmt::format("{}|{}", found.here.text, describe(found.cc)));
  return finding;
}

/// Each file's rows go to the first finding that wants one there; the others say so. `wants_row`:
/// by finding.
void add_rows(const CheckReport& report, const std::vector<bool>& wants_row, FindingReport& out) {
  if (!report.run_id.empty()) return;  // they are written
  for (const auto& diff : report.diffs) {
    const Finding* first = nullptr;
    for (std::size_t i = 0; i < out.findings.size(); ++i) {
      auto& mine = out.findings[i];
      if (!wants_row[i] || mine.place.path != diff.path) continue;
      if (first == nullptr)
        suggest(diff, mine);
      else
        mine.message += fmt::format("\nthe rows for {} are shown with the finding at line {}",
                                    diff.path, first->place.line);
      if (first == nullptr) first = &mine;
    }
  }
}

/// How far the files were seen that were not read by Clang.
void add_depths(const CheckReport& report, FindingReport& out) {
  FilesByDepth depths;
  for (const auto& companion : report.companions) {
    for (const auto& [depth, files] : files_by_depth(companion)) {
      auto& paths = depths[depth];
      std::ranges::copy_if(files, std::back_inserter(paths), [&](const auto& path) {
        return std::ranges::find(paths, path) == paths.end();
      });
    }
  }
  for (const auto& [depth, paths] : depths) {
    if (!depth.starts_with("clang")) out.notes.push_back(depth_text(depth, paths));
  }
}

}  // namespace

FindingReport findings_of(const CheckReport& report, const FindingFilter& is_wanted) {
  FindingReport out{.command = report.command,
                    .root = report.root,
                    .revision = report.commit,
                    .base = {},
                    .findings = {},
                    .passed = {},
                    .notes = report.notes,
                    .exit_status = report.exit_status()};
  std::vector<bool> wants_row;
  for (const auto& companion : report.companions) {
    for (const auto& found : companion.findings) {
      auto finding = finding_of_companion(companion, found);
      if (is_wanted && !is_wanted(finding)) continue;
      out.findings.push_back(std::move(finding));
      wants_row.push_back(!found.added_key.empty());
    }
    if (companion.findings.empty())
      out.passed.push_back(
          {fmt::format("{}/{}", companion.pack, companion.name),
           fmt::format("{}: {}", agreement_name(companion.agreement), companion.demand)});
  }
  add_rows(report, wants_row, out);
  add_depths(report, out);
  arrange(out);
  return out;
}

FindingReport findings_of_change(const CheckReport& before, const CheckReport& after) {
  // By what is said, not by where: a file that was renamed disagrees as before.
  const auto says = [](const Finding& finding) {
    return std::tuple(finding.type, finding.subject, finding.message);
  };
  std::set<std::tuple<std::string, std::string, std::string>> known;
  for (const auto& finding : findings_of(before).findings) known.insert(says(finding));
  return findings_of(after, [&](const Finding& finding) { return !known.contains(says(finding)); });
}

}  // namespace portpatch
