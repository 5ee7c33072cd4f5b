#include "inventory/clang_reader.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <unistd.h>

#include "base/process.h"
#include "inventory/clang_memory.h"

namespace portpatch {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t
    kBatch = 128;            ///< files for one run: the progress, and the length of a command line
constexpr int kAtFault = 2;  ///< exit status: the command was wrong
/// It has limits of its own for each file; these are for a program that is broken, or is another
/// one.
constexpr std::chrono::seconds kStart{60}, kEachFile{4};
constexpr std::size_t kMostOutput = 256UL << 20;

bool is_program(const fs::path& path) {
  return ::access(path.c_str(), X_OK) == 0 && fs::is_regular_file(path);
}

std::vector<CcFile> unseen(std::span<const std::string> paths, const std::string& reason) {
  std::vector<CcFile> files;
  for (const auto& path : paths) files.push_back({.path = path, .reason = reason});
  return files;
}

class ClangRun {
 public:
  ClangRun(std::string program, const std::string& folder, const ClangOptions& options)
      : folder_(folder) {
    command_ = {std::move(program)};
    std::string asked;
    for (const auto& cc : options.cc) asked += (asked.empty() ? "" : ",") + cc_text(cc);
    if (!asked.empty()) command_.insert(command_.end(), {"--cc", asked});
    if (!options.build.empty())
      command_.insert(command_.end(), {"-p", fs::absolute(options.build)});
    for (const auto& include : options.includes)
      command_.insert(command_.end(), {"-I", fs::absolute(include)});
    if (!options.cuda_path.empty())
      command_.insert(command_.end(), {"--cuda-path", fs::absolute(options.cuda_path)});
    if (!options.matcher.empty()) command_.insert(command_.end(), {"--matcher", options.matcher});
    // Real headers are too many to be compared each time.
    if (!options.memory.empty() && options.cuda_path.empty()) {
      command_.emplace_back("--reads");
      memory_.emplace(options.memory, folder, options.is_frozen, join(command_, "\n"));
    }
    command_.emplace_back("--");
  }

  /// What is remembered, and what has to be asked.
  Result<std::vector<CcFile>> read(std::span<const std::string> paths) {
    if (!memory_) return ask(paths);
    std::vector<CcFile> files;
    std::vector<std::string> open;
    for (const auto& path : paths) {
      if (auto known = memory_->recall(path))
        files.push_back(std::move(*known));
      else
        open.push_back(path);
    }
    if (open.empty()) return files;
    auto asked = ask(open);
    if (!asked) return asked;
    std::ranges::move(*asked, std::back_inserter(files));
    return in_order(paths, std::move(files));
  }

 private:
  /// Halves what makes the program die until the file that does it is alone.
  Result<std::vector<CcFile>> ask(std::span<const std::string> paths) {
    auto arguments = command_;
    arguments.insert(arguments.end(), paths.begin(), paths.end());
    const auto ran = run_process({.arguments = std::move(arguments),
                                  .folder = folder_,
                                  .time_limit = kStart + kEachFile * paths.size(),
                                  .most_output = kMostOutput});
    if (!ran) return unseen(paths, ran.error().message);
    if (ran->status == kAtFault && !trim(ran->error).empty()) {
      return failure("clang-options",
                     fmt::format("portpatch-cc refuses its options: {}", trim(ran->error)),
                     "see portpatch-cc --help");
    }
    auto files = ran->status == 0
                     ? read_clang_json(ran->out)
                     : failure("clang-output",
                               fmt::format("portpatch-cc ended with status {}", ran->status));
    if (files) {
      if (memory_) memory_->remember(ran->out);
      return in_order(paths, std::move(*files));
    }
    if (paths.size() == 1) return unseen(paths, files.error().message);
    auto first = ask(paths.first(paths.size() / 2));
    const auto second = first ? ask(paths.subspan(paths.size() / 2)) : first;
    if (!second) return second;
    first->insert(first->end(), second->begin(), second->end());
    return first;
  }

  static std::vector<CcFile> in_order(std::span<const std::string> paths,
                                      std::vector<CcFile> files) {
    auto result = unseen(paths, "portpatch-cc says nothing of it");
    for (auto& file : result) {
      const auto found = std::ranges::find(files, file.path, &CcFile::path);
      if (found != files.end()) file = std::move(*found);
    }
    return result;
  }

  std::vector<std::string> command_;
  std::string folder_;
  std::optional<ClangMemory> memory_;
};

}  // namespace

Result<std::string> find_clang_reader() {
  constexpr std::string_view kName = "portpatch-cc";
  constexpr auto* kRemedy =
      "install or build it (package portpatch-cc; matchers/README.md), beside portpatch or in "
      "PATH, or name it in PORTPATCH_CC";
  if (const char* named = std::getenv("PORTPATCH_CC"); named != nullptr && *named != '\0') {
    if (is_program(named)) return fs::absolute(named).string();
    return failure("no-portpatch-cc",
                   fmt::format("PORTPATCH_CC is {}, which is no program", printable(named)),
                   "correct or unset it");
  }
  std::error_code error;
  if (const auto own = fs::read_symlink("/proc/self/exe", error);
      !error && is_program(own.parent_path() / kName))
    return (own.parent_path() / kName).string();
  const char* search = std::getenv("PATH");
  for (const auto folder : split(search == nullptr ? "" : search, ':')) {
    if (!folder.empty() && is_program(fs::path(folder) / kName))
      return (fs::path(folder) / kName).string();
  }
  return failure("no-portpatch-cc", "portpatch-cc is not there", kRemedy);
}

Result<std::vector<CcFile>> read_with_clang(const std::string& folder,
                                            const std::vector<std::string>& paths,
                                            const ClangOptions& options) {
  const auto program = options.program.empty() ? find_clang_reader()
                                               : Result<std::string>(options.program);
  if (!program) return unseen(paths, program.error().message);
  ClangRun run(*program, folder, options);
  std::vector<CcFile> files;
  for (std::size_t begin = 0; begin < paths.size(); begin += kBatch) {
    if (options.progress) options.progress(begin, paths.size());
    auto batch = run.read(std::span(paths).subspan(begin, std::min(kBatch, paths.size() - begin)));
    if (!batch) return batch;
    std::ranges::move(*batch, std::back_inserter(files));
  }
  return files;
}

}  // namespace portpatch
