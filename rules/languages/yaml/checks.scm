; What the grammar accepts and YAML does not.
((block_mapping (block_mapping_pair key: (_) @first) (block_mapping_pair key: (_) @second))
 (#eq? @first @second)
 (#set! "a key that is given twice"))
((flow_mapping (flow_pair key: (_) @first) (flow_pair key: (_) @second))
 (#eq? @first @second)
 (#set! "a key that is given twice"))
