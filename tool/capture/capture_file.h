// The change of one file as rules: each piece of it said by the most specific directive that brings
// it about exactly, found out by running the rule.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "capture/captured_edit.h"

namespace portpatch {

/// A piece of the change that no rule says.
struct UncapturedPiece {
  std::string path;
  std::size_t line = 0;    ///< in the changed file
  bool is_in_old = false;  ///< `line` is one of the old file: something went
  std::string text;        ///< its first line
  std::string reason;
  std::size_t changed_tokens = 0;
  std::vector<std::string> defines = {};  ///< names that came with it
};

struct FileCapture {
  std::vector<CapturedEdit> edits;
  std::vector<UncapturedPiece> refused;
  std::string text;          ///< the old file with all edits
  bool only_layout = false;  ///< comments and layout differ, the code does not
  std::vector<std::string>
      comments;  ///< that differ beyond the edits: "line 12: # new", "gone: # old"
};

/// Fails with what parsing fails with.
[[nodiscard]] Result<FileCapture> capture_file(const Language& language, const FileVersions& file);

}  // namespace portpatch
