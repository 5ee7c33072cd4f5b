; Which node plays which part in CMake.

; ---- containers: arguments in a row, between blanks ----
(argument_list) @sequence @arguments @positional
(group) @sequence
(signature) @arguments @positional
(signature name: (_) @header)
(command arguments: (argument_list) @inner) @wrapper
(foreach_block arguments: (argument_list) @inner) @wrapper
; set(VAR a b), list(APPEND VAR a b)
((command name: (identifier) @_c arguments: (argument_list first: (_) @name @header))
 (#match? @_c "(?i)^set$"))
((command name: (identifier) @_c arguments: (argument_list first: (_) @header second: (_) @name @header))
 (#match? @_c "(?i)^list$"))
; set(VAR a b PARENT_SCOPE), set(VAR a b CACHE STRING "...")
((command name: (identifier) @_c arguments: (argument_list (unquoted_argument) @trailer))
 (#match? @_c "(?i)^set$")
 (#any-of? @trailer "PARENT_SCOPE" "CACHE"))
((command name: (identifier) @_c arguments: (argument_list (unquoted_argument) @_k (_) @trailer))
 (#match? @_c "(?i)^set$")
 (#eq? @_k "CACHE"))
((command name: (identifier) @_c arguments: (argument_list first: (_) @name))
 (#not-match? @_c "(?i)^(set|list|string|file|math|get_property|set_property)$"))
((command name: (identifier) @_c arguments: (argument_list second: (_) @name))
 (#match? @_c "(?i)^(string|file|math|get_property|set_property)$"))

; "80;90;120a" and 80;90
[(quoted_argument) (unquoted_argument)] @text
(quoted_argument) @string
[(unquoted_argument) (bracket_argument)] @label

; ---- statements, scopes ----
[(file) (body)] @block
(function_definition signature: (signature name: (_) @scope.name)) @scope @define
(macro_definition signature: (signature name: (_) @scope.name)) @scope @define
(signature name: (_) @define.name @definition)
((command name: (identifier) @_c arguments: (argument_list first: (_) @define.name)) @define @define.constant
 (#match? @_c "(?i)^(set|option)$"))
(command name: (identifier) @reference)
(variable_reference) @reference @member
((command name: (identifier) @_c) @prologue
 (#match? @_c "(?i)^(cmake_minimum_required|project)$"))
[(elseif_clause) (else_clause)] @statement

; ---- ladders ----
[(if_block condition: (_) @rung.condition)
 (elseif_clause condition: (_) @rung.condition)] @rung
; none where the branch is empty
[(if_block body: (body) @rung.body)
 (elseif_clause body: (body) @rung.body)]
(if_block alternative: (_) @rung.rest)
(boolean_operator operator: "AND") @conjunction
(boolean_operator operator: "OR") @disjunction
(not_operator) @negation
(parenthesized_condition) @group @layout
