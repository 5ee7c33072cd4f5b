// Source text on a page: with colours, side by side, and as a diff.
#pragma once

#include <string_view>
#include <vector>

#include "report/page/html.h"
#include "report/report.h"
#include "syntax/highlight.h"

namespace portpatch {

class CodeView {
 public:
  /// A block of code in the language of the file `path`; plain where that is none that portpatch
  /// knows.
  void block(Html& html, std::string_view path, std::string_view code);

  struct Versions {
    std::string_view base, ours, theirs;
  };
  /// The two sides of a conflict and what was there before, beside each other where there is room.
  /// The words that the sides have not in common are marked.
  void side_by_side(Html& html, std::string_view path, const Versions& versions);

  /// A unified diff of one file (or several), its lines marked as added and removed, with the
  /// colours of the files' language.
  void diff(Html& html, std::string_view unified);

 private:
  /// Of the whole code; plain where the language is none.
  std::vector<HighlightSpan> spans_of(const Language* language, std::string_view code);
  void put_code(Html& html, const Language* language, std::string_view code,
                const std::vector<ByteRange>& marked);

  Highlighter highlighter_;
};

}  // namespace portpatch
