// The LALR(1) states of a grammar (Aho, Lam, Sethi, Ullman, "Compilers", 4.7: LR(1) item sets,
// those of one core merged), and the tree-sitter language that is made of them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "grammar_text.h"

struct TSLanguage;
struct TSLexer;

namespace portpatch::grammars {

struct Action {
  enum class Kind : std::uint8_t { kShift, kShiftRepeat, kReduce, kAccept };
  Kind kind = Kind::kShift;
  std::uint16_t state = 0;       ///< to go to
  std::uint16_t production = 0;  ///< to reduce by
  bool operator==(const Action&) const = default;
};

/// What a state does, by symbol: actions for a token, one kShift for what was reduced. State 0 is
/// tree-sitter's error state and has none; 1 is the start.
struct State {
  std::vector<std::vector<Action>> on;
};

/// A conflict other than that of repeats ends the program: the grammar is wrong.
[[nodiscard]] std::vector<State> make_states(const Grammar& grammar);

/// Which of its ways to read a text the lexer is asked for, by the tokens that a state accepts.
using LexMode = std::function<std::uint16_t(const std::vector<bool>& accepted)>;

/// A language of tree-sitter; it lives as long as the program. `lex` gets the mode of the state, 0
/// for the error state, in which every token may come.
[[nodiscard]] const TSLanguage* make_language(const char* name, const Grammar& grammar,
                                              const LexMode& mode,
                                              bool (*lex)(TSLexer*, std::uint16_t));

}  // namespace portpatch::grammars
