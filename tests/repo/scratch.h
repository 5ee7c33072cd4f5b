// A folder for one test, removed after it, and git in it without the machine's configuration.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>

#include <sys/stat.h>
#include <sys/wait.h>

#include "base/files.h"
#include "repo/work_tree.h"

namespace portpatch::test {

namespace fs = std::filesystem;

class Scratch {
 public:
  Scratch() {
    ::setenv("HOME", "/nonexistent", 1);
    ::setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
    ::setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
    for (const auto* who : {"AUTHOR", "COMMITTER"}) {
      ::setenv(("GIT_" + std::string(who) + "_NAME").c_str(), "test", 1);
      ::setenv(("GIT_" + std::string(who) + "_EMAIL").c_str(), "test@localhost", 1);
    }
    // In memory where that can be had: the transactions under test sync every step.
    std::string name = fs::is_directory("/dev/shm") ? "/dev/shm" : "/tmp";
    name += "/portpatch-test-XXXXXX";
    path_ = fs::canonical(::mkdtemp(name.data())).string();
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string path(const std::string& name) const { return path_ + "/" + name; }

  /// Writes a file, making its folders.
  void write(const std::string& name, std::string_view bytes, unsigned mode = 0644) const {
    fs::create_directories(fs::path(path(name)).parent_path());
    std::ofstream(path(name), std::ios::binary) << bytes;
    ::chmod(path(name).c_str(), mode);
  }
  [[nodiscard]] std::string read(const std::string& name) const {
    auto bytes = read_file(path(name));
    return bytes ? *bytes : "(" + bytes.error().message + ")";
  }

  /// Runs shell commands in the folder and returns what they print; throws when they fail.
  std::string run(const std::string& commands) const {
    const auto line = "cd '" + path_ + "' && set -e; " + commands;
    FILE* pipe = ::popen(line.c_str(), "r");
    std::string output;
    char buffer[4096];
    for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
      output.append(buffer, got);
    }
    if (::pclose(pipe) != 0) throw std::runtime_error("failed: " + commands + "\n" + output);
    return output;
  }

 private:
  std::string path_;
};

struct FileState {
  std::string bytes;
  unsigned mode = 0;
  bool operator==(const FileState&) const = default;
};
using TreeState = std::map<std::string, FileState>;

inline void PrintTo(const FileState& state, std::ostream* out) {
  *out << std::oct << state.mode << std::dec << " " << state.bytes;
}

/// Every file below `folder` but those of git and portpatch.
inline TreeState state_of(const std::string& folder) {
  TreeState state;
  for (fs::recursive_directory_iterator it(folder), end; it != end; ++it) {
    const auto name = it->path().filename();
    if (name == ".git" || name == ".portpatch") {
      it.disable_recursion_pending();
    } else if (it->is_regular_file()) {
      struct stat info{};
      ::stat(it->path().c_str(), &info);
      const auto bytes = read_file(it->path().string());
      state[it->path().string().substr(folder.size() + 1)] = {
          .bytes = bytes ? *bytes : "(unreadable)", .mode = info.st_mode & 07777U};
    }
  }
  return state;
}

/// The work tree at `folder`; throws when it cannot be opened.
inline WorkTree open_tree(const std::string& folder) {
  auto tree = open_work_tree(folder);
  if (!tree) throw std::runtime_error(tree.error().message);
  return *tree;
}

}  // namespace portpatch::test
