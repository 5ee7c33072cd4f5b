; What the grammar accepts and JSON does not.
((object (pair key: (string) @first) (pair key: (string) @second))
 (#eq? @first @second)
 (#set! "a key that is given twice"))
