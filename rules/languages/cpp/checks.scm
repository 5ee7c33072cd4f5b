; What the grammar accepts and C++ does not.
((parameter_list (optional_parameter_declaration) . (parameter_declaration) @parameter)
 (#set! "a parameter without a default behind one that has a default"))
((enumerator_list (enumerator name: (_) @name))
 (#unique! @name)
 (#set! "an enumerator that is given twice"))
