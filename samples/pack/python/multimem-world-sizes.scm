; On SM120 multimem pays off at 8 GPUs only.
((assignment
   left: (identifier) @name
   right: (dictionary) @table)
 (#eq? @name "_WORLD_SIZES_MULTIMEM")
 (#in-scope? @name "TorchSymmMemCommunicator")
 (#ensure-entry! @table "12" "[8]"))
