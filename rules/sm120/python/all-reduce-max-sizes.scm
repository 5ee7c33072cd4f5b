; RTX PRO 6000 over PCIe: larger messages pay off at 2 and 4 GPUs.
; Delete this rule once upstream has measured limits for SM120.

; TORCH_SYMM_MEM_ALL_REDUCE_MAX_SIZES = {9: {...}}, annotated or not
((assignment
   left: (identifier) @name
   right: (dictionary) @table)
 (#any-of? @name "TORCH_SYMM_MEM_ALL_REDUCE_MAX_SIZES" "SYMM_MEM_ALL_REDUCE_MAX_SIZES")
 (#in-scope? @name "")
 (#not-match? @table "^\\{\\s*\\}$")
 (#ensure-entry! @table "12" "{2: 256 * MiB, 4: 256 * MiB, 6: 128 * MiB, 8: 128 * MiB}"))

; MappingProxyType({...}) and other calls around the table
((assignment
   left: (identifier) @name
   right: (call arguments: (argument_list (dictionary))) @table)
 (#any-of? @name "TORCH_SYMM_MEM_ALL_REDUCE_MAX_SIZES" "SYMM_MEM_ALL_REDUCE_MAX_SIZES")
 (#in-scope? @name "")
 (#ensure-entry! @table "12" "{2: 256 * MiB, 4: 256 * MiB, 6: 128 * MiB, 8: 128 * MiB}"))

; TORCH_SYMM_MEM_ALL_REDUCE_MAX_SIZES = {}, then TORCH_SYMM_MEM_ALL_REDUCE_MAX_SIZES[9] = {...}
((assignment
   left: (subscript value: (identifier) @name)) @row
 (#any-of? @name "TORCH_SYMM_MEM_ALL_REDUCE_MAX_SIZES" "SYMM_MEM_ALL_REDUCE_MAX_SIZES")
 (#in-scope? @name "")
 (#ensure-entry! @row "12" "{2: 256 * MiB, 4: 256 * MiB, 6: 128 * MiB, 8: 128 * MiB}"))
