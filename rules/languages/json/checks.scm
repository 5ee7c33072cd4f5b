; What the grammar accepts and JSON does not.
((object (pair key: (string) @key))
 (#unique! @key)
 (#set! "a key that is given twice"))
