#include "cli/output.h"

namespace portpatch {

int run_status(const Options& options) {
  return run_and_report(options, request_for(options, "status"));
}

}  // namespace portpatch
