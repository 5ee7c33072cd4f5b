#include "check.h"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/output.h"
#include "report/findings.h"

namespace portpatch {

int run_check(const Options& options) {
  if (options.fix && !options.rev.empty()) {
    return report_errors(options, {{.code = "fix-of-revision",
                                    .message = "--fix writes files, and --rev reads a revision",
                                    .remedy = "leave one of the two out"}});
  }
  CheckRequest request{.command = fmt::format("check {}", fmt::join(options.arguments, " ")),
                       .folder = options.folder,
                       .rev = options.rev,
                       .packs = options.arguments,
                       .fix = options.fix,
                       .dry_run = options.dry_run,
                       .syntax_only = options.syntax_only,
                       .clang = {.cc = {},
                                 .build = options.build,
                                 .includes = options.includes,
                                 .cuda_path = options.cuda_path}};
  if (options.fix) request.command += " --fix";
  // What is suggested is what --fix would write.
  if (wants_findings(options) && !options.fix) request.fix = request.dry_run = true;
  ProgressLine line("reading the companions", "files");
  request.progress = line.progress();
  auto report = check(request);
  line.clear();
  if (!report) return report_errors(options, report.error());
  if (wants_findings(options)) return print_findings(options, findings_of(*report));
  if (options.diff || options.dry_run || options.format == "html") {
    show_diff(*report);
  }
  print_report(options, *report,
               [&] { return write_text(*report, {.colour = use_colour(STDOUT_FILENO)}); });
  return report->exit_status();
}

}  // namespace portpatch
