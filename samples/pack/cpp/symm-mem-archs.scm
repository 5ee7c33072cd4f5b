; The kernels must be compiled for SM120 as well.
((init_declarator
   declarator: (array_declarator declarator: (identifier) @name)
   value: (initializer_list) @list)
 (#eq? @name "kSymmMemArchs")
 (#ensure-element! @list "cc:12.0"))
