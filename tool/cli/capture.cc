#include "capture.h"

#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/output.h"

namespace portpatch {

namespace {

/// The first word is a revision unless a file or folder of that name is there, from here or in the
/// tree.
bool names_revision(const std::string& folder, const std::string& word) {
  std::error_code error;
  return !std::filesystem::exists(word, error) &&
         !std::filesystem::exists(std::filesystem::path(folder) / word, error);
}

}  // namespace

int run_capture(const Options& options) {
  if (options.pack.empty()) {
    return report_errors(options, {{.code = "no-pack",
                                    .message = "capture must know which pack takes the rules",
                                    .remedy = "portpatch capture --pack rules/local: a folder that "
                                              "is not there yet becomes a new pack"}});
  }
  CaptureRequest request{.command = fmt::format("capture --pack {}", options.pack),
                         .folder = options.folder,
                         .what = {},
                         .paths = options.arguments,
                         .pack = options.pack,
                         .amend = options.amend,
                         .fixture = options.fixture,
                         .dry_run = options.dry_run};
  if (!options.amend.empty()) request.command += " --amend " + options.amend;
  if (options.fixture) request.command += " --fixture";
  for (const auto& word : options.arguments) request.command += " " + word;
  if (!request.paths.empty() && names_revision(options.folder, request.paths[0])) {
    request.what = request.paths[0];
    request.paths.erase(request.paths.begin());
  }
  ProgressLine line("reading the change", "files");
  request.progress = line.progress();
  auto report = capture(request);
  line.clear();
  if (!report) return report_errors(options, report.error());
  if (options.dry_run || options.diff) show_diff(*report);
  print(options.format == "json"
            ? write_json(*report)
            : write_text(*report, {.colour = use_colour(STDOUT_FILENO)}, options.explain));
  return report->exit_status();
}

}  // namespace portpatch
