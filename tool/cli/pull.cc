#include "pull.h"

#include <unistd.h>

#include "cli/output.h"

namespace portpatch {

int run_pull(const Options& options) {
  PullRequest request{.request = request_for(options, "pull"), .arguments = options.handed_on, .keep = options.keep};
  request.show_progress = ::isatty(STDERR_FILENO) != 0;
  return report_result(options, pull(request));
}

}  // namespace portpatch
