; What the grammar accepts and TOML does not.
((table (pair . (_) @first) (pair . (_) @second))
 (#eq? @first @second)
 (#set! "a key that is given twice"))
((inline_table (pair . (_) @first) (pair . (_) @second))
 (#eq? @first @second)
 (#set! "a key that is given twice"))
