#include "cli/output.h"

namespace portpatch {

int run_apply(const Options& options) {
  auto request = request_for(options, "apply");
  request.write = !options.dry_run;
  return run_and_report(options, request);
}

}  // namespace portpatch
