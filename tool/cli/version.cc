#include <fmt/format.h>

#include "build_info.inc"
#include "cli/command.h"
#include "inventory/clang_reader.h"
#include "source_commit.inc"

namespace portpatch {

std::string version_text() {
  const auto reader = find_clang_reader();
  const std::pair<std::string_view, std::string> rows[] = {
      {"commit", PORTPATCH_COMMIT},
      {"build", PORTPATCH_BUILD_TYPE ", " PORTPATCH_COMPILER},
      {"libgit2", PORTPATCH_GIT2_SONAME ", opened when needed"},
      {"tree-sitter", PORTPATCH_TREE_SITTER_VERSION},
      {"grammars", PORTPATCH_GRAMMAR_VERSIONS},
      {"portpatch-cc", reader ? printable(*reader)
                              : fmt::format("none ({}); to read C++ with Clang, {}",
                                            reader.error().message, reader.error().remedy)}};
  std::string text = "portpatch " PORTPATCH_VERSION;
  for (const auto& [name, value] : rows) {
    if (!value.empty()) text += fmt::format("\n{:<14}{}", name, value);
  }
  return text;
}

}  // namespace portpatch
