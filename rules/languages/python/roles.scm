; Which node plays which part in Python. Capture names are the roles of tool/syntax/roles.h;
; captures that begin with an underscore only serve a predicate.

; ---- containers ----
(dictionary) @map @unordered
(list) @sequence
(tuple) @sequence @tuple
(set) @sequence @unordered
(expression_list) @sequence @tuple
(pattern_list) @sequence @tuple
(argument_list) @arguments
(parameters) @arguments
(block) @block
(module) @block
(string) @text

(pair key: (_) @key value: (_) @value) @entry
(keyword_argument name: (_) @key @member value: (_) @value) @entry
(default_parameter name: (_) @key value: (_) @value) @entry
(typed_default_parameter name: (_) @key value: (_) @value) @entry

(dictionary_splat) @spread
(list_splat) @spread
(list_splat_pattern) @spread
(dictionary_splat_pattern) @spread

; dict(a=1)
((call function: (identifier) @_f arguments: (argument_list) @map @inner) @wrapper
 (#any-of? @_f "dict" "OrderedDict"))

; OrderedDict([(key, value), ...]), dict([...])
((call function: (_) @_f
   arguments: (argument_list . [(list) (tuple)] @map @inner)) @wrapper
 (#any-of? @_f "dict" "OrderedDict" "collections.OrderedDict"))
(list (tuple . (_) @key . (_) @value .) @entry)
(tuple (tuple . (_) @key . (_) @value .) @entry)

; A call around one display: frozenset({...}), MappingProxyType({...}), defaultdict(list, {...})
((call function: (_) @_f
   arguments: (argument_list [(dictionary) (list) (tuple) (set)] @inner)) @wrapper
 (#match? @_f "^(\\w+\\.)*(frozenset|set|tuple|list|dict|OrderedDict|MappingProxyType|defaultdict|Counter|ChainMap|deque|namedtuple|cast)$"))
((call function: (_) @_f arguments: (argument_list . [(list) (tuple) (set)] @unordered))
 (#match? @_f "^(\\w+\\.)*(frozenset|set)$"))
(parenthesized_expression (_) @inner) @wrapper

; TABLE[10] = ...
(expression_statement
  (assignment left: (subscript value: (_) @row.table subscript: (_) @entry.key) right: (_) @entry.value)) @row @entry

; ---- statements, scopes, names ----
(assignment left: (_) @name right: (_) @value) @binding
(class_definition name: (identifier) @scope.name @definition) @scope @scope.class
(function_definition name: (identifier) @scope.name @definition) @scope
(lambda) @scope
[(list_comprehension) (set_comprehension) (dictionary_comprehension) (generator_expression)] @scope

(identifier) @reference
(attribute attribute: (identifier) @member)

(assignment left: (identifier) @definition)
(augmented_assignment left: (identifier) @definition)
[(pattern_list (identifier) @definition)
 (tuple_pattern (identifier) @definition)
 (list_pattern (identifier) @definition)
 (list_splat_pattern (identifier) @definition)
 (dictionary_splat_pattern (identifier) @definition)]
(named_expression name: (identifier) @definition)
(parameters (identifier) @definition)
(lambda_parameters (identifier) @definition)
(typed_parameter . (identifier) @definition)
(default_parameter name: (identifier) @definition)
(typed_default_parameter name: (identifier) @definition)
(import_statement name: (dotted_name . (identifier) @definition))
(import_from_statement name: (dotted_name (identifier) @definition))
(future_import_statement name: (dotted_name (identifier) @member))
(import_from_statement module_name: (dotted_name (identifier) @member))
(relative_import (dotted_name (identifier) @member))
(dotted_name (identifier) (identifier) @member)
(aliased_import name: (dotted_name (identifier) @member))
(aliased_import alias: (identifier) @definition)
(wildcard_import) @import.open

[(import_statement) (import_from_statement) (future_import_statement)] @import
(future_import_statement "__future__" @import.from) @import.first
(import_from_statement module_name: (_) @import.from)
(import_statement name: (_) @import.name)
(import_from_statement name: (_) @import.name)
(future_import_statement name: (_) @import.name)
((if_statement condition: (_) @_c consequence: (block) @import.types)
 (#any-of? @_c "TYPE_CHECKING" "typing.TYPE_CHECKING"))
((try_statement body: (block) @import.fallback (except_clause . (_) @_e))
 (#match? @_e "^\\W*(\\w+\\W+)*(ImportError|ModuleNotFoundError|Exception)\\b"))
(try_statement body: (block) @import.fallback (except_clause . (block)))
(expression_statement . (string) .) @prologue

(for_statement left: (identifier) @definition)
(for_in_clause left: (identifier) @definition)
(as_pattern_target (identifier) @definition)
(type_alias_statement left: (type (identifier) @definition))
(case_pattern (dotted_name . (identifier) @definition .))
(global_statement (identifier) @definition)
(nonlocal_statement (identifier) @definition)
(function_definition type_parameters: (type_parameter (type (identifier) @definition)))
(class_definition type_parameters: (type_parameter (type (identifier) @definition)))
(type_parameter (type (constrained_type . (type (identifier) @definition))))
(type_alias_statement left: (type (generic_type (identifier) @definition (type_parameter (type (identifier) @definition)))))

; What ensure-definition! may add.
(function_definition name: (_) @define.name) @define
(class_definition name: (_) @define.name) @define
(decorated_definition) @define
(expression_statement . (assignment left: (identifier) @define.name) .) @define @define.constant
(type_alias_statement left: (type (identifier) @define.name)) @define
((if_statement condition: (comparison_operator (identifier) @_n)) @trailer
 (#eq? @_n "__name__"))

; What remove! and insert-*! may take as a whole beside the statements of a block.
[(elif_clause) (else_clause) (except_clause) (finally_clause) (case_clause)] @statement
(decorator) @statement @decorator

; ---- ladders ----
[(if_statement condition: (_) @rung.condition consequence: (_) @rung.body)
 (elif_clause condition: (_) @rung.condition consequence: (_) @rung.body)] @rung
(if_statement alternative: (_) @rung.rest)
(case_clause . (case_pattern) @rung.condition . consequence: (_) @rung.body) @rung
((case_clause . (case_pattern) @_p . consequence: (_)) @rung.default
 (#eq? @_p "_"))
; A name alone takes everything.
(case_clause . (case_pattern (dotted_name . (identifier) .)) . consequence: (_)) @rung.default
(union_pattern) @alternatives
(dotted_name (identifier) (identifier)) @pattern.value
[(return_statement) (raise_statement) (break_statement) (continue_statement)] @leave
(conditional_expression . (_) @rung.body . (_) @rung.condition . (_) @rung.rest .) @choice
(comparison_operator) @comparison
(not_operator) @negation
(call function: (_) @callee) @call
(assert_statement . (_) @asserted)
(raise_statement) @refusal
(match_statement subject: (_) @subject)

; ---- values ----
(integer) @integer
(float) @float
(string) @string
(true) @true
(false) @false
(none) @null
(binary_operator) @binary
(unary_operator) @unary
(boolean_operator operator: "and") @conjunction
(boolean_operator operator: "or") @disjunction
[(lambda) (conditional_expression) (named_expression) (yield)] @loose
(return_statement (_) @returned)
(parenthesized_expression) @group @layout
(concatenated_string) @join
