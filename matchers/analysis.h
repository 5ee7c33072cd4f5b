// One file through all the parses it needs: as it stands, with other branches of #if, and for each
// cc that is asked; what they show is joined, each place told once.
#pragma once

#include <string>
#include <vector>

#include "looked_at.h"
#include "place.h"

namespace portpatch::matchers {

struct AnalysisOptions {
  std::vector<Capability> capabilities;  ///< that are asked
  std::vector<std::string> arguments;    ///< -I, -D of the command line
  std::string build;                     ///< folder with compile_commands.json; empty: none
  std::string cuda_path;                 ///< of a CUDA toolkit: then nothing is hermetic
  std::string matcher;
};

struct FileReport {
  std::string path;
  std::string failure;  ///< why there is no place: "Clang crashed", "out of time"; empty otherwise
  std::vector<std::string> unresolved;  ///< names that Clang did not find, in the file as it stands
  std::vector<std::string> architectures;  ///< that the compile command builds for, as spelled
  int parses = 0;
  LookedAt looked_at;  ///< all other paths that the answer hangs on, there or not
  std::vector<CcPlace> places;
};

/// `text` is what stands in `path`.
[[nodiscard]] FileReport analyse(const std::string& path, const std::string& text,
                                 const AnalysisOptions& options);

}  // namespace portpatch::matchers
