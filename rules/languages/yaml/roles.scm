; Which node plays which part in YAML.
(flow_mapping) @map @unordered
(flow_sequence) @sequence
(block_mapping) @map @unordered @rows
(block_mapping) @block  ; tree-sitter keeps three captures of a node
(block_sequence) @sequence @rows @block
(flow_pair key: (_) @key value: (_) @value) @entry
(block_mapping_pair key: (_) @key value: (_) @value) @entry
(block_sequence_item (_) @value)
[(flow_node) (block_node)] @wrapper
[(flow_node (_) @inner) (block_node (_) @inner)]

(double_quote_scalar) @text @string
(single_quote_scalar) @text @string.raw
(plain_scalar) @text
(string_scalar) @label
(integer_scalar) @integer
(float_scalar) @float
(boolean_scalar) @label
(null_scalar) @null
(block_scalar) @label
