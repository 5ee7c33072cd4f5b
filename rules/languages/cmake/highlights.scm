; Colours for CMake (there is no package with its grammar).
(command name: (identifier) @function)
[(quoted_argument) (bracket_argument)] @string
(variable_reference) @property
((unquoted_argument) @number
 (#match? @number "^[0-9][0-9.]*$"))
((unquoted_argument) @constant
 (#match? @constant "^[A-Z][A-Z_]*$"))
(function_definition signature: (signature name: (_) @function))
(macro_definition signature: (signature name: (_) @function))
["if" "elseif" "else" "endif" "foreach" "endforeach" "while" "endwhile" "function" "endfunction" "macro" "endmacro"
 "block" "endblock"] @keyword
["AND" "OR" "NOT"] @keyword
(line_comment) @comment
(bracket_comment) @comment
