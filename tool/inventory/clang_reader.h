// portpatch-cc (matchers/), which reads C++ and CUDA with Clang: found, run on files, its JSON
// read. It is a program of its own since it links LLVM, and it may be absent.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "inventory/place.h"

namespace portpatch {

struct ClangOptions {
  std::vector<Cc> cc;                      ///< that are asked
  std::string build = {};                  ///< folder with compile_commands.json (-p)
  std::vector<std::string> includes = {};  ///< -I
  std::string cuda_path = {};
  std::string matcher = {};  ///< a clang-query matcher
  std::string program = {};  ///< empty: find_clang_reader()
  std::string memory = {};  ///< folder in which answers are kept for the next time; empty: none are
  bool is_frozen = false;   ///< nobody else writes below the folder of the files meanwhile
  std::function<void(std::size_t done, std::size_t all)> progress = {};
};

/// The path of portpatch-cc: $PORTPATCH_CC, else beside this program, else in PATH. Fails with
/// "no-portpatch-cc".
[[nodiscard]] Result<std::string> find_clang_reader();

/// What Clang sees of the files `paths` below `folder`, in the order given. Where it saw nothing,
/// depth is "syntax only" with the reason: the program is not there, it failed on the file, or it
/// died. Fails with the program's own words where the options are at fault ("clang-options").
[[nodiscard]] Result<std::vector<CcFile>> read_with_clang(const std::string& folder,
                                                          const std::vector<std::string>& paths,
                                                          const ClangOptions& options);

/// The files of portpatch-cc's document. Fails with "clang-output": it is cut off, or of another
/// format.
[[nodiscard]] Result<std::vector<CcFile>> read_clang_json(std::string_view document);

}  // namespace portpatch
