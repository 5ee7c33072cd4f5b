// The command line of portpatch-cc.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "analysis.h"
#include "base/diagnostic.h"

namespace portpatch::matchers {

struct CcOptions {
  AnalysisOptions analysis;
  std::chrono::seconds time_limit{60};
  std::size_t memory_megabytes = 4096;
  unsigned jobs = 1;
  bool tell_reads = false;         ///< print what else each answer hangs on
  std::vector<std::string> files;  ///< as given, sorted, each once
  std::string print;               ///< text to print instead of working: help or version
};

/// Fails with a remedy where the command line is at fault.
[[nodiscard]] Result<CcOptions> read_options(int count, const char* const* arguments);

}  // namespace portpatch::matchers
