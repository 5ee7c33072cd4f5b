// Runs each target on the inputs of past findings: portpatch_fuzz_replay FOLDER, with the inputs of
// a target in FOLDER/TARGET/. What is broken ends the process.
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "base/files.h"
#include "tests/fuzz/target.h"

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  if (argc != 2) {
    std::cerr << "usage: portpatch_fuzz_replay FOLDER\n";
    return 2;
  }
  for (const auto& target : portpatch::fuzz::kTargets) {
    std::vector<std::string> paths;
    const auto folder = fs::path(argv[1]) / target.name;
    if (fs::is_directory(folder)) {
      for (const auto& entry : fs::directory_iterator(folder)) paths.push_back(entry.path());
    }
    std::ranges::sort(paths);
    for (const auto& path : paths) {
      std::cout << path << std::endl;  // known when the process ends in it
      portpatch::fuzz::run_input(target, *portpatch::read_file(path));
    }
  }
}
