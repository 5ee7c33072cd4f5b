// A grammar as text, for languages that have no tree-sitter package. tree-sitter's own generator
// makes C source from JavaScript; a small language needs neither: its grammar is read from this
// notation and its tables are made when the language is first asked for (parse_table.h).
//
//   if_block: "if" "(" condition:_condition? ")" _end body:body? alternative:elseif_clause* "endif"
//   argument_list _end
//
// One rule a line, the start rule first; `|` between ways to write one; `?`, `*`, `+` behind one
// symbol; `field:` before it. A name that begins with `_` makes no node of its own; `a=b:` is a
// rule a whose nodes queries call b.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace portpatch::grammars {

/// A token that the language's lexer makes; its number is its place in the list.
struct Token {
  std::string_view name;   ///< as the grammar names it
  std::string_view shown;  ///< as queries name it; empty: the same
  bool named = true;       ///< `(comment)`, not `"("`
  bool extra = false;      ///< may stand anywhere: a comment
};

struct Symbol {
  std::string name;
  bool visible = true;
  bool named = true;
  bool repeat = false;  ///< one or more of another symbol: `R: R R | x`
};

struct Part {
  std::uint16_t symbol = 0;
  std::uint16_t field = 0;  ///< 0: none; else its place in Grammar::fields, counted from 1
};

struct Production {
  std::uint16_t symbol = 0;
  std::vector<Part> parts;
};

struct Grammar {
  std::vector<Symbol> symbols;  ///< tokens first; number 0 is the end of the file
  std::uint16_t token_count = 0;
  std::uint16_t start = 0;
  std::vector<bool> extra;          ///< by token
  std::vector<std::string> fields;  ///< sorted
  std::vector<Production> productions;
};

/// Reads the notation above. `tokens` begins with the end of the file. A mistake in the grammar is
/// a broken build and ends the program with a message; the language's tests find it first.
[[nodiscard]] Grammar read_grammar(std::string_view text, const std::vector<Token>& tokens);

/// Ends the program: the grammar is wrong, not its input.
[[noreturn]] void broken_grammar(const std::string& message);

}  // namespace portpatch::grammars
