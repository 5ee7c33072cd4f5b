#include "cli/complete.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "apply/transaction.h"
#include "cli/output.h"

namespace portpatch {

namespace {

using Words = std::vector<std::pair<std::string, std::string>>;

/// The command line up to the word under the cursor.
struct Typed {
  const Command* command = nullptr;
  std::string folder = ".";        ///< of -C
  std::vector<std::string> flags;  ///< given so far
  std::size_t arguments = 0;       ///< given so far, behind the command
  std::string expects;             ///< the flag whose value comes now; empty: none
  bool is_handed_on = false;       ///< behind `--`: another program's
};

Words run_ids(const Typed& typed) {
  Words words;
  const auto tree = open_work_tree(typed.folder);
  const auto runs = tree ? list_runs(*tree) : std::unexpected(tree.error());
  if (!runs) return words;
  for (const auto& run : *runs) words.emplace_back(run.id, run.command);
  return words;
}

/// What stands for a word of the usage lines ("PACK", "REV").
struct WordKind {
  std::string_view name;
  std::string_view files = {};
  Words words = {};
  std::function<Words(const Typed&)> ask = {};
  std::string_view later = {};  ///< the kind of the arguments behind the first; empty: the same
};

std::span<const WordKind> word_kinds() {
  static const WordKind kKinds[] = {
      {.name = "PACK", .files = "packs"},
      {.name = "RULE", .files = "packs"},
      {.name = "PACK/LANGUAGE/RULE", .files = "packs"},
      {.name = "PATH", .files = "files"},
      {.name = "CHANGE", .files = "files"},
      {.name = "PATTERN", .later = "PATH"},
      {.name = "FILE[:LINE]", .files = "files"},
      {.name = "DIR", .files = "folders"},
      {.name = "BUILD", .files = "folders"},
      {.name = "RUN", .ask = run_ids},
      {.name = "CC", .words = {{"auto", "this machine's GPU"}}},
      {.name = "FORMAT", .words = format_words()},
      {.name = "ACTION",
       .words = {{"install", "write the hooks"},
                 {"uninstall", "put back what was there"},
                 {"status", "say how each hook stands"}},
       .later = "PACK"},
  };
  return kKinds;
}

/// What may stand behind the command, or in front of one.
std::vector<OptionText> options_for(const Command* command) {
  auto options = command == nullptr ? std::vector<OptionText>() : options_of(*command);
  for (const auto& option : common_options()) {
    if (command == nullptr || option.name != "--version") options.push_back(option);
  }
  return options;
}

std::optional<OptionText> option_named(const Command* command, std::string_view name) {
  const auto options = options_for(command);
  const auto found = std::ranges::find(options, name, &OptionText::name);
  return found == options.end() ? std::nullopt : std::optional(*found);
}

Typed read_words(std::span<const std::string> words) {
  Typed typed;
  for (const auto& word : words) {
    if (!typed.expects.empty()) {
      if (typed.expects == "-C") typed.folder = word;
      typed.expects.clear();
    } else if (word == "--") {
      typed.is_handed_on = true;
      return typed;
    } else if (word.starts_with("-")) {
      typed.flags.push_back(word.substr(0, word.find('=')));
      const auto option = option_named(typed.command, word);  // none with `=`: its value is there
      if (option && !option->value.empty()) typed.expects = word;
    } else if (typed.command == nullptr) {
      const auto table = command_table();
      const auto found = std::ranges::find(table, word, &Command::name);
      if (found == table.end()) return {.is_handed_on = true};
      typed.command = &*found;
    } else {
      ++typed.arguments;
    }
  }
  return typed;
}

Completion of_kind(std::string_view name, const Typed& typed, std::size_t before) {
  const auto kinds = word_kinds();
  const auto found = std::ranges::find(kinds, name, &WordKind::name);
  if (found == kinds.end()) return {};
  if (before > 0 && !found->later.empty()) return of_kind(found->later, typed, 0);
  return {.words = found->ask ? found->ask(typed) : found->words, .files = found->files};
}

Completion flags_for(const Typed& typed) {
  Completion completion;
  for (const auto& option : options_for(typed.command)) {
    const bool again = option.name != "-I" && std::ranges::count(typed.flags, option.name) > 0;
    if (!again) completion.words.emplace_back(option.name, option.help);
  }
  return completion;
}

Completion commands() {
  Completion completion;
  for (const auto& command : command_table()) {
    if (!command.is_hidden) completion.words.emplace_back(command.name, command.summary);
  }
  return completion;
}

Completion offer(const Typed& typed, std::string_view current) {
  if (typed.is_handed_on) return {};
  if (!typed.expects.empty())
    return of_kind(option_named(typed.command, typed.expects)->value, typed, 0);
  if (const auto equals = current.find('=');
      current.starts_with("--") && equals != std::string_view::npos) {
    const auto option = option_named(typed.command, current.substr(0, equals));
    auto completion = option ? of_kind(option->value, typed, 0) : Completion{};
    for (auto& [word, help] : completion.words) word.insert(0, current.substr(0, equals + 1));
    return completion;
  }
  if (current.starts_with("-")) return flags_for(typed);
  if (typed.command == nullptr) return commands();
  if (typed.arguments >= static_cast<std::size_t>(typed.command->arguments.most)) return {};
  return of_kind(typed.command->arguments.name, typed, typed.arguments);
}

}  // namespace

Completion complete(const std::vector<std::string>& words) {
  if (words.empty()) return {};
  auto completion = offer(read_words(std::span(words).first(words.size() - 1)), words.back());
  std::erase_if(completion.words,
                [&](const auto& word) { return !word.first.starts_with(words.back()); });
  return completion;
}

int run_complete(const Options& options) {
  const auto completion = complete(options.handed_on);
  std::string text;
  for (const auto& [word, help] : completion.words)
    text += fmt::format("{}\t{}\n", printable(word), printable(help));
  if (!completion.files.empty()) text += fmt::format(":{}\n", completion.files);
  print(text);
  return 0;
}

}  // namespace portpatch
