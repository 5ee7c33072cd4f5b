; On SM120 the multimem all-reduce pays off at 6 and 8 GPUs only.
; Delete this rule once upstream lists world sizes for SM120.

; class TorchSymmMemCommunicator: _WORLD_SIZES_MULTIMEM = {9: [4, 6, 8]}
((assignment
   left: (identifier) @name
   right: (dictionary) @table)
 (#eq? @name "_WORLD_SIZES_MULTIMEM")
 (#in-scope? @name "TorchSymmMemCommunicator" "SymmMemCommunicator")
 (#not-match? @table "^\\{\\s*\\}$")
 (#ensure-entry! @table "12" "[6, 8]"))

; MappingProxyType({...}) and other calls around the table
((assignment
   left: (identifier) @name
   right: (call arguments: (argument_list (dictionary))) @table)
 (#eq? @name "_WORLD_SIZES_MULTIMEM")
 (#in-scope? @name "TorchSymmMemCommunicator" "SymmMemCommunicator")
 (#ensure-entry! @table "12" "[6, 8]"))

; _WORLD_SIZES_MULTIMEM = {}, then _WORLD_SIZES_MULTIMEM[9] = [4, 6, 8]
((assignment
   left: (subscript value: (identifier) @name)) @row
 (#eq? @name "_WORLD_SIZES_MULTIMEM")
 (#in-scope? @name "TorchSymmMemCommunicator" "SymmMemCommunicator")
 (#ensure-entry! @row "12" "[6, 8]"))
