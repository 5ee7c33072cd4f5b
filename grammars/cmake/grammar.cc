// CMake's grammar, after the manual page cmake-language(7) and what its lexer does beyond it.
#include "cmake/lexer.h"
#include "grammar_text.h"
#include "parse_table.h"

namespace portpatch::grammars {

namespace {

/// `_end` is the end of a command's line: CMake takes no second command there. It has no width.
/// What conditions are made of has rules of its own: there AND and OR are no arguments. `a=b:`
/// makes nodes that queries call b. In conditions AND and OR bind alike, from the left (cmake
/// --help-command if).
constexpr std::string_view kGrammar = R"~(
file: _statement*
_statement: command | if_block | foreach_block | while_block | function_definition | macro_definition | scope_block
body: _statement+
command: name:identifier arguments:argument_list _end
argument_list: "(" ")" | "(" first:_argument ")" | "(" first:_argument second:_argument _argument* ")"
_argument: unquoted_argument | quoted_argument | bracket_argument | group
group: "(" _argument* ")"
unquoted_argument: _first_piece _next_piece*
_first_piece: _text | variable_reference
_next_piece: _next_text | _next_variable
quoted_argument: """ _quoted_piece* """
_quoted_piece: _quoted_text | variable_reference
if_block: "if" "(" condition:_condition? ")" _end body:body? alternative:elseif_clause* alternative:else_clause? "endif" argument_list _end
elseif_clause: "elseif" "(" condition:_condition? ")" _end body:body?
else_clause: "else" argument_list _end body:body?
_condition: boolean_operator | _operand
boolean_operator: left:_condition operator:"AND" right:_operand | left:_condition operator:"OR" right:_operand
_operand: test | not_operator | parenthesized_condition
not_operator: "NOT" argument:_operand
parenthesized_condition: "(" _condition ")"
test: _test_argument+
_test_argument: test_unquoted | test_quoted | bracket_argument
test_unquoted=unquoted_argument: _test_piece _test_next*
_test_piece: _text | variable_reference
_test_next: _next_text | _next_variable
test_quoted=quoted_argument: """ _quoted_piece* """
foreach_block: "foreach" arguments:argument_list _end body:body? "endforeach" argument_list _end
while_block: "while" "(" condition:_condition? ")" _end body:body? "endwhile" argument_list _end
function_definition: "function" signature:signature _end body:body? "endfunction" argument_list _end
macro_definition: "macro" signature:signature _end body:body? "endmacro" argument_list _end
signature: "(" name:_argument _argument* ")"
scope_block: "block" argument_list _end body:body? "endblock" argument_list _end
)~";

}  // namespace

}  // namespace portpatch::grammars

extern "C" const TSLanguage* tree_sitter_cmake() {
  using namespace portpatch::grammars;
  static const TSLanguage* const language = make_language(
      "cmake", read_grammar(kGrammar, cmake_tokens()), cmake_mode, lex_cmake);
  return language;
}
