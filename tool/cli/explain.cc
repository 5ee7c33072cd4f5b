#include "cli/output.h"
#include "report/report.h"

namespace portpatch {

int run_explain(const Options& options) {
  if (options.format == "json") return run_and_report(options, request_for(options, "explain"));
  const auto text = explain(request_for(options, "explain"));
  if (!text) return report_errors(options, text.error());
  print(*text);
  return 0;
}

}  // namespace portpatch
