#include "cli/output.h"
#include "pack_test.h"
#include "timeline.h"

namespace portpatch {

namespace {

/// Follows the rules along the history, or takes what pieces of a timeline say of it.
std::expected<Timeline, std::vector<Diagnostic>> timeline_of(const Options& options) {
  if (options.merge) {
    auto timeline = merge_pieces(options.arguments);
    if (!timeline) return timeline;
    std::vector<std::string> words{"test --history", timeline->range};
    for (const auto& [pack, hash] : timeline->packs) words.push_back(pack);
    timeline->command = join(words, " ");
    return timeline;
  }
  ProgressLine line("following the history", "commits");
  auto timeline = make_timeline(
      {.command = "test --history " + options.history + " " + join(options.arguments, " "),
       .folder = options.folder,
       .packs = options.arguments,
       .range = options.history,
       .progress = line.progress()});
  line.clear();
  return timeline;
}

int test_along_history(const Options& options) {
  auto timeline = timeline_of(options);
  const auto test = timeline ? test_history(std::move(*timeline), options.folder)
                             : std::unexpected(timeline.error());
  if (!test) return report_errors(options, test.error());
  print(options.format == "json" ? write_json(*test) : write_text(*test));
  return test->timeline.exit_status();
}

}  // namespace

int run_test(const Options& options) {
  if (!options.history.empty() || options.merge) return test_along_history(options);
  const auto report = test_packs({.command = "test " + join(options.arguments, " "),
                                  .folder = options.folder,
                                  .packs = options.arguments,
                                  .update = options.update});
  if (!report) return report_errors(options, report.error());
  print(options.format == "json" ? write_json(*report) : write_text(*report));
  return report->exit_status();
}

}  // namespace portpatch
