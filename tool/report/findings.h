// Findings: what bots, dashboards and code reviews read. One shape for what `status`, `check`,
// `audit` and `review` find, so that an output format (report/format/) is written once for all of
// them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace portpatch {

struct AuditReport;
struct CheckReport;
struct FileDiff;
struct Report;
struct RuleReport;
struct TextStyle;

enum class Severity : std::uint8_t { kNote, kWarning, kError };
/// "note", "warning", "error".
[[nodiscard]] std::string_view severity_name(Severity severity);

/// A kind of finding, for the lists of rules that formats carry.
struct FindingType {
  std::string_view id;     ///< "rule-lost": part of the interface, never renamed
  Severity severity;       ///< unless a finding says otherwise
  std::string_view title;  ///< "A rule's place is lost"
  std::string_view help;   ///< what it means and what to do, some sentences of plain text
};
[[nodiscard]] std::span<const FindingType> finding_types();
/// nullptr when there is none of that name.
[[nodiscard]] const FindingType* finding_type(std::string_view id);

/// Part of a file. Lines and columns are 1-based, columns count bytes, the end is exclusive; a line
/// of 0 means the whole file, an end line of 0 the whole of `line`.
struct Region {
  std::string path;
  std::size_t line = 0, column = 0, end_line = 0, end_column = 0;
};

/// A further place that bears a finding out.
struct RelatedPlace {
  Region place;
  std::string says;
};

/// `text` instead of the whole lines from `place.line` up to `place.end_line`, which stays; both
/// columns are 1.
struct SuggestedEdit {
  Region place;
  std::string text;  ///< whole lines, each with its break; empty takes the old ones out
};

struct Finding {
  std::string type;  ///< the id of a FindingType
  Severity severity = Severity::kWarning;
  std::string subject;  ///< "rules/sm120/python/max-sizes", "cc 12.0: check in f, csrc/gemm.cu"
  Region place;         ///< no path: the tree, or the pack
  std::size_t last_line = 0;  ///< of the code that it is about, where that is more than `place`
  std::string message;  ///< what was found, in the first line; then why it matters; plain text
  std::string remedy;   ///< what to do, or to type
  std::vector<RelatedPlace> evidence;
  std::vector<SuggestedEdit>
      edits;          ///< all of them together, where it is certain; none overlaps another
  std::string patch;  ///< the same as a unified diff
  std::string
      fingerprint;         ///< the same finding has the same one at every commit; see fingerprint()
  bool is_in_diff = true;  ///< false: the place lies outside of what the reviewed change touches
};

/// Something that was judged and is well: "rules/sm120/python/max-sizes", "held".
struct Passed {
  std::string subject, says;
};

struct FindingReport {
  std::string command;   ///< "check", "review", with what was typed behind it
  std::string root;      ///< the tree; places are relative to it
  std::string revision;  ///< the commit that was read, full id, or empty for the files on disk
  std::string base;      ///< of `review`
  std::vector<Finding> findings;  ///< worst first, then by path and line: see arrange()
  std::vector<Passed> passed;
  std::vector<std::string> notes;
  int exit_status = 0;
};

/// A finding of this type with the type's severity; everything else is left to the caller.
[[nodiscard]] Finding finding_of(std::string_view type, std::string subject);

/// A file that was not read, and why; of the limit's own type when `reason` speaks of one
/// (base/limits.h).
[[nodiscard]] Finding skipped_finding(const std::string& path, const std::string& reason);

/// Of type, subject, path and `what`: the words of the place, without lines, so that a finding
/// stays the same one when code above it grows. 64 bits as hexadecimal digits.
[[nodiscard]] std::string fingerprint(std::string_view type, std::string_view subject,
                                      std::string_view path, std::string_view what);

/// "sm120/python/max-sizes" of "./rules/sm120/" and "python/max-sizes": the same however the pack's
/// path is typed, for fingerprints.
[[nodiscard]] std::string stable_name(const std::string& pack, const std::string& name);

/// Brings findings into their order, and tells those apart that have one fingerprint.
void arrange(FindingReport& report);

/// The changed parts of a file, as few whole lines as possible; an insertion replaces a line beside
/// it, since reviews can do no other. None where lines cannot say it exactly: in bytes that are no
/// UTF-8 or that reorder a line on screen, in an empty file, or when the break at the end of the
/// file comes or goes.
[[nodiscard]] std::vector<SuggestedEdit> suggested_edits(const FileDiff& diff);
/// Adds the change of a file to the finding, as edits and as a patch.
void suggest(const FileDiff& diff, Finding& finding);

/// May look at a finding, change it, and say whether it is wanted. Edits come to those that are.
using FindingFilter = std::function<bool(Finding&)>;

/// Each rule that needs a person, or is upstream's, and with `--check` one that does not hold.
[[nodiscard]] FindingReport findings_of(const Report& report, const FindingFilter& is_wanted = {});
/// Each finding of each companion, with the rows that --fix would write (a dry run has them).
[[nodiscard]] FindingReport findings_of(const CheckReport& report,
                                        const FindingFilter& is_wanted = {});
/// Disagreements, bugs, and with --since new places that do not take the cc.
[[nodiscard]] FindingReport findings_of(const AuditReport& report);

/// The edits that a pending rule makes without any other.
using OwnEdits = std::function<std::vector<FileDiff>(const RuleReport& rule)>;

/// What a change does to the rules, from how they stood before it and stand behind it: those that
/// it leaves worse off, with their own edits where these are certain, and those that it makes
/// needless. Others pass.
[[nodiscard]] FindingReport findings_of_change(const Report& before, const Report& after,
                                               const OwnEdits& own_edits);
/// Those of `after` that were not there before.
[[nodiscard]] FindingReport findings_of_change(const CheckReport& before, const CheckReport& after);

/// For people: worst first, each with its evidence, its edit as a patch, and what to do.
[[nodiscard]] std::string write_text(const FindingReport& report, const TextStyle& style);
[[nodiscard]] std::string write_json(const FindingReport& report);

}  // namespace portpatch
