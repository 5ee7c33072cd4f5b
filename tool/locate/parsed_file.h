// A file as the finder and the editor see it: its text, its tree, and for languages with a
// preprocessor the trees of its masked variants.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "syntax/preprocessor.h"
#include "syntax/source_tree.h"

namespace portpatch {

/// One reading of a file: the whole text (index 0), or a variant with conditionals masked.
struct Reading {
  SourceTree tree;
  std::vector<ByteRange> masked;  ///< empty for the whole text
};

class ParsedFile {
 public:
  /// Parses `text`; variants are made when the grammar leaves errors in a text with conditionals.
  [[nodiscard]] static Result<ParsedFile> parse(const Language& language, std::string path,
                                                std::string text);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string_view text() const { return readings_[0].tree.text(); }
  [[nodiscard]] const SourceTree& tree() const { return readings_[0].tree; }
  [[nodiscard]] const Language& language() const { return tree().language(); }
  [[nodiscard]] const std::vector<Reading>& readings() const { return readings_; }
  /// Does reading `index` show all of `range`?
  [[nodiscard]] bool shows(std::size_t index, ByteRange range) const;
  /// True when `range` is shown by every variant that shows `around`: it does not depend on a
  /// conditional inside of `around`.
  [[nodiscard]] bool is_unconditional(ByteRange range, ByteRange around) const;

 private:
  ParsedFile(std::string path, std::vector<Reading> readings)
      : path_(std::move(path)), readings_(std::move(readings)) {}

  std::string path_;
  std::vector<Reading> readings_;
};

}  // namespace portpatch
