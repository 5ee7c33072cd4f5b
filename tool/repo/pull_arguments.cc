#include "repo/pull_arguments.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <strings.h>

#include "repo/git_program.h"

namespace portpatch {
namespace {

enum class For { kFetch, kJoin, kBoth, kRefused };

/// One option of `git pull` that is not simply handed on; see git-pull(1).
struct OptionRow {
  std::string_view name, letter;
  For what = For::kFetch;
  bool takes_value = false;      ///< in the next argument, unless behind a `=`
  std::string_view remedy = {};  ///< for what is refused
};

constexpr std::string_view kUnfinished =
    "it would leave the pull unfinished; run `git pull` yourself, then `portpatch apply`";

constexpr std::string_view kRebase = "--rebase";
constexpr std::string_view kRebaseValues = "git knows `true`, `false` and `merges`";

constexpr std::array kOptions = {
    OptionRow{"--quiet", "-q", For::kBoth},
    OptionRow{"--verbose", "-v", For::kBoth},
    OptionRow{"--ipv4", "-4", For::kBoth},
    OptionRow{"--ipv6", "-6", For::kBoth},
    OptionRow{"--upload-pack", "", For::kBoth, true},
    OptionRow{"--server-option", "-o", For::kBoth, true},
    OptionRow{"--all", ""},
    OptionRow{"--atomic", ""},
    OptionRow{"--unshallow", ""},
    OptionRow{"--update-shallow", ""},
    OptionRow{"--force", "-f"},
    OptionRow{"--keep", "-k"},
    OptionRow{"--prune", "-p"},
    OptionRow{"--no-tags", ""},
    OptionRow{"--tags", "-t"},
    OptionRow{"--progress", ""},
    OptionRow{"--no-progress", ""},
    OptionRow{"--set-upstream", ""},
    OptionRow{"--show-forced-updates", ""},
    OptionRow{"--no-show-forced-updates", ""},
    OptionRow{"--depth", "", For::kFetch, true},
    OptionRow{"--deepen", "", For::kFetch, true},
    OptionRow{"--shallow-since", "", For::kFetch, true},
    OptionRow{"--shallow-exclude", "", For::kFetch, true},
    OptionRow{"--negotiation-tip", "", For::kFetch, true},
    OptionRow{"--refmap", "", For::kFetch, true},
    OptionRow{"--jobs", "-j", For::kFetch, true},
    OptionRow{kRebase, "-r", For::kJoin},
    OptionRow{"--no-rebase", "", For::kJoin},
    OptionRow{"--ff", "", For::kJoin},
    OptionRow{"--no-ff", "", For::kJoin},
    OptionRow{"--ff-only", "", For::kJoin},
    OptionRow{"--strategy", "-s", For::kJoin, true},
    OptionRow{"--strategy-option", "-X", For::kJoin, true},
    OptionRow{"--cleanup", "", For::kJoin, true},
    OptionRow{"--autostash", "", For::kRefused, false,
              "leave it out: portpatch itself saves what is local and puts it back"},
    OptionRow{"--squash", "", For::kRefused, false, kUnfinished},
    OptionRow{"--no-commit", "", For::kRefused, false, kUnfinished},
    OptionRow{"--edit", "-e", For::kRefused, false, "leave it out: amend the message afterwards"},
    OptionRow{
        "--dry-run", "", For::kRefused, false,
        "`git fetch`, then `portpatch status PACK --rev REMOTE/BRANCH` looks before the pull"},
    OptionRow{"--append", "-a", For::kRefused, false, "leave it out"},
    OptionRow{"--negotiate-only", "", For::kRefused, false, "leave it out"},
    OptionRow{"--prefetch", "", For::kRefused, false, "leave it out"},
    OptionRow{"--recurse-submodules", "", For::kRefused, false,
              "leave it out, and run `git submodule update` after the pull"},
};

/// Git takes the beginning of a long option for the whole where only one begins so.
const OptionRow* row_of(std::string_view argument) {
  const auto name = argument.substr(0, argument.find('='));
  const auto* row = std::ranges::find_if(kOptions, [&](const OptionRow& one) {
    // `-j4`, `-rfalse`: a letter with its value.
    const bool may_hold_value = one.takes_value || one.name == kRebase;
    return one.name == name ||
           (!one.letter.empty() &&
            (argument == one.letter ||
             (may_hold_value && !argument.starts_with("--") && argument.starts_with(one.letter))));
  });
  if (row != kOptions.end()) return row;
  const auto begins_so = [&](const OptionRow& one) {
    return name.size() > 2 && one.name.starts_with(name);
  };
  return std::ranges::count_if(kOptions, begins_so) == 1 ? std::ranges::find_if(kOptions, begins_so)
                                                         : nullptr;
}

bool has_value_within(const OptionRow& row, std::string_view argument) {
  return argument.contains('=') ||
         (!argument.starts_with("--") && argument.size() > row.letter.size());
}

std::unexpected<Diagnostic> refused(std::string_view argument, std::string_view remedy) {
  return failure("pull-argument",
                 fmt::format("`portpatch pull` does not hand `{}` on to git", argument),
                 std::string(remedy));
}

/// What git makes of a value of --rebase or pull.rebase; nothing of one that it refuses.
std::optional<Joining> rebase_of(const std::string& value) {
  constexpr std::array kOff{"", "false", "no", "off", "0"}, kOn{"true", "yes", "on", "1", "merges"};
  const auto is_value = [&](const char* one) { return ::strcasecmp(value.c_str(), one) == 0; };
  if (std::ranges::any_of(kOff, is_value)) return Joining::kMerge;
  if (std::ranges::any_of(kOn, is_value) || value == "m") return Joining::kRebase;
  return std::nullopt;
}

/// What an option says of the joining, in the order of the arguments: the last one counts.
Result<std::optional<Joining>> joining_of(std::string_view argument, const OptionRow* row) {
  const auto name = row == nullptr ? std::string_view() : row->name;
  if (name == kRebase) {
    const auto mark = argument.starts_with("--") ? argument.find('=') : 1;
    if (mark >= argument.size() || argument == "-r") return Joining::kRebase;
    const auto value = argument.substr(mark + 1);
    if (value.starts_with('i')) return refused(argument, kUnfinished);
    const auto joining = rebase_of(std::string(value));
    if (!joining) return refused(argument, kRebaseValues);
    return *joining;
  }
  if (name == "--no-rebase" || name == "--no-ff" || name == "--ff") return Joining::kMerge;
  if (name == "--ff-only") return Joining::kFastForwardOnly;
  return std::nullopt;
}

Result<std::string> setting(const WorkTree& tree, const std::string& name) {
  const auto value = run_git(tree, {"config", "--get", name});
  if (!value) return std::unexpected(value.error());
  return std::string(trim(value->out));
}

Result<Joining> configured(const WorkTree& tree, const std::string& branch) {
  constexpr std::string_view kHeads = "refs/heads/";
  std::string rebase;
  if (branch.starts_with(kHeads)) {
    const auto own = setting(tree, fmt::format("branch.{}.rebase", branch.substr(kHeads.size())));
    if (!own) return std::unexpected(own.error());
    rebase = *own;
  }
  const auto general = setting(tree, "pull.rebase"), forward = setting(tree, "pull.ff");
  if (!general) return std::unexpected(general.error());
  if (!forward) return std::unexpected(forward.error());
  if (rebase.empty()) rebase = *general;
  if (rebase.starts_with("i")) {
    return failure("pull-argument", "this branch is set to be rebased interactively",
                   "`portpatch pull PACK -- --rebase=true` rebases without asking");
  }
  const auto joining = rebase.empty() ? std::nullopt : rebase_of(rebase);
  if (!rebase.empty() && !joining) {
    return failure("pull-argument", fmt::format("`{}` is no value of pull.rebase", rebase),
                   std::string(kRebaseValues));
  }
  if (joining == Joining::kRebase) return Joining::kRebase;
  if (*forward == "only") return Joining::kFastForwardOnly;
  return joining || !forward->empty() ? Joining::kMerge : Joining::kUnsaid;
}

}  // namespace

Result<PullArguments> parse_pull_arguments(const WorkTree& tree,
                                           const std::vector<std::string>& arguments,
                                           const std::string& branch) {
  PullArguments result;
  std::optional<Joining> said;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto& argument = arguments[i];
    if (!argument.starts_with('-')) {
      if (argument.contains(':') && !result.places.empty()) {
        return failure("pull-argument",
                       fmt::format("`{}` names a local branch to write to", argument),
                       "name the remote's branch alone");
      }
      result.places.push_back(argument);
      continue;
    }
    const auto* row = row_of(argument);
    const auto joining = joining_of(argument, row);
    if (!joining) return std::unexpected(joining.error());
    if (*joining) said = **joining;
    if (row != nullptr && row->what == For::kRefused) return refused(argument, row->remedy);
    const bool to_fetch = row != nullptr && row->what != For::kJoin,
               to_join = row == nullptr || row->what != For::kFetch;
    std::vector<std::string> words{argument};
    if (row != nullptr && row->takes_value && !has_value_within(*row, argument) &&
        i + 1 < arguments.size())
      words.push_back(arguments[++i]);
    if (to_fetch) result.fetch.insert(result.fetch.end(), words.begin(), words.end());
    if (to_join) result.join.insert(result.join.end(), words.begin(), words.end());
  }
  if (!said) {
    const auto settings = configured(tree, branch);
    if (!settings) return std::unexpected(settings.error());
    said = *settings;
  }
  result.joining = *said;
  return result;
}

}  // namespace portpatch
