#include "audit.h"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/output.h"
#include "report/findings.h"

namespace portpatch {

int run_audit_command(const Options& options) {
  if (options.cc.empty()) {
    return report_errors(
        options, {{.code = "no-cc",
                   .message = "audit must know which compute capability is asked",
                   .remedy = "portpatch audit --cc 12.0, several as 12.0,12.1, or --cc auto"}});
  }
  AuditRequest request{.command = fmt::format("audit --cc {}", options.cc),
                       .folder = options.folder,
                       .rev = options.rev,
                       .since = options.since,
                       .cc = options.cc,
                       .paths = options.arguments,
                       .syntax_only = options.syntax_only,
                       .build = options.build,
                       .cuda_path = options.cuda_path,
                       .includes = options.includes,
                       .progress = {}};
  ProgressLine line("reading the tree", "files");
  request.progress = line.progress();
  const auto report = run_audit(request);
  line.clear();
  if (!report) return report_errors(options, {report.error()});
  if (wants_findings(options)) return print_findings(options, findings_of(*report));
  print_report(options, *report, [&] {
    return write_text(*report, {.colour = use_colour(STDOUT_FILENO)}, options.verbose);
  });
  return report->exit_status();
}

}  // namespace portpatch
