// A directive's text printed in the house style of the place: quotes, indentation, one line or
// many, trailing commas, copied from the siblings that it will stand beside.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "edit/container.h"
#include "syntax/fragment.h"

namespace portpatch {

/// A line of code to be indented; `verbatim` ones begin inside a string and stay as they are.
struct CodeLine {
  std::string text;
  bool verbatim = false;
};
using CodeLines = std::vector<CodeLine>;

/// The lines joined, every one but the first and the verbatim ones behind `indent`.
[[nodiscard]] std::string join_lines(const CodeLines& lines, std::string_view indent,
                                     std::string_view line_break);

/// `text` as lines without common indentation, its levels turned into `unit`.
[[nodiscard]] CodeLines statement_lines(const Fragment& fragment, std::string_view unit);

/// The quote that all plain strings in `container` use, or 0 when they differ or there are none.
[[nodiscard]] char house_quote(const SourceTree& tree, const Node& container);
/// `text` with its plain string literals in `quote`, where their content allows it.
[[nodiscard]] std::string requote(const Language& language, std::string_view kind, std::string text,
                                  char quote);

/// How a value is to be printed.
struct ValueStyle {
  const SourceTree& tree;  ///< of the file
  Node model;              ///< a sibling's value to be like; may be null
  std::string indent;      ///< of the line that the value begins on
  std::size_t column = 0;  ///< where it begins on that line
};
/// The fragment's one node, printed like the model.
[[nodiscard]] std::string print_value(const Fragment& fragment, const ValueStyle& style);

}  // namespace portpatch
