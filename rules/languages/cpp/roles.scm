; Which node plays which part in C, C++ and CUDA.

; ---- containers ----
(initializer_list) @sequence @map
(enumerator_list) @sequence @map
(template_argument_list) @sequence
(argument_list) @sequence @arguments @positional
(parameter_list) @arguments
(subscript_argument_list) @sequence
[(compound_statement) (translation_unit) (declaration_list) (field_declaration_list)
 (preproc_if) (preproc_ifdef) (preproc_else) (preproc_elif) (preproc_elifdef) (case_statement)
 (linkage_specification)] @block
(preproc_ifdef name: (_) @header)
(preproc_if condition: (_) @header)
(preproc_elif condition: (_) @header)
(preproc_elifdef name: (_) @header)
(preproc_elifdef alternative: (_) @header)
(preproc_if alternative: (_) @header)
(preproc_ifdef alternative: (_) @header)
(preproc_elif alternative: (_) @header)
(case_statement value: (_) @header)
(linkage_specification value: (_) @header)

; {key, value} and {.key = key, .value = value}
((initializer_list (initializer_list . (_) @key . (_) @value .) @entry)
 (#not-match? @key "^\\."))
(initializer_list
  (initializer_list . (initializer_pair value: (_) @entry.key) . (initializer_pair value: (_) @entry.value) .) @entry)
(initializer_pair designator: (_) @key value: (_) @value) @entry
(enumerator name: (_) @key value: (_) @value) @entry
(optional_parameter_declaration declarator: (identifier) @key default_value: (_) @value) @entry

(string_literal) @text

; std::vector<int>{...}, Map({...})
(compound_literal_expression value: (initializer_list) @inner) @wrapper
(call_expression arguments: (argument_list . (initializer_list) @inner .)) @wrapper
(parenthesized_expression (_) @inner) @wrapper
(init_declarator value: (initializer_list) @inner) @wrapper

; What has room for so many elements and no more: T a[3] = {...}, std::array<T, 3> a = {...}
(init_declarator declarator: (array_declarator size: (_) @size) value: (initializer_list)) @sized
(init_declarator declarator: (array_declarator declarator: (array_declarator size: (_) @size)) value: (initializer_list)) @sized
(field_declaration declarator: (array_declarator size: (_) @size) default_value: (initializer_list)) @sized
((declaration type: (qualified_identifier name: (template_type name: (_) @_t arguments: (template_argument_list (_) (_) @size)))) @sized
 (#eq? @_t "array"))
((declaration type: (template_type name: (_) @_t arguments: (template_argument_list (_) (_) @size))) @sized
 (#eq? @_t "array"))

; ---- statements, scopes, names ----
(init_declarator declarator: [(identifier) (array_declarator)] @name value: (_) @value)
; Only what is constant has the value that it is given.
((declaration (type_qualifier) @_q declarator: (init_declarator) @binding)
 (#any-of? @_q "const" "constexpr" "constinit"))
(init_declarator declarator: (identifier) @definition)
(init_declarator declarator: (array_declarator declarator: (identifier) @definition))
(init_declarator declarator: (array_declarator declarator: (array_declarator declarator: (identifier) @definition)))
(init_declarator declarator: (reference_declarator (identifier) @definition))
(preproc_include path: (_) @import.name) @import
((preproc_ifdef name: (_) @_a . (preproc_def name: (_) @_b) @prologue) @import.guard
 (#eq? @_a @_b))
((preproc_call directive: (_) @_d argument: (_) @_a) @prologue
 (#eq? @_d "#pragma")
 (#eq? @_a "once"))
(enumerator name: (identifier) @definition value: (_) @value) @binding
(enumerator name: (identifier) @definition)
(field_declaration declarator: (field_identifier) @definition default_value: (_) @value) @binding
(preproc_def name: (identifier) @definition)
(assignment_expression left: (identifier) @definition)
(identifier) @reference

(namespace_definition name: (_) @scope.name) @scope @scope.module
(namespace_definition) @scope @scope.module
(class_specifier name: (_) @scope.name) @scope @scope.class
(struct_specifier name: (_) @scope.name) @scope @scope.class
(function_definition declarator: (function_declarator declarator: (_) @scope.name)) @scope
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @scope.name))) @scope
(function_definition declarator: (reference_declarator (function_declarator declarator: (_) @scope.name))) @scope
(function_definition) @scope
(lambda_expression) @scope

; What ensure-definition! may add.
[(function_definition) (template_declaration)] @define
(declaration declarator: (init_declarator)) @define @define.constant
(field_declaration declarator: (field_identifier) @define.name default_value: (_)) @define @define.constant
(function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name) (destructor_name)] @define.name
  parameters: (_) @define.parameters)
(init_declarator declarator: (identifier) @define.name)
(init_declarator declarator: (array_declarator declarator: (identifier) @define.name))
(struct_specifier name: (_) @define.name body: (_)) @define
(class_specifier name: (_) @define.name body: (_)) @define
(union_specifier name: (_) @define.name body: (_)) @define
(enum_specifier name: (_) @define.name body: (_)) @define
(alias_declaration name: (_) @define.name) @define
(type_definition declarator: (_) @define.name) @define
(preproc_def name: (_) @define.name) @define @define.constant
(preproc_function_def name: (_) @define.name) @define @define.constant

[(else_clause) (case_statement) (access_specifier)] @statement

; ---- ladders ----
(if_statement condition: (_) @rung.condition consequence: (_) @rung.body) @rung
(if_statement alternative: (_) @rung.rest)
(case_statement value: (_) @rung.condition) @rung
(case_statement "default") @rung.default
(conditional_expression condition: (_) @rung.condition consequence: (_) @rung.body alternative: (_) @rung.rest) @choice
[(preproc_if condition: (_) @rung.condition) (preproc_elif condition: (_) @rung.condition)
 (preproc_ifdef name: (_) @rung.condition) (preproc_elifdef name: (_) @rung.condition)] @conditional
[(preproc_if alternative: (_) @rung.rest) (preproc_elif alternative: (_) @rung.rest)
 (preproc_ifdef alternative: (_) @rung.rest) (preproc_elifdef alternative: (_) @rung.rest)]
(preproc_defined) @defined
[(return_statement) (break_statement) (continue_statement) (goto_statement) (throw_statement) (co_return_statement)] @leave
(binary_expression operator: ["==" "!=" "<" "<=" ">" ">="]) @comparison
(unary_expression operator: "!") @negation
(call_expression function: (_) @callee) @call
(static_assert_declaration condition: (_) @asserted)
(throw_statement) @refusal
((expression_statement (call_expression function: (_) @_f)) @refusal
 (#any-of? @_f "abort" "std::abort" "exit" "std::exit" "std::terminate" "__trap" "__builtin_trap"))
((expression_statement (call_expression function: (identifier) @_f arguments: (argument_list . (_) @_a))) @refusal
 (#match? @_f "^(assert|[A-Z0-9_]*(CHECK|ASSERT|ENFORCE)[A-Z0-9_]*)$")
 (#any-of? @_a "false" "0"))
((return_statement (_) @_v) @refusal
 (#match? @_v "(?i)not_?(supported|implemented)[a-z_]*$"))
(switch_statement condition: (_) @subject)
(struct_specifier name: (template_type arguments: (_) @specialised))
(class_specifier name: (template_type arguments: (_) @specialised))
(function_declarator declarator: (template_function arguments: (_) @specialised))
(preproc_function_def value: (_) @macro.body)

; ---- values ----
(number_literal) @integer @float
(string_literal) @string
(raw_string_literal) @label
(char_literal) @label
(true) @true
(false) @false
(null) @null
(binary_expression) @binary
(unary_expression) @unary
(binary_expression operator: ["&&" "and"]) @conjunction
(binary_expression operator: ["||" "or"]) @disjunction
[(conditional_expression) (assignment_expression) (comma_expression)] @loose
(return_statement (_) @returned)
[(parenthesized_expression) (condition_clause)] @group
(concatenated_string) @join
