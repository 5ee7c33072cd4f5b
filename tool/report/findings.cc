#include "report/findings.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/limits.h"
#include "repo/diff.h"
#include "report/report.h"

namespace portpatch {

namespace {

/// Whole lines of a text by their numbers.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text), begins_{0} {
    for (auto at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
      begins_.push_back(at + 1);
    if (begins_.back() != text.size()) begins_.push_back(text.size());
  }
  /// `count` lines from `first` on (1-based), the last of the file also with a break where it has
  /// none.
  [[nodiscard]] std::string get(std::size_t first, std::size_t count) const {
    if (count == 0) return {};
    std::string lines(
        text_.substr(begins_[first - 1], begins_[first - 1 + count] - begins_[first - 1]));
    if (!lines.ends_with('\n')) lines += line_break_of(text_);
    return lines;
  }

 private:
  std::string_view text_;
  std::vector<std::size_t> begins_;
};

/// UTF-8 all through, without what reorders a line on screen.
bool is_plain_utf8(std::string_view text) {
  std::string beyond_ascii(text);
  std::ranges::replace_if(
      beyond_ascii, [](char byte) { return static_cast<unsigned char>(byte) < 0x80; }, ' ');
  return printable(beyond_ascii) == beyond_ascii;
}

}  // namespace

std::string_view severity_name(Severity severity) {
  constexpr std::string_view kNames[] = {"note", "warning", "error"};
  return kNames[static_cast<std::size_t>(severity)];
}

const FindingType* finding_type(std::string_view id) {
  const auto types = finding_types();
  const auto found = std::ranges::find(types, id, &FindingType::id);
  return found == types.end() ? nullptr : &*found;
}

Finding finding_of(std::string_view type, std::string subject) {
  const auto* known = finding_type(type);
  return {.type = std::string(type),
          .severity = known == nullptr ? Severity::kWarning : known->severity,
          .subject = std::move(subject),
          .place = {},
          .message = {},
          .remedy = {},
          .evidence = {},
          .edits = {},
          .patch = {},
          .fingerprint = {}};
}

Finding skipped_finding(const std::string& path, const std::string& reason) {
  const auto* limit = limit_of(reason);
  auto finding = finding_of(limit == nullptr ? "file-skipped" : limit->id, path);
  finding.place.path = path;
  finding.message = "not read: " + reason;
  if (limit != nullptr) finding.remedy = limit->remedy;
  // How far a limit is exceeded changes with the file; the finding stays the same one.
  finding.fingerprint = fingerprint(finding.type, finding.subject, path,
                                    limit == nullptr ? reason : limit->id);
  return finding;
}

std::string fingerprint(std::string_view type, std::string_view subject, std::string_view path,
                        std::string_view what) {
  std::string all;
  for (const auto part : {type, subject, path, what})
    all += fmt::format("{}:{}", part.size(), part);
  return sha256(all).substr(0, 16);
}

std::string stable_name(const std::string& pack, const std::string& name) {
  auto path = std::filesystem::absolute(pack).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  return fmt::format("{}/{}", path.filename().string(), name);
}

void arrange(FindingReport& report) {
  std::ranges::stable_sort(report.findings, [](const Finding& a, const Finding& b) {
    const auto key = [](const Finding& one) {
      return std::tuple(-static_cast<int>(one.severity), std::string_view(one.place.path),
                        one.place.line, std::string_view(one.type), std::string_view(one.subject));
    };
    return key(a) < key(b);
  });
  std::map<std::string, int> seen;
  for (auto& finding : report.findings) {
    const auto count = ++seen[finding.fingerprint];
    if (count > 1)
      finding.fingerprint = fingerprint(finding.type, finding.subject, finding.fingerprint,
                                        std::to_string(count));
  }
}

std::vector<SuggestedEdit> suggested_edits(const FileDiff& diff) {
  if (!is_plain_utf8(diff.before) || !is_plain_utf8(diff.after) || diff.before.empty() ||
      diff.before.ends_with('\n') != diff.after.ends_with('\n'))
    return {};
  const auto hunks = line_hunks(diff.before, diff.after);
  if (!hunks) return {};
  const Lines before(diff.before), after(diff.after);
  std::vector<SuggestedEdit> edits;
  for (const auto& hunk : *hunks) {
    auto text = after.get(hunk.new_begin, hunk.new_count);
    auto first = hunk.old_begin, count = hunk.old_count;
    if (count == 0) {
      text = first == 0 ? text + before.get(1, 1) : before.get(first, 1) + text;
      first = std::max<std::size_t>(first, 1);
      count = 1;
    }
    edits.push_back({.place = {.path = diff.path,
                               .line = first,
                               .column = 1,
                               .end_line = first + count,
                               .end_column = 1},
                     .text = std::move(text)});
  }
  return edits;
}

void suggest(const FileDiff& diff, Finding& finding) {
  std::ranges::move(suggested_edits(diff), std::back_inserter(finding.edits));
  if (const auto patch = unified_diff(diff.path, diff.before, diff.after)) finding.patch += *patch;
}

}  // namespace portpatch
