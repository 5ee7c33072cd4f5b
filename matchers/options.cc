#include "options.h"

#include <algorithm>
#include <filesystem>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "forms/form.h"
#include "frontend/parse.h"

namespace portpatch::matchers {
namespace {

constexpr std::string_view kSummary =
    "Prints, as JSON, the places of C++ and CUDA files that depend on a GPU's compute capability "
    "(cc): ladders, checks, tables, #if;\n"
    "with --cc also which arm each of them takes: exact, range, else, none or unknown.";

std::string forms_help() {
  std::string text = "Forms:\n";
  for (const auto& form : forms()) text += fmt::format("  {:<16}{}\n", form.name, form.says);
  return text +
         "\nExit status: 0 the files were looked at (a file on which Clang failed says so in the "
         "output), 2 the command is at fault.";
}

std::unexpected<Diagnostic> bad_option(const std::string& what) {
  return failure("bad-option", what, "see portpatch-cc --help");
}

}  // namespace

Result<CcOptions> read_options(int count, const char* const* arguments) {
  CcOptions options;
  std::vector<std::string> capabilities, includes, definitions;
  long long seconds = options.time_limit.count();
  options.jobs = std::max(1U, std::thread::hardware_concurrency());
  CLI::App app(std::string(kSummary), "portpatch-cc");
  app.footer(forms_help());
  app.set_version_flag("--version",
                       "portpatch-cc " PORTPATCH_VERSION " (Clang " + clang_version() + ")");
  app.add_option("--cc", capabilities, "Compute capabilities to be asked: 12.0 or 12.0,12.1")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("-p", options.analysis.build, "Build folder with compile_commands.json");
  app.add_option("-I", includes, "Folder with headers")->allow_extra_args(false);
  app.add_option("-D", definitions, "Macro to be defined, NAME or NAME=VALUE")
      ->allow_extra_args(false);
  app.add_option("--cuda-path", options.analysis.cuda_path,
                 "A CUDA toolkit whose headers, with the system's, are used instead of our own");
  app.add_option("--matcher", options.analysis.matcher,
                 "A clang-query matcher; what it matches is printed as places of form `matcher`");
  app.add_option("--time-limit", seconds, "Seconds for each file")
      ->check(CLI::Range(1, 86'400))
      ->capture_default_str();
  app.add_option("--memory-limit", options.memory_megabytes, "Megabytes for each file")
      ->check(CLI::Range(256, 1'048'576))
      ->capture_default_str();
  app.add_flag("--reads", options.tell_reads,
               "Print the paths that each answer hangs on besides its file, and what stands there");
  app.add_option("--jobs,-j", options.jobs, "Files at once")->check(CLI::Range(1, 1024));
  app.add_option("FILE", options.files, "C++ or CUDA files")->required();
  try {
    app.parse(count, arguments);
  } catch (const CLI::CallForHelp&) {
    options.print = app.help();
    return options;
  } catch (const CLI::CallForVersion&) {
    options.print = app.version() + "\n";
    return options;
  } catch (const CLI::ParseError& error) {
    return bad_option(error.what());
  }
  options.time_limit = std::chrono::seconds(seconds);
  for (const auto& text : capabilities) {
    const auto cc = parse_capability(text);
    if (!cc)
      return failure("bad-cc", fmt::format("`{}` is no compute capability", text),
                     "write it as 12.0; several as 12.0,12.1");
    options.analysis.capabilities.push_back(*cc);
  }
  std::ranges::sort(options.analysis.capabilities);
  const auto same = std::ranges::unique(options.analysis.capabilities);
  options.analysis.capabilities.erase(same.begin(), same.end());
  for (const auto& folder : includes)
    options.analysis.arguments.push_back(
        "-I" + std::filesystem::absolute(folder).lexically_normal().string());
  for (const auto& definition : definitions)
    options.analysis.arguments.push_back("-D" + definition);
  const auto database = std::filesystem::path(options.analysis.build) / "compile_commands.json";
  if (!options.analysis.build.empty() && !std::filesystem::is_regular_file(database)) {
    return failure("no-compile-commands", fmt::format("{} is not there", database.string()),
                   "configure with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or leave -p out");
  }
  if (!options.analysis.build.empty()) {
    const auto text = read_file(database);
    if (!text || !nlohmann::json::parse(*text, nullptr, false).is_array())
      return failure("bad-compile-commands",
                     fmt::format("{} is no list of commands", database.string()),
                     "let the build system write it again, or leave -p out");
  }
  if (!options.analysis.matcher.empty()) {
    if (const auto problem = matcher_error(options.analysis.matcher); !problem.empty()) {
      return failure("bad-matcher", "the matcher cannot be read: " + problem,
                     "try it in clang-query");
    }
  }
  std::ranges::sort(options.files);
  const auto doubled = std::ranges::unique(options.files);
  options.files.erase(doubled.begin(), doubled.end());
  return options;
}

}  // namespace portpatch::matchers
