// Colours for source text, from the highlight queries that come with the grammars.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/pattern_set.h"

namespace portpatch {

/// A piece of a text and what kind of words it holds: "keyword", "string", "number", "comment",
/// "constant", "function", "type", "property", "operator", or empty.
struct HighlightSpan {
  ByteRange range;
  std::string_view kind;
};

/// Reads each language's queries once. For one thread.
class Highlighter {
 public:
  /// `text` in pieces, in order and without gaps; one piece where the language has no queries or
  /// the text cannot be parsed. A part of a file is parsed as an expression, a statement, ... where
  /// one fits. Of several patterns that match a node the last counts, unless it only says less:
  /// "string" after "string.key".
  [[nodiscard]] std::vector<HighlightSpan> spans(const Language& language, std::string_view text);

  /// The patterns of a language; none when it has no queries, or they cannot be read.
  [[nodiscard]] const PatternSet* patterns(const Language& language);

 private:
  std::map<std::string, PatternSet, std::less<>> patterns_;
};

}  // namespace portpatch
