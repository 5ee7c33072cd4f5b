# What `portpatch --version` says: generated/build_info.inc, known when CMake runs, and
# generated/source_commit.inc, looked up at each build and written only where it has changed.

function(npm_version folder variable)
  file(READ ${NODE_MODULES}/${folder}/package.json package)
  string(JSON version GET ${package} version)
  set(${variable} ${version} PARENT_SCOPE)
endfunction()

npm_version(tree-sitter tree_sitter_version)
set(grammar_versions "")
foreach(name folder IN ZIP_LISTS GRAMMAR_NAMES GRAMMAR_FOLDERS)
  if(folder)
    npm_version(${folder} version)
    list(APPEND grammar_versions "${name} ${version}")
  else()
    list(APPEND grammar_versions "${name} (own)")
  endif()
endforeach()
list(JOIN grammar_versions ", " grammar_versions)
file(CONFIGURE OUTPUT ${GENERATED}/build_info.inc CONTENT [[
#define PORTPATCH_BUILD_TYPE "@CMAKE_BUILD_TYPE@"
#define PORTPATCH_COMPILER "@CMAKE_CXX_COMPILER_ID@ @CMAKE_CXX_COMPILER_VERSION@"
#define PORTPATCH_TREE_SITTER_VERSION "@tree_sitter_version@"
#define PORTPATCH_GRAMMAR_VERSIONS "@grammar_versions@"
]] @ONLY)

find_program(GIT_PROGRAM git)
set(commit_file ${GENERATED}/source_commit.inc)
add_custom_target(source_commit BYPRODUCTS ${commit_file}
  COMMAND ${CMAKE_COMMAND} -DGIT_PROGRAM=${GIT_PROGRAM} -DSOURCE=${CMAKE_SOURCE_DIR} -DOUTPUT=${commit_file}
          -P ${CMAKE_CURRENT_LIST_DIR}/source_commit.cmake
  COMMENT "" VERBATIM)
add_dependencies(portpatch_core source_commit)
