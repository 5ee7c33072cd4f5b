#include "cli/output.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "report/report.h"

namespace portpatch {

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }
void print_error(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

bool use_colour(int descriptor) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return ::isatty(descriptor) != 0 && (no_colour == nullptr || *no_colour == '\0') &&
         (terminal == nullptr || std::string_view(terminal) != "dumb");
}

int report_errors(const Options& options, const std::vector<Diagnostic>& errors) {
  if (options.format == "json") print(write_json(errors));
  for (const auto& error : errors) print_error(render(error, use_colour(STDERR_FILENO)));
  if (errors.size() > 1) print_error(fmt::format("{} errors\n", errors.size()));
  return 2;
}

Request request_for(const Options& options, std::string_view name) {
  return {.command = fmt::format("{} {}", name, join(options.arguments, " ")),
          .folder = options.folder,
          .packs = options.arguments,
          .accept_moves = options.accept_moves,
          .all_or_nothing = options.all_or_nothing,
          .check = options.check,
          .use_memory = !options.no_memory,
          .at = options.at,
          .dry_run = options.dry_run};
}

int run_and_report(const Options& options, const Request& request) { return report_result(options, run(request)); }

int report_result(const Options& options, const std::expected<Report, std::vector<Diagnostic>>& report) {
  if (!report) return report_errors(options, report.error());
  if (options.format == "json") {
    print(write_json(*report));
    return report->exit_status();
  }
  if (options.diff) {
    const auto diff = unified_diff(report->diffs);
    if (!diff) return report_errors(options, {diff.error()});
    print(*diff);
    if (!diff->empty()) print("\n");
  }
  print(write_text(*report, {.colour = use_colour(STDOUT_FILENO)}));
  return report->exit_status();
}

}  // namespace portpatch
