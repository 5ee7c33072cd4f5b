; Which node plays which part in TOML.
(array) @sequence
(inline_table) @map @unordered
[(table) (table_array_element) (document)] @map @unordered @rows
[(table) (table_array_element) (document)] @block  ; tree-sitter keeps three captures of a node
[(table [(bare_key) (dotted_key) (quoted_key)] @header)
 (table_array_element [(bare_key) (dotted_key) (quoted_key)] @header)]
(document [(table) (table_array_element)] @header)
(pair . (_) @key . (_) @value) @entry
(string) @text @string
(integer) @integer
(float) @float
(boolean) @label
(bare_key) @label
(quoted_key) @string
(dotted_key) @label
[(offset_date_time) (local_date_time) (local_date) (local_time)] @label
