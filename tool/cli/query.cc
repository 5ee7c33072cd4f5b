#include "query.h"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/output.h"

namespace portpatch {

int run_query_command(const Options& options) {
  QueryRequest request{.command = fmt::format("query {}", join(options.arguments, " ")),
                       .folder = options.folder,
                       .rev = options.rev,
                       .pattern = {},
                       .rule = options.rule,
                       .language = options.language,
                       .paths = options.arguments,
                       .progress = {}};
  if (options.rule.empty()) {
    if (request.paths.empty()) {
      return report_errors(
          options,
          {{.code = "no-pattern",
            .message = "query must know what to look for",
            .remedy = "portpatch query '(call function: (_) @f)', or --rule PACK/LANGUAGE/RULE"}});
    }
    request.pattern = request.paths[0];
    request.paths.erase(request.paths.begin());
  }
  ProgressLine line("searching the tree", "files");
  request.progress = line.progress();
  const auto report = run_query(request);
  line.clear();
  if (!report) return report_errors(options, report.error());
  print(options.format == "json" ? write_json(*report)
                                 : write_text(*report, {.colour = use_colour(STDOUT_FILENO)}));
  return report->exit_status();
}

}  // namespace portpatch
