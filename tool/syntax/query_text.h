// A reader of query notation as text. tree-sitter compiles queries but tells neither where a
// predicate stands nor more than the first mistake; this reader gives both, and the literals that
// every match must contain.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace portpatch {

/// One item of the notation with its place in the file.
struct QueryItem {
  enum class Kind {
    kList,         ///< ( ... ): a node, a group or a predicate
    kAlternation,  ///< [ ... ]
    kString,       ///< "...", `text` is decoded
    kCapture,      ///< @name, `text` without the @
    kField,        ///< name:
    kQuantifier,   ///< ? * +
    kWord,         ///< anything else: node kinds, _, ., !field, #predicate
  };
  Kind kind;
  ByteRange range;
  std::string text;
  std::vector<QueryItem> items;  ///< of a list or an alternation

  [[nodiscard]] bool is_predicate() const {
    return kind == Kind::kList && !items.empty() && items[0].text.starts_with('#');
  }
};

/// One top-level pattern: a list, alternation or string with its captures and quantifier.
struct PatternText {
  ByteRange range;
  std::vector<QueryItem> items;
};

struct QueryText {
  std::vector<PatternText> patterns;
  std::string header;  ///< the comment lines before the first pattern, without "; "
};

/// `text` as a string of the notation.
[[nodiscard]] std::string query_string(std::string_view text);

/// Fails with "query-syntax" at the first unbalanced bracket, open string or stray character.
[[nodiscard]] Result<QueryText> read_query_text(std::string_view path, std::string_view text);

/// All predicates and directives of a pattern, in order.
[[nodiscard]] std::vector<const QueryItem*> predicates_of(const PatternText& pattern);
/// Names of the captures that `pattern` defines, sorted.
[[nodiscard]] std::vector<std::string> captures_of(const PatternText& pattern);
/// The capture that is named first in the pattern's text; empty when it has none.
[[nodiscard]] std::string first_capture(const PatternText& pattern);

/// A name that all code equal to a piece of code has; empty when none is certain.
using NameInCode = std::function<std::string(std::string_view code)>;

/// Literals that must occur in the text of every match: for each group at least one of its strings.
/// Taken from #eq?, #any-of?, #reads? and a single #in-scope? on captures that every match binds.
/// Empty: nothing is required.
[[nodiscard]] std::vector<std::vector<std::string>> required_literals(
    const PatternText& pattern, const NameInCode& name_in_code);

/// A regular expression for #match? of what begins with `text`.
[[nodiscard]] std::string regex_of_beginning(std::string_view text);

}  // namespace portpatch
