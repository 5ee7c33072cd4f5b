// portpatch-cc: places of C++ and CUDA sources that depend on a compute capability, as JSON.
#include <cstdio>
#include <string>

#include "json.h"
#include "options.h"
#include "workers.h"

int main(int count, char** arguments) {
  using namespace portpatch::matchers;  // NOLINT(google-build-using-namespace)
  const auto options = read_options(count, arguments);
  if (!options) {
    std::fputs(render(options.error(), false).c_str(), stderr);
    return 2;
  }
  const auto output = options->print.empty()
                          ? document_json(options->analysis.capabilities, analyse_files(*options))
                          : options->print;
  const bool is_written = std::fwrite(output.data(), 1, output.size(), stdout) == output.size() &&
                          std::fflush(stdout) == 0;
  return is_written ? 0 : 2;
}
