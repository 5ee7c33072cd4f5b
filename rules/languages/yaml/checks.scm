; What the grammar accepts and YAML does not.
((block_mapping (block_mapping_pair key: (_) @key))
 (#unique! @key)
 (#set! "a key that is given twice"))
((flow_mapping (flow_pair key: (_) @key))
 (#unique! @key)
 (#set! "a key that is given twice"))
