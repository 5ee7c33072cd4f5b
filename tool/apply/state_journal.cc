#include "apply/state_journal.h"

#include <charconv>
#include <csignal>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "apply/journal_file.h"
#include "base/files.h"
#include "base/text.h"

namespace portpatch {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;
constexpr std::size_t kStartTimeField = 20;  // of /proc/PID/stat, counted behind the program's name

JournalFile journal_file(const WorkTree& tree) { return {tree, "state.json"}; }

int pid_of(std::string_view mark) {
  int pid = 0;
  std::from_chars(mark.data(), mark.data() + mark.size(), pid);
  return pid;
}

}  // namespace

Result<std::optional<StateJournal>> read_state_journal(const WorkTree& tree, FileSystem& files) {
  const auto file = journal_file(tree);
  const auto text = file.read(files);
  if (!text) return std::unexpected(text.error());
  if (!*text) return std::nullopt;
  try {
    const auto json = Json::parse(**text);
    if (json.at("format").get<int>() != kFormat)
      return file.damaged("it is of a format that this portpatch does not know");
    return StateJournal{.id = json.at("run").get<std::string>(),
                        .command = json.at("command").get<std::string>(),
                        .is_changing = json.at("changing").get<bool>(),
                        .git_process = json.at("git_process").get<std::string>(),
                        .commits = json.at("commits").get<std::vector<std::string>>()};
  } catch (const std::exception& error) {
    return file.damaged(error.what());
  }
}

Result<void> write_state_journal(const WorkTree& tree, FileSystem& files,
                                 const StateJournal& journal) {
  const Json json{{"format", kFormat},
                  {"run", journal.id},
                  {"command", printable(journal.command)},
                  {"changing", journal.is_changing},
                  {"git_process", journal.git_process},
                  {"commits", journal.commits}};
  return journal_file(tree).write(files, json.dump(2) + "\n");
}

Result<void> remove_state_journal(const WorkTree& tree, FileSystem& files) {
  return journal_file(tree).remove(files);
}

std::string process_mark(int pid) {
  const auto text = read_file(fmt::format("/proc/{}/stat", pid));
  if (!text) return ::kill(pid, 0) == 0 ? fmt::format("{}", pid) : "";
  // The program's name, in brackets, may hold anything.
  const auto words = split(std::string_view(*text).substr(text->rfind(')') + 1), ' ');
  if (words.size() > 1 && (words[1] == "Z" || words[1] == "X"))
    return "";  // ended, and nobody has asked how
  return fmt::format("{} {}", pid, words.size() > kStartTimeField ? words[kStartTimeField] : "");
}

bool is_running(const std::string& mark) {
  return !mark.empty() && process_mark(pid_of(mark)) == mark;
}

Result<StateLock> state_lock(const WorkTree& tree) {
  const auto path = tree.state_dir + "/state.lock";
  const auto is_taken = is_held(path);
  if (!is_taken) return std::unexpected(is_taken.error());
  if (!*is_taken) return StateLock::kFree;
  const auto holder = read_file(path);
  return holder && pid_of(*holder) == ::getpid() ? StateLock::kThisProcess
                                                 : StateLock::kOtherProcess;
}

Result<RunLock> take_state_lock(const WorkTree& tree, FileSystem& files) {
  if (auto made = make_state_folder(tree, files); !made) return std::unexpected(made.error());
  return take_lock(tree, files, tree.state_dir + "/state.lock");
}

}  // namespace portpatch
