// Source text on a page: with colours, side by side, and as a diff.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "report/page/html.h"
#include "report/report.h"
#include "syntax/highlight.h"

namespace portpatch {

class CodeView {
 public:
  /// A block of code in the language of the file `path`; plain where that is none that portpatch knows.
  void block(Html& html, std::string_view path, std::string_view code);

  struct Column {
    std::string title, code;
  };
  /// The same text in several versions, beside each other where there is room. Lines that are not in all of them
  /// are marked.
  void side_by_side(Html& html, std::string_view path, std::span<const Column> columns);

  /// A unified diff of one file (or several), its lines marked as added and removed, with the colours of the
  /// files' language.
  void diff(Html& html, std::string_view unified);

 private:
  void put_code(Html& html, const Language* language, std::string_view code);

  Highlighter highlighter_;
};

}  // namespace portpatch
