#include "cli/output.h"

namespace portpatch {

int run_unapply(const Options& options) {
  auto request = request_for(options, "unapply");
  request.direction = Direction::kRevert;
  request.write = !options.dry_run;
  return run_and_report(options, request);
}

}  // namespace portpatch
