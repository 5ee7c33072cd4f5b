#include "cli/output.h"

namespace portpatch {

int run_retire(const Options& options) {
  auto shown = options;
  shown.diff = true;
  return report_result(shown, retire(request_for(options, "retire")));
}

}  // namespace portpatch
