// The command line: one descriptor and one function for each command.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace portpatch {

/// Everything that the command line can say.
struct Options {
  std::string folder = ".";
  std::string format = "text";
  std::vector<std::string> arguments;  ///< packs, or a run's id
  std::vector<std::string> handed_on;  ///< what stands behind `--`
  std::string at, rev, base, head, shard, pack, amend, language, rule, history, cc, since, build,
      cuda_path;
  std::vector<std::string> includes;  ///< folders of headers, for portpatch-cc
  bool dry_run = false;
  bool diff = false;
  bool accept_moves = false;
  bool all_or_nothing = false;
  bool check = false;
  bool list = false;
  bool force = false;
  bool no_memory = false;
  bool merge = false;
  bool keep = false;
  bool explain = false;
  bool update = false;
  bool fixture = false;
  bool syntax_only = false;
  bool fix = false;
  bool verbose = false;
};

/// An option that a command takes.
enum class Flag {
  kDryRun,
  kDiff,
  kAcceptMoves,
  kAllOrNothing,
  kCheck,
  kList,
  kForce,
  kNoMemory,
  kAt,
  kRev,
  kBase,
  kHead,
  kShard,
  kMerge,
  kKeep,
  kPack,
  kExplain,
  kAmend,
  kLanguage,
  kRule,
  kUpdate,
  kHistory,
  kFixture,
  kFix,
  kCc,
  kSince,
  kSyntaxOnly,
  kVerbose,
  kBuild,
  kCudaPath,
  kInclude
};

/// What stands behind a command's name.
struct Arguments {
  std::string name;  ///< as the help shows it: "PACK"
  std::string help;
  int least = 1, most = 1 << 29;  ///< the latter: CLI11's "any number"
};

/// One row of the table of commands.
struct Command {
  std::string name;
  Arguments arguments;
  std::string summary;  ///< one line
  std::string help;     ///< what a person needs to know beside the options
  std::vector<Flag> flags;
  int (*run)(const Options&);  ///< returns the exit status
  bool hands_on = false;       ///< arguments behind `--` go to another program
  bool is_hidden = false;      ///< for scripts: neither help nor completions name it
};

/// An option as help, manual and completions show it.
struct OptionText {
  std::string name, help;
  std::string value;  ///< "FILE[:LINE]"; empty: it takes none
};

[[nodiscard]] std::span<const Command> command_table();
/// The options of the command's own.
[[nodiscard]] std::vector<OptionText> options_of(const Command& command);
/// Those that stand before the command: -C, --format and those that end at once. The first two also
/// stand behind it.
[[nodiscard]] std::vector<OptionText> common_options();
/// Every value of --format, and what it is.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> format_words();
/// The lines of `portpatch --version`.
[[nodiscard]] std::string version_text();

int run_apply(const Options& options);
int run_status(const Options& options);
int run_unapply(const Options& options);
int run_undo(const Options& options);
int run_explain(const Options& options);
int run_refresh(const Options& options);
int run_retire(const Options& options);
int run_timeline(const Options& options);
int run_pull(const Options& options);
int run_capture(const Options& options);
int run_test(const Options& options);
int run_query_command(const Options& options);
int run_check(const Options& options);
int run_audit_command(const Options& options);
int run_review(const Options& options);
int run_hook_command(const Options& options);
int run_complete(const Options& options);
int run_manual(const Options& options);

/// Parses the arguments, runs the command, returns the exit status: 0 nothing needs a person, 1
/// something does, 2 the command, the pack or the machine is at fault.
int run_command_line(int count, const char* const* arguments);

}  // namespace portpatch
