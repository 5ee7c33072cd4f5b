#include "cli/output.h"

namespace portpatch {

int run_refresh(const Options& options) {
  auto shown = options;
  shown.diff = true;
  const auto request = request_for(options, "refresh");
  return report_result(shown, refresh(request));
}

}  // namespace portpatch
