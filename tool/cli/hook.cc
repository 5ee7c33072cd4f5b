#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "apply/hooks.h"
#include "base/text.h"
#include "cli/output.h"
#include "pack/pack.h"

namespace portpatch {

namespace {

std::unexpected<Diagnostic> usage() {
  return failure("bad-arguments",
                 "`portpatch hook` wants `install PACK...`, `uninstall` or `status`",
                 "portpatch hook --help says more");
}

std::string program_path() {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "portpatch" : path.string();
}

int show(const Options& options, const Result<std::vector<Hook>>& hooks) {
  if (!hooks) return report_errors(options, {hooks.error()});
  std::vector<HookLine> lines;
  std::size_t installed = 0, absent = 0;
  for (const auto& hook : *hooks) {
    lines.push_back(
        {hook.name, std::string(name_of(hook.state)), hook.path, hook.kept, hook.packs});
    installed += hook.state == HookState::kInstalled ? 1 : 0;
    absent += hook.state == HookState::kAbsent || hook.state == HookState::kForeign ? 1 : 0;
  }
  print(options.format == "json" ? write_json(lines) : write_text(lines));
  return installed == lines.size() || absent == lines.size() ? 0 : 1;
}

int install(const Options& options, const WorkTree& tree, const std::vector<std::string>& packs) {
  if (packs.empty()) return report_errors(options, {usage().error()});
  std::vector<Diagnostic> errors;
  std::vector<std::string> paths;
  for (const auto& pack : packs) {
    if (const auto loaded = load_pack(pack); !loaded)
      errors.insert(errors.end(), loaded.error().begin(), loaded.error().end());
    paths.push_back(hook_path_of(tree, pack));
  }
  if (!errors.empty()) return report_errors(options, errors);
  return show(options, install_hooks(tree, real_file_system(), program_path(), paths));
}

/// Does the repository around here belong to the git that called the hook? With --git-dir it may
/// be another one.
bool is_meant(const WorkTree& tree) {
  const char* git_dir = std::getenv("GIT_DIR");
  if (git_dir == nullptr) return tree.is_git();
  std::error_code error;
  return tree.is_git() && std::filesystem::equivalent(git_dir, tree.git_dir, error);
}

void say(std::string_view text) { print_error(fmt::format("portpatch: {}\n", text)); }

/// One line when all is well, else the report.
void tell(const std::expected<Report, std::vector<Diagnostic>>& report) {
  if (!report) {
    for (const auto& error : report.error()) print_error(render(error, use_colour(2)));
    say("the rules were not applied");
    return;
  }
  const auto is_quiet = [](const RuleReport& rule) {
    return rule.outcome == Outcome::kHeld || rule.outcome == Outcome::kUpstreamed;
  };
  if (std::ranges::all_of(report->rules, is_quiet) && report->notes.empty())
    return say(fmt::format("{} rules hold", report->rules.size()));
  print_error(write_text(*report, {.colour = use_colour(2)}));
}

/// A hook of git's, and what git told it.
struct Call {
  std::string name;
  std::vector<std::string> arguments, packs;
};

/// What the hooks call: `run NAME COUNT ARGUMENTS PACKS`, the first COUNT being the hook's own.
std::optional<Call> parse_call(const std::vector<std::string>& words) {
  std::size_t count = 0;
  if (words.size() < 2 ||
      std::from_chars(words[1].data(), words[1].data() + words[1].size(), count).ec !=
          std::errc() ||
      words.size() - 2 < count)
    return std::nullopt;
  const auto end = words.begin() + 2 + static_cast<std::ptrdiff_t>(count);
  return Call{.name = words[0], .arguments = {words.begin() + 2, end}, .packs = {end, words.end()}};
}

/// What the pre-commit framework calls: it says by variables what git told the hook.
Call framework_call(const std::vector<std::string>& packs) {
  if (const char* type = std::getenv("PRE_COMMIT_CHECKOUT_TYPE"))
    return {.name = "post-checkout", .arguments = {"", "", type}, .packs = packs};
  if (const char* command = std::getenv("PRE_COMMIT_REWRITE_COMMAND"))
    return {.name = "post-rewrite", .arguments = {command}, .packs = packs};
  return {.name = "post-merge", .arguments = {}, .packs = packs};
}

/// Makes the rules hold, or looks how they stand; whatever comes of it, git has done its work.
int run_hook(const Options& options, const Call& call) {
  const bool is_of_files = call.name == "post-checkout" && call.arguments.size() == 3 &&
                           call.arguments[2] == "0";
  if (std::getenv("PORTPATCH_PULL") != nullptr || is_of_files) return 0;
  const auto packs = join(call.packs, " ");
  std::string typed;  // as arguments of a command
  for (const auto& pack : call.packs) typed += " " + shell_word(pack);
  const auto tree = open_work_tree(options.folder);
  if (!tree || !is_meant(*tree)) {
    say(
        fmt::format("the rules were not applied: this is not the work tree that git works on; "
                    "afterwards: portpatch apply{}",
                    typed));
    return 0;
  }
  for (const auto* name : {"GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"}) ::unsetenv(name);
  const auto found = in_the_way_of_hook(*tree, call.name, call.arguments);
  if (!found) {
    tell(std::unexpected(std::vector{found.error()}));
    return 0;
  }
  const auto& in_the_way = *found;
  Request request{.command = (in_the_way.empty() ? "apply " : "status ") + packs,
                  .folder = options.folder,
                  .packs = call.packs};
  request.write = in_the_way.empty();
  tell(run(request));
  if (!request.write)
    say(fmt::format("only looked, as git has {} under way; afterwards: portpatch apply{}",
                    in_the_way == "autostash" ? "an autostash" : "a " + in_the_way, typed));
  return 0;
}

}  // namespace

int run_hook_command(const Options& options) {
  const auto& action = options.arguments[0];
  const std::vector<std::string> rest(options.arguments.begin() + 1, options.arguments.end());
  if (action == "framework" && !rest.empty()) return run_hook(options, framework_call(rest));
  if (action == "run") {
    const auto call = parse_call(rest);
    return call ? run_hook(options, *call) : report_errors(options, {usage().error()});
  }
  const auto tree = open_work_tree(options.folder);
  if (!tree) return report_errors(options, {tree.error()});
  if (action == "install") return install(options, *tree, rest);
  if (!rest.empty() || (action != "uninstall" && action != "status"))
    return report_errors(options, {usage().error()});
  return show(options, action == "uninstall" ? uninstall_hooks(*tree, real_file_system())
                                             : read_hooks(*tree, real_file_system()));
}

}  // namespace portpatch
