#include "cli/output.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <unistd.h>

#include "report/format/format.h"
#include "report/report.h"

namespace portpatch {

namespace {

void write(std::FILE* stream, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stream);
}

/// A terminal never gets a control character that a name or a source holds; a file or a pipe gets
/// every byte, as `git apply` needs them.
void print_to(std::FILE* stream, std::string_view text) {
  const int descriptor = ::fileno(stream);
  if (::isatty(descriptor) == 0)
    write(stream, text);
  else
    write(stream, for_terminal(text, use_colour(descriptor)));
}

}  // namespace

std::string for_terminal(std::string_view text, bool colour) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.find_first_of("\n\x1b", at);
    out += printable(text.substr(at, end == std::string_view::npos ? end : end - at));
    if (end == std::string_view::npos) break;
    at = end + 1;
    if (text[end] == '\n') {
      out += '\n';
      continue;
    }
    // What colour is made of: ESC [ digits and semicolons m.
    const auto last = text.substr(at).starts_with('[')
                          ? text.find_first_not_of("0123456789;", at + 1)
                          : std::string_view::npos;
    if (colour && last != std::string_view::npos && text[last] == 'm') {
      out += text.substr(end, last + 1 - end);
      at = last + 1;
    } else {
      out += "\\x1b";
    }
  }
  return out;
}

void print(std::string_view text) { print_to(stdout, text); }
void print_error(std::string_view text) { print_to(stderr, text); }

bool is_output_whole() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return true;
  print_error(render(
      {.code = "output-failed",
       .message = fmt::format("standard output could not be written: {}", std::strerror(errno)),
       .remedy = "what was done is done; `portpatch status` says how the rules stand"},
      false));
  return false;
}

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

Progress ProgressLine::progress() {
  if (::isatty(STDERR_FILENO) == 0) return {};
  return [this](std::size_t done, std::size_t all) { show(done, all); };
}

void ProgressLine::show(std::size_t done, std::size_t all) {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  shown_ = true;
  write(stderr, fmt::format("\r{}: {} of {} {}", what_, done, all, noun_));
}

void ProgressLine::clear() const {
  if (shown_) write(stderr, "\r\x1b[K");
}

bool wants_findings(const Options& options) { return finding_format(options.format) != nullptr; }

int print_findings(const Options& options, const FindingReport& report) {
  print(finding_format(options.format)->write(report));
  return report.exit_status;
}

Request request_for(const Options& options, std::string_view name) {
  return {.command = fmt::format("{} {}", name, join(options.arguments, " ")),
          .folder = options.folder,
          .rev = options.rev,
          .packs = options.arguments,
          .accept_moves = options.accept_moves,
          .all_or_nothing = options.all_or_nothing,
          .check = options.check,
          .use_memory = !options.no_memory,
          .at = options.at,
          .force = options.force,
          .dry_run = options.dry_run};
}

int run_and_report(const Options& options, Request request) {
  ProgressLine line("searching the tree", "files");
  request.progress = line.progress();
  auto result = run(request);
  line.clear();
  return report_result(options, std::move(result));
}

int report_result(const Options& options, std::expected<Report, std::vector<Diagnostic>> report) {
  if (!report) return report_errors(options, report.error());
  if (options.diff) show_diff(*report);
  if (wants_findings(options)) return print_findings(options, findings_of(*report));
  print_report(options, *report,
               [&] { return write_text(*report, {.colour = use_colour(STDOUT_FILENO)}); });
  return report->exit_status();
}

}  // namespace portpatch
