; The grammar accepts nothing that CMake does not.
