; SM120 over PCIe: larger messages pay off at 2 and 4 GPUs.
((assignment
   left: (identifier) @name
   right: (dictionary) @table)
 (#eq? @name "TORCH_SYMM_MEM_ALL_REDUCE_MAX_SIZES")
 (#in-scope? @name "")
 (#ensure-entry! @table "12" "{2: 256 * MiB, 4: 256 * MiB, 8: 128 * MiB}"))
