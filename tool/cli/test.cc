#include "cli/output.h"
#include "pack_test.h"

namespace portpatch {

namespace {

int test_along_history(const Options& options) {
  ProgressLine line("following the history", "commits");
  const TimelineRequest request{.command = "test --history " + options.history + " " + join(options.arguments, " "), .folder = options.folder, .packs = options.arguments,
                                .range = options.history, .progress = line.progress()};
  const auto test = test_history(request);
  line.clear();
  if (!test) return report_errors(options, test.error());
  print(options.format == "json" ? write_json(*test) : write_text(*test));
  return test->timeline.exit_status();
}

}  // namespace

int run_test(const Options& options) {
  if (!options.history.empty()) return test_along_history(options);
  const auto report = test_packs({.command = "test " + join(options.arguments, " "), .folder = options.folder, .packs = options.arguments, .update = options.update});
  if (!report) return report_errors(options, report.error());
  print(options.format == "json" ? write_json(*report) : write_text(*report));
  return report->exit_status();
}

}  // namespace portpatch
