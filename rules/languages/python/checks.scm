; What tree-sitter-python accepts and Python does not. A match that an edit would bring into being
; blocks it; the string of #set! says why. With #unique! only captures of one node that read the same match.

((block) @block
 (#eq? @block "")
 (#set! "a block without a statement, or one that is not indented"))

((argument_list (keyword_argument) . (_) @argument)
 (#not-match? @argument "^([A-Za-z_]\\w*\\s*=[^=]|\\*|#)")
 (#set! "a positional argument behind a keyword argument"))

((argument_list (dictionary_splat) . (_) @argument)
 (#not-match? @argument "^([A-Za-z_]\\w*\\s*=[^=]|\\*\\*|#)")
 (#set! "a positional argument behind a ** argument"))

((argument_list (keyword_argument name: (identifier) @name))
 (#unique! @name)
 (#set! "a keyword argument that is given twice"))

((parameters (default_parameter) . [(identifier) (typed_parameter . (identifier))] @parameter)
 (#set! "a parameter without a default behind one that has a default"))
((parameters (typed_default_parameter) . [(identifier) (typed_parameter . (identifier))] @parameter)
 (#set! "a parameter without a default behind one that has a default"))
((parameters (dictionary_splat_pattern) . (_) @parameter)
 (#not-match? @parameter "^#")
 (#set! "a parameter behind the ** parameter"))

((module [(expression_statement (assignment)) (import_statement) (import_from_statement)
          (class_definition) (function_definition) (if_statement)]
         (future_import_statement) @import)
 (#set! "a __future__ import behind other statements"))

((call arguments: (argument_list (_) (generator_expression) @generator))
 (#not-match? @generator "^\\(")
 (#set! "a bare generator beside other arguments"))
