// CMake's tokens. What a text is depends on where it stands: `if` names a block between commands
// and is an argument inside of one, blanks separate arguments and belong to a quoted one.
#pragma once

#include <cstdint>
#include <vector>

#include "grammar_text.h"

struct TSLexer;

namespace portpatch::grammars {

[[nodiscard]] const std::vector<Token>& cmake_tokens();
/// The way to lex where these tokens may come.
[[nodiscard]] std::uint16_t cmake_mode(const std::vector<bool>& accepted);
/// tree-sitter's lex function.
bool lex_cmake(TSLexer* lexer, std::uint16_t mode);

}  // namespace portpatch::grammars
