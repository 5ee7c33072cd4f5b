#include <algorithm>
#include <exception>
#include <optional>
#include <span>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/output.h"
#include "report/format/format.h"

namespace portpatch {

namespace {

using enum Flag;

const Arguments kPacks{"PACK",
                       "rule packs: folders with a pack.toml, or one rule as PACK/LANGUAGE/RULE"};
const Arguments kPacksAndRange{
    "PACK",
    "rule packs, or rules as PACK/LANGUAGE/RULE, and last the commits: A..B; with --merge: files"};
const Arguments kOneRule{
    "RULE", "one rule: PACK/LANGUAGE/RULE, such as rules/sm120/python/all-reduce-max-sizes", 1, 1};

const Command kCommands[] = {
    {"apply",
     kPacks,
     "make every rule of the packs hold in the tree",
     "Finds each rule's place, plans the edits in the style of the file, verifies them, backs the "
     "files\n"
     "up and writes all of them or none. A second run changes nothing. Rules that are not certain "
     "are\n"
     "left alone and reported.",
     {kDryRun, kDiff, kAcceptMoves, kAllOrNothing, kNoMemory},
     run_apply},
    {"status",
     kPacks,
     "say how each rule stands; writes nothing",
     "Outcomes: upstreamed and held need nothing; pending would be edited by apply; moved, "
     "conflict,\n"
     "ambiguous, lost and blocked need a person.",
     {kDiff, kCheck, kNoMemory, kRev},
     run_status},
    {"unapply",
     kPacks,
     "take the packs' edits out of the tree again",
     "The inverse of apply, verified the same way. What upstream has taken over is left alone.",
     {kDryRun, kDiff, kAllOrNothing},
     run_unapply},
    {"undo",
     {"RUN", "the id of a run; default: the last one", 0, 1},
     "put the files back as they were before the last command that wrote",
     "Also ends a run that was killed half way. Undoing is itself a run: a second undo takes it "
     "back.\n"
     "RUN is an id of `portpatch undo --list`.",
     {kList, kForce},
     run_undo},
    {"explain",
     kOneRule,
     "show what each stage makes of one rule",
     "Writes nothing.",
     {kRev},
     run_explain},
    {"refresh",
     kPacks,
     "record where the rules are now as the packs' base (pack.lock)",
     "Run it when you have looked at the places that `status` names. The base is upstream's "
     "version of\n"
     "each file, never your edited one. The lock's change is shown as a diff.",
     {kDryRun, kAt},
     run_refresh},
    {"retire",
     kPacks,
     "take rules that upstream has taken over out of their packs",
     "A rule whose outcome is `upstreamed` is not needed any more. Its files leave the pack; what "
     "it said,\n"
     "why, and the upstream commit that took it over stand in the pack's retired.toml from then "
     "on. PACK\n"
     "alone retires all of its upstreamed rules. The tree is not touched.",
     {kDryRun, kForce},
     run_retire},
    {"timeline",
     kPacksAndRange,
     "say at which upstream commits the outcome or the place of a rule changed",
     "portpatch timeline rules/sm120 v0.5.0..origin/main\n"
     "Takes the commits after A up to B along first parents (as `git log --first-parent A..B`); an "
     "end that\n"
     "is left out is HEAD. Each is judged as `status --rev COMMIT` does, as if it were upstream's "
     "newest: what\n"
     "it says already is upstreamed, what apply would edit there is pending. Reads git's objects, "
     "so a bare\n"
     "repository will do, and writes nothing. Exits with 1 when a rule needs a person at B.\n"
     "A long range can be cut up: run `--format json --shard I/N` for each I from 1 to N, "
     "anywhere, then\n"
     "`portpatch timeline --merge FILE...` joins what they printed.",
     {kShard, kMerge},
     run_timeline},
    {"capture",
     {"CHANGE", "a commit, a range A..B, and files or folders; nothing: all that differs from HEAD",
      0},
     "make rules of a local change",
     "portpatch capture --pack rules/local                  what the work tree changed since HEAD\n"
     "portpatch capture HEAD~2..HEAD --pack rules/local     what these commits changed\n"
     "Each edit becomes a rule, said by the most specific directive that brings it about exactly: "
     "the rules,\n"
     "applied to the old files, give the new ones. What cannot be said so is named with the reason "
     "and left.\n"
     "What the pack's rules say already is not captured again. The tree is not touched.",
     {kPack, kDryRun, kExplain, kAmend, kFixture},
     run_capture},
    {"query",
     {"PATTERN",
      "a tree-sitter query with predicates, then files or folders; with --rule only these", 0},
     "show what a pattern matches, or which part of it fails where",
     "portpatch query '((assignment left: (_) @name right: (dictionary)) (#eq? @name \"SIZES\"))' "
     "python/\n"
     "Prints each match with its captures and scope. Where nothing matches: the place where most "
     "of the\n"
     "pattern does, and the part that fails there. The language is the one of the files in which "
     "the pattern\n"
     "compiles, or --language. Directives are accepted and not run. Exits with 1 when nothing "
     "matches.",
     {kLanguage, kRule, kRev},
     run_query_command},
    {"test",
     kPacks,
     "run the packs' own fixtures, or their rules along a history",
     "A fixture is a folder PACK/tests/NAME: `before/`, a small tree, becomes `after/`, byte for "
     "byte, with the\n"
     "outcomes of the file `outcomes`; a second run changes nothing, and where all was edited "
     "unapply gives\n"
     "`before/` back. It runs in a scratch folder, without the pack's lock. --update writes what "
     "comes out.\n"
     "--history A..B says for how many of upstream's commits and days each rule had which outcome, "
     "and the\n"
     "commits at which it changed, as `timeline` sees them. A long history can be cut up: --merge "
     "FILE... says the\n"
     "same from the pieces of `timeline --shard`. Exits with 1 when a fixture fails, or a rule "
     "needs a person at B.",
     {kUpdate, kHistory, kMerge},
     run_test},
    {"check",
     kPacks,
     "say whether the C++ and CUDA companions of the rules agree with them",
     "A companion stands in pack.toml as [[companion]]: a table that must mirror a rule's, or "
     "ladders and checks\n"
     "that must have an arm for what a gate in Python lets in (rules/README.md). C++ is read by "
     "portpatch-cc where\n"
     "it is found; of each file it is said how far it was seen. --fix writes the rows of tables "
     "that are certain,\n"
     "verified as rules are. Exits with 1 unless every companion agrees.",
     {kFix, kDryRun, kDiff, kRev, kSyntaxOnly, kBuild, kInclude, kCudaPath},
     run_check},
    {"audit",
     {"PATH", "files and folders, relative to -C; all of the tree without any", 0},
     "show every place that depends on a compute capability (cc), and how it treats one",
     "portpatch audit --cc 12.0                what a GPU of cc 12.0 meets in this tree\n"
     "portpatch audit --cc auto csrc           the cc of this machine's GPU\n"
     "Each place takes the cc by an arm that names it (exact), by a range (>= 90), by its else, or "
     "not at all\n"
     "(none); unknown: a further condition decides; excluded: named to be kept out. First come "
     "Python gates that\n"
     "let the cc in where the C++ behind them has no arm for it, then known kinds of bugs, then "
     "the folders with\n"
     "the riskiest places. Needs no pack. C++ is read by portpatch-cc where it is installed, at "
     "some 0.2 s a\n"
     "file; --syntax-only leaves that out. Exits with 1 when a gate and the code behind it "
     "disagree.",
     {kCc, kSince, kSyntaxOnly, kVerbose, kBuild, kInclude, kCudaPath, kRev},
     run_audit_command},
    {"review",
     kPacks,
     "say what a change does to the rules, their companions and a cc; for code review bots",
     "portpatch review rules/sm120 --base origin/main --head pr-1234\n"
     "Compares the trees of HEAD REV and of the commit where it left the base, as git objects: "
     "nothing is checked\n"
     "out, and nothing of them is run; the packs come from disk. Told is what the change makes "
     "worse: rules that\n"
     "held, or could be applied, and now need a person; rules that it makes needless; companions "
     "that no longer\n"
     "agree; new or changed ladders, checks and tables without an arm for a cc that the packs name "
     "(or --cc).\n"
     "What was so before is not told. Each finding has a fingerprint that stays while it does. "
     "Exits with 1 when a\n"
     "finding is a warning or an error.",
     {kBase, kHead, kCc, kSyntaxOnly, kBuild, kInclude, kCudaPath},
     run_review},
    {"pull",
     kPacks,
     "save what is local, let git pull, and make the rules hold again",
     "Local changes that the rules explain are taken out, `git pull` runs, and the rules are "
     "applied to\n"
     "what came. Local commits that hold nothing but the rules' edits are made again on top of it, "
     "where\n"
     "git would rebase them. Other local changes are put back as they were; where the pull changes "
     "the\n"
     "same file it is refused, or with --keep the two are joined. If any step fails, HEAD, branch, "
     "index\n"
     "and files are as they were before; `portpatch undo` does the same later.\n"
     "What stands behind -- goes to git: portpatch pull rules/sm120 -- --rebase origin main",
     {kKeep},
     run_pull,
     true},
    {"hook",
     {"ACTION", "install PACK..., uninstall, or status"},
     "apply the packs after each merge, rebase and checkout",
     "install writes post-merge, post-rewrite and post-checkout hooks that run `portpatch apply "
     "PACK...`.\n"
     "A hook that is there already is kept beside it (NAME.before-portpatch) and called first; "
     "uninstall\n"
     "puts it back. status says of each hook: installed, changed, foreign or absent. A hook never "
     "makes\n"
     "git fail, and while git has something under way (autostash, rebase, merge, bisect) it only "
     "looks.",
     {},
     run_hook_command},
    {"complete",
     {},
     "say what may follow on a command line",
     "For the scripts of packaging/completions: portpatch complete -- WORD...",
     {},
     run_complete,
     true,
     true},
    {"man",
     {},
     "print the manual page",
     "Made when portpatch is built: portpatch man > portpatch.1",
     {},
     run_manual,
     false,
     true},
};

struct FlagRow {
  Flag flag;
  const char* name;
  const char* help;
  bool Options::* is_set = nullptr;
  std::string Options::* value = nullptr;  ///< for an option with a value
  const char* type = "";
  /// For an option that may be given more than once.
  std::vector<std::string> Options::* values = nullptr;
};

const FlagRow kFlags[] = {
    {kDryRun, "--dry-run", "plan and verify, write nothing", &Options::dry_run},
    {kDiff, "--diff", "print the edits as a unified diff", &Options::diff},
    {kAcceptMoves, "--accept-moves",
     "apply rules also where their place has moved, and record it in pack.lock",
     &Options::accept_moves},
    {kAllOrNothing, "--all-or-nothing", "write nothing unless every rule can be written",
     &Options::all_or_nothing},
    {kCheck, "--check", "exit with 1 unless every rule holds", &Options::check},
    {kList, "--list", "list the runs that can be undone, newest first", &Options::list},
    {kForce, "--force",
     "do it all the same: undo over later work on the same files, retire what is not upstream's",
     &Options::force},
    {kNoMemory, "--no-memory", "do not answer from the hashes of the last run",
     &Options::no_memory},
    {kAt, "--at", "where the place is, when the rule matches elsewhere too", nullptr, &Options::at,
     "FILE[:LINE]"},
    {kRev, "--rev",
     "read this revision of the repository (also a bare one) instead of the files on disk", nullptr,
     &Options::rev, "REV"},
    {kBase, "--base", "the branch that the change goes to: it is judged from where the two parted",
     nullptr, &Options::base, "REV"},
    {kHead, "--head", "where the change ends; default: HEAD", nullptr, &Options::head, "REV"},
    {kShard, "--shard", "only the Ith of N equal pieces of the commits, for --merge", nullptr,
     &Options::shard, "I/N"},
    {kMerge, "--merge", "join the JSON of all pieces of a timeline, FILE..., into the whole",
     &Options::merge},
    {kKeep, "--keep",
     "carry over local changes that no rule explains also where the pull changes the file",
     &Options::keep},
    {kPack, "--pack", "the pack that takes the rules; made when there is none", nullptr,
     &Options::pack, "PACK"},
    {kLanguage, "--language", "the language that the pattern is written for", nullptr,
     &Options::language, "NAME"},
    {kRule, "--rule", "run the patterns of this rule", nullptr, &Options::rule,
     "PACK/LANGUAGE/RULE"},
    {kUpdate, "--update", "write after/ and outcomes from what comes out", &Options::update},
    {kHistory, "--history", "follow the rules along first parents of the repository (-C)", nullptr,
     &Options::history, "A..B"},
    {kAmend, "--amend", "make this rule of the pack say what the tree says at its place now",
     nullptr, &Options::amend, "RULE"},
    {kFixture, "--fixture",
     "also write the changed files before and after as a test of the pack, PACK/tests/NAME",
     &Options::fixture},
    {kCc, "--cc",
     "the compute capabilities that are asked: 12.0, 12.0,12.1, or auto for this machine's GPU",
     nullptr, &Options::cc, "CC"},
    {kSince, "--since", "only places that were not there at this revision", nullptr,
     &Options::since, "REV"},
    {kFix, "--fix", "write what is certain: rows that a table lacks, or has with another value",
     &Options::fix},
    {kSyntaxOnly, "--syntax-only", "do not run portpatch-cc", &Options::syntax_only},
    {kVerbose, "--verbose", "every place, and no limit on any list", &Options::verbose},
    {kBuild, "-p", "build folder with compile_commands.json, for portpatch-cc", nullptr,
     &Options::build, "BUILD"},
    {kInclude, "-I", "folder with headers, for portpatch-cc; may be given more than once", nullptr,
     nullptr, "DIR", &Options::includes},
    {kCudaPath, "--cuda-path", "a CUDA toolkit whose headers portpatch-cc uses", nullptr,
     &Options::cuda_path, "DIR"},
    {kExplain, "--explain", "say why each directive and anchor was chosen", &Options::explain},
};

constexpr const char* kFooter =
    "Exit status: 0 nothing needs a person; 1 something does; 2 the command, the pack or the "
    "machine is at fault.\n"
    "The rule language: rules/README.md. Start: portpatch status rules/sm120";

void add_command(CLI::App& app, const Command& command, Options& options) {
  auto* sub = app.add_subcommand(command.name, command.summary);
  sub->footer(command.help);
  sub->fallthrough();  // so that -C and --format may stand behind the command too
  if (command.is_hidden) sub->group("");
  if (const auto& arguments = command.arguments; !arguments.name.empty()) {
    auto* positional = sub->add_option(arguments.name, options.arguments, arguments.help)
                           ->expected(arguments.least, arguments.most);
    if (arguments.least > 0) positional->required();
  }
  for (const auto flag : command.flags) {
    const auto* row = std::ranges::find(kFlags, flag, &FlagRow::flag);
    if (row->is_set != nullptr)
      sub->add_flag(row->name, options.*(row->is_set), row->help);
    else if (row->values != nullptr)
      sub->add_option(row->name, options.*(row->values), row->help)
          ->type_name(row->type)
          ->allow_extra_args(false);
    else
      sub->add_option(row->name, options.*(row->value), row->help)->type_name(row->type);
  }
}

Diagnostic unknown_command(std::string_view word) {
  std::vector<std::string> names;
  for (const auto& command : kCommands) {
    if (!command.is_hidden) names.push_back(command.name);
  }
  const auto near = nearest(word, names);
  return {.code = "unknown-command",
          .message = fmt::format("`{}` is no command of portpatch", word),
          .remedy = near
                        ? fmt::format("did you mean `portpatch {}`?", *near)
                        : fmt::format("commands are: {}; see portpatch --help", join(names, ", "))};
}

/// How many words stand before the `--` behind which arguments for another program begin.
std::size_t own_words(std::span<const char* const> words) {
  const auto end = std::ranges::find(words, std::string_view("--"),
                                     [](const char* word) { return std::string_view(word); });
  const auto hands_on = std::any_of(words.begin(), end, [](const char* word) {
    const auto* command = std::ranges::find(kCommands, std::string_view(word), &Command::name);
    return command != std::end(kCommands) && command->hands_on;
  });
  return hands_on ? static_cast<std::size_t>(end - words.begin()) : words.size();
}

/// The formats beside text and json, and the commands that have them.
struct FormatRow {
  std::string name, help;
  std::vector<std::string_view> commands;
};

std::vector<FormatRow> format_rows() {
  std::vector<FormatRow> rows;
  for (const auto& format : finding_formats())
    rows.push_back({std::string(format.name),
                    std::string(format.help),
                    {"status", "check", "audit", "review"}});
  rows.push_back({"html", "a page", {"status", "check", "audit", "review", "timeline"}});
  return rows;
}

std::string format_help() {
  std::string help = "text or json; of status, check, audit and review also";
  for (const auto& row : format_rows())
    help += fmt::format("{} {} ({})", help.ends_with("also") ? "" : ",", row.name, row.help);
  return help + ", of timeline html";
}

std::optional<Diagnostic> no_such_format(const Command& command, std::string_view format) {
  for (const auto& row : format_rows()) {
    if (row.name != format || std::ranges::find(row.commands, command.name) != row.commands.end())
      continue;
    return Diagnostic{.code = "format-of-other-command",
                      .message = fmt::format("`{}` has no --format {}", command.name, format),
                      .remedy = fmt::format("it has text and json; {} have {}",
                                            fmt::join(row.commands, ", "), format)};
  }
  return std::nullopt;
}

int dispatch(const CLI::App& app, const Options& options) {
  for (const auto& command : kCommands) {
    if (!app.got_subcommand(command.name)) continue;
    if (const auto error = no_such_format(command, options.format))
      return report_errors(options, {*error});
    try {
      return command.run(options);
    } catch (const OutOfMemory& error) {
      return report_errors(options, {out_of_memory(error.path())});
    } catch (const std::bad_alloc&) {
      return report_errors(options, {out_of_memory(last_reading())});
    } catch (const std::exception& error) {
      return report_errors(
          options, {{.code = "internal",
                     .message = fmt::format("portpatch failed: {}", error.what()),
                     .remedy = "run `portpatch undo` if a run was interrupted, and report this"}});
    }
  }
  return 2;
}

}  // namespace

std::span<const Command> command_table() { return kCommands; }

std::vector<OptionText> common_options() {
  return {{"-C", "work on the tree around this folder (pack paths stay relative to here)", "DIR"},
          {"--format", format_help(), "FORMAT"},
          {"--help", "print help and exit, behind a command that command's", ""},
          {"--version", "say what this program was made from, and exit", ""}};
}

std::vector<std::pair<std::string, std::string>> format_words() {
  std::vector<std::pair<std::string, std::string>> words{{"text", "for people"},
                                                         {"json", "for programs"}};
  for (const auto& row : format_rows()) words.emplace_back(row.name, row.help);
  return words;
}

std::vector<OptionText> options_of(const Command& command) {
  std::vector<OptionText> options;
  for (const auto flag : command.flags) {
    const auto* row = std::ranges::find(kFlags, flag, &FlagRow::flag);
    options.push_back({row->name, row->help, row->type});
  }
  return options;
}

int run_command_line(int count, const char* const* arguments) {
  Options options;
  CLI::App app{
      "portpatch keeps local patches alive on a fast-moving upstream: each edit is a rule that "
      "says what must\n"
      "hold where, and is applied again after every pull.",
      "portpatch"};
  app.footer(kFooter);
  const auto common = common_options();
  const auto option = [&](std::string_view name) -> const OptionText& {
    return *std::ranges::find(common, name, &OptionText::name);
  };
  std::vector<std::string> formats;
  for (const auto& [name, help] : format_words()) formats.push_back(name);
  app.set_version_flag("--version", version_text, option("--version").help);
  app.require_subcommand(1);
  app.add_option("-C", options.folder, option("-C").help)->type_name(option("-C").value);
  app.add_option("--format", options.format, option("--format").help)
      ->check(CLI::IsMember(formats))
      ->type_name(option("--format").value);
  for (const auto& command : kCommands) add_command(app, command, options);
  const std::span<const char* const> words(arguments, static_cast<std::size_t>(count));
  const auto mine = words.first(own_words(words));
  if (mine.size() < words.size())
    options.handed_on.assign(words.begin() + static_cast<std::ptrdiff_t>(mine.size()) + 1,
                             words.end());
  try {
    app.parse(static_cast<int>(mine.size()), mine.data());
  } catch (const CLI::ParseError& error) {
    const auto unknown = app.get_subcommands().empty() ? app.remaining()
                                                       : std::vector<std::string>();
    if (error.get_exit_code() != 0 && !unknown.empty())
      return report_errors(options, {unknown_command(unknown[0])});
    return app.exit(error) == 0 ? 0 : 2;
  }
  const int status = dispatch(app, options);
  return is_output_whole() ? status : 2;
}

}  // namespace portpatch
