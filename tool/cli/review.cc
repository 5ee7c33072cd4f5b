#include "review.h"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/output.h"
#include "report/findings.h"

namespace portpatch {

int run_review(const Options& options) {
  if (options.base.empty()) {
    return report_errors(options, {{.code = "no-base",
                                    .message = "review must know where the change goes",
                                    .remedy = "portpatch review PACK --base origin/main"}});
  }
  const auto head = options.head.empty() ? std::string("HEAD") : options.head;
  ReviewRequest request{
      .command = fmt::format("review {} --base {} --head {}", fmt::join(options.arguments, " "),
                             options.base, head),
      .folder = options.folder,
      .base = options.base,
      .head = head,
      .packs = options.arguments,
      .cc = options.cc,
      .syntax_only = options.syntax_only,
      .clang = {.cc = {},
                .build = options.build,
                .includes = options.includes,
                .cuda_path = options.cuda_path}};
  ProgressLine line("reading the change", "files");
  request.progress = line.progress();
  const auto report = review(request);
  line.clear();
  if (!report) return report_errors(options, report.error());
  if (wants_findings(options)) return print_findings(options, *report);
  print_report(options, *report,
               [&] { return write_text(*report, {.colour = use_colour(STDOUT_FILENO)}); });
  return report->exit_status;
}

}  // namespace portpatch
