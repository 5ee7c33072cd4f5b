#include "repo/git_program.h"

#include <cassert>

#include <fmt/format.h>

#include "base/system_error.h"
#include "base/text.h"

namespace portpatch {
namespace {

/// What git sets for hooks, and what names another repository, index or set of objects.
const std::vector<std::string> kOfAnotherRepository = {"GIT_DIR",
                                                       "GIT_WORK_TREE",
                                                       "GIT_INDEX_FILE",
                                                       "GIT_PREFIX",
                                                       "GIT_COMMON_DIR",
                                                       "GIT_OBJECT_DIRECTORY",
                                                       "GIT_ALTERNATE_OBJECT_DIRECTORIES",
                                                       "GIT_NAMESPACE",
                                                       "GIT_INTERNAL_SUPER_PREFIX",
                                                       "GIT_QUARANTINE_PATH",
                                                       "GIT_REFLOG_ACTION"};

}  // namespace

Result<ProcessResult> run_git(const WorkTree& tree, std::vector<std::string> arguments,
                              const GitOptions& options) {
  ProcessRequest request{.arguments = {"git"},
                         .folder = tree.root,
                         .unset = kOfAnotherRepository,
                         .set = options.set,
                         .input = options.input,
                         .show_errors = options.show_errors,
                         .before_start = options.before_start};
  if (!options.with_hooks)
    request.arguments.insert(request.arguments.end(), {"-c", "core.hooksPath=/dev/null"});
  request.arguments.insert(request.arguments.end(), std::make_move_iterator(arguments.begin()),
                           std::make_move_iterator(arguments.end()));
  request.set.emplace_back("PORTPATCH_PULL", "1");
  request.set.emplace_back("LANGUAGE", "C");  // its words are read
  return run_process(request);
}

Result<std::string> git_output(const WorkTree& tree, std::vector<std::string> arguments,
                               const GitOptions& options) {
  auto command = arguments.begin();  // behind git's own options
  while (command != arguments.end() && command->starts_with('-'))
    command += *command == "-c" ? 2 : 1;
  assert(command < arguments.end());
  const auto what = *command;
  auto result = run_git(tree, std::move(arguments), options);
  if (!result) return std::unexpected(result.error());
  if (result->status != 0) return git_failed(what, *result);
  return std::move(result->out);
}

std::unexpected<Diagnostic> git_failed(std::string_view what, const ProcessResult& result) {
  Diagnostic diagnostic{
      .code = "git-failed",
      .message = fmt::format("`git {}` ended with status {}", what, result.status)};
  for (const auto& text : {result.error, result.out}) {
    for (auto line : split_lines(text)) {
      line.remove_prefix(line.rfind('\r') + 1);  // progress that was overwritten
      if (!trim(line).empty() && !line.starts_with("hint: "))
        diagnostic.notes.push_back("git: " + printable(trim(line)));
    }
  }
  diagnostic.remedy = remedy_in(result.error, "mend what git says, then run the command again");
  return std::unexpected(std::move(diagnostic));
}

std::vector<std::string> split_nul(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find('\0'), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

}  // namespace portpatch
