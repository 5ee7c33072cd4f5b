#include "pull.h"

#include <algorithm>

#include <unistd.h>

#include "cli/output.h"

namespace portpatch {

int run_pull(const Options& options) {
  PullRequest request{.request = request_for(options, "pull"),
                      .arguments = options.handed_on,
                      .keep = options.keep};
  request.show_progress = ::isatty(STDERR_FILENO) != 0;
  auto report = pull(request);
  const bool may_be_gits = !report && request.request.packs.size() > 1 &&
                           request.arguments.empty() &&
                           std::ranges::any_of(report.error(), [](const Diagnostic& one) {
                             return one.code == "no-pack";
                           });
  if (may_be_gits)
    report.error()
        .back()
        .remedy += "; arguments for git stand behind --: portpatch pull PACK -- origin main";
  return report_result(options, std::move(report));
}

}  // namespace portpatch
