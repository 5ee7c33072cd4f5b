; What the grammar accepts and CMake does not.
((if_block (else_clause) . (else_clause) @second)
 (#set! "an if with two else"))
