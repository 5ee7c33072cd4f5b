// What commands print: results to standard output, the rest to standard error.
#pragma once

#include <chrono>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "cli/command.h"
#include "pipeline.h"
#include "report/page/page.h"
#include "report/timeline.h"

namespace portpatch {

struct FindingReport;

/// `text` for a terminal: printable() but for line breaks, and for colour where that is wanted.
[[nodiscard]] std::string for_terminal(std::string_view text, bool colour);
/// Every byte to a file or a pipe; to a terminal what for_terminal() makes of it.
void print(std::string_view text);
void print_error(std::string_view text);
/// Flushes standard output; says so and returns false when not everything could be written to it.
[[nodiscard]] bool is_output_whole();
/// Colour is for terminals, and NO_COLOR turns it off.
[[nodiscard]] bool use_colour(int descriptor);
/// Prints every diagnostic (as JSON when asked for), returns exit status 2.
int report_errors(const Options& options, const std::vector<Diagnostic>& errors);
/// A line on the terminal that tells how far a long command is, once it has taken more than a
/// moment.
class ProgressLine {
 public:
  /// `what` is done to `noun`: "searching the tree", "files".
  ProgressLine(std::string_view what, std::string_view noun) : what_(what), noun_(noun) {}
  /// Nothing when standard error is no terminal.
  [[nodiscard]] Progress progress();
  void clear() const;

 private:
  void show(std::size_t done, std::size_t all);

  std::string_view what_, noun_;
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() +
                                                std::chrono::milliseconds(500);
  bool shown_ = false;
};

/// True when --format names a format of findings (report/format/).
[[nodiscard]] bool wants_findings(const Options& options);
/// Prints them in that format; returns the report's exit status.
int print_findings(const Options& options, const FindingReport& report);
/// Prints the report as --format says: a page, JSON, or what `text` gives.
template <typename Any, typename Text>
void print_report(const Options& options, const Any& report, const Text& text) {
  print(options.format == "html"   ? write_page(report)
        : options.format == "json" ? write_json(report)
                                   : text());
}
/// Fills in the report's unified diff, or notes why it cannot be shown.
template <typename Any>
void show_diff(Any& report) {
  if (auto diff = unified_diff(report.diffs))
    report.diff = std::move(*diff);
  else
    report.notes.push_back("the diff cannot be shown: " + diff.error().message);
}
/// Runs the request and prints its report; returns the exit status.
int run_and_report(const Options& options, Request request);
/// Prints a report, or why there is none; returns the exit status.
int report_result(const Options& options, std::expected<Report, std::vector<Diagnostic>> report);
/// The whole timeline whose pieces, written with --shard and as JSON, the files hold.
[[nodiscard]] std::expected<Timeline, std::vector<Diagnostic>> merge_pieces(
    const std::vector<std::string>& files);
/// The request that the options make, its command being `name`.
[[nodiscard]] Request request_for(const Options& options, std::string_view name);

}  // namespace portpatch
