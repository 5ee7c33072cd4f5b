# `cmake --install build`, and with `cpack --config build/CPackConfig.cmake` Debian packages: one for each
# component, so that portpatch does not bring LLVM along.
include(GNUInstallDirs)
# Installing takes what has been built; it does not build tests first.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)

# ---- what is made: the manual by the program itself, Debian's changelog, the licences ----
set(manual ${CMAKE_BINARY_DIR}/portpatch.1.gz)
find_program(GZIP_PROGRAM gzip REQUIRED)
add_custom_command(OUTPUT ${manual} DEPENDS portpatch VERBATIM
  COMMAND $<TARGET_FILE:portpatch> man > portpatch.1 COMMAND ${GZIP_PROGRAM} -9nf portpatch.1)
add_custom_target(manual ALL DEPENDS ${manual})

set(PORTPATCH_MAINTAINER "portpatch <portpatch@localhost>" CACHE STRING "Who answers for the packages: NAME <ADDRESS>")
string(TIMESTAMP today "%a, %d %b %Y 00:00:00 +0000" UTC)
file(WRITE ${CMAKE_BINARY_DIR}/changelog
  "portpatch (${PROJECT_VERSION}) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- ${PORTPATCH_MAINTAINER}  ${today}\n")
execute_process(COMMAND ${GZIP_PROGRAM} -9nf ${CMAKE_BINARY_DIR}/changelog)

# Compiled in are the grammars, and headers as Debian packages them.
set(copyright ${CMAKE_BINARY_DIR}/copyright)
string(CONCAT text "portpatch is under the Apache License, Version 2.0: /usr/share/common-licenses/Apache-2.0 on Debian, and\n"
  "https://www.apache.org/licenses/LICENSE-2.0. Compiled into it are the works named below.\n")
foreach(folder tree-sitter ${GRAMMAR_FOLDERS})
  file(READ ${NODE_MODULES}/${folder}/LICENSE license)
  string(APPEND text "\n---- ${folder} ----\n\n${license}")
endforeach()
foreach(package libcli11-dev nlohmann-json3-dev libtomlplusplus-dev libfmt-dev libre2-dev)
  if(EXISTS /usr/share/doc/${package}/copyright)
    file(READ /usr/share/doc/${package}/copyright license)
    string(APPEND text "\n---- ${package} ----\n\n${license}")
  endif()
endforeach()
file(GENERATE OUTPUT ${copyright} CONTENT "${text}")

# ---- what goes where ----
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME portpatch)
set(documents ${CMAKE_INSTALL_DATADIR}/doc/portpatch)
install(TARGETS portpatch DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES packaging/completions/portpatch.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME portpatch)
install(FILES packaging/completions/_portpatch DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES packaging/completions/portpatch.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(DIRECTORY rules DESTINATION ${CMAKE_INSTALL_DATADIR}/portpatch PATTERN languages EXCLUDE PATTERN README.md EXCLUDE)
# The documents keep their places to each other, so that their links hold.
install(FILES README.md CONTRIBUTING.md CHANGELOG.md LICENSE .pre-commit-hooks.yaml ${copyright} ${CMAKE_BINARY_DIR}/changelog.gz
  DESTINATION ${documents})
install(FILES rules/README.md DESTINATION ${documents}/rules)
install(DIRECTORY rules/languages DESTINATION ${documents}/rules)
install(FILES grammars/cmake/grammar.cc DESTINATION ${documents}/grammars/cmake)
install(FILES tool/base/limits.h DESTINATION ${documents}/tool/base)
# The packs are not there twice: a link, so that `rules/sm120` is the pack from the documents' folder too.
file(RELATIVE_PATH pack_link /${documents}/rules /${CMAKE_INSTALL_DATADIR}/portpatch/rules/sm120)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/links)
file(CREATE_LINK ${pack_link} ${CMAKE_BINARY_DIR}/links/sm120 SYMBOLIC)
install(FILES ${CMAKE_BINARY_DIR}/links/sm120 DESTINATION ${documents}/rules)
install(DIRECTORY samples/fleet samples/bot DESTINATION ${documents}/samples USE_SOURCE_PERMISSIONS PATTERN __pycache__ EXCLUDE)
install(FILES matchers/README.md DESTINATION ${documents}/matchers)
install(FILES tool/report/report.schema.json DESTINATION ${documents}/tool/report)
if(PORTPATCH_MATCHERS)
  install(TARGETS portpatch-cc DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT portpatch-cc)
  install(FILES ${copyright} ${CMAKE_BINARY_DIR}/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/portpatch-cc COMPONENT portpatch-cc)
endif()

# ---- Debian packages ----
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME portpatch)
set(CPACK_PACKAGE_VENDOR portpatch)
set(CPACK_PACKAGE_CONTACT ${PORTPATCH_MAINTAINER})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL portpatch)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION vcs)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PORTPATCH_PACKAGE_NAME portpatch)
set(CPACK_DEBIAN_PORTPATCH_DESCRIPTION "keeps local patches alive on a fast-moving upstream
Each edit is a rule: a tree-sitter query says where, a directive says what must
hold there. After every pull the rules are applied again, wherever their place
has gone, in the style of the file, or it is said why not.")
# libgit2 is opened when it is first needed, so dpkg-shlibdeps does not see it: the package that owns the file.
execute_process(COMMAND dpkg-query --search ${git2_file} OUTPUT_VARIABLE git2_owner ERROR_QUIET)
string(REGEX REPLACE ":.*" "" git2_package "${git2_owner}")
if(NOT git2_package)
  string(REGEX REPLACE "\\.so\\." "-" git2_package ${GIT2_SONAME})
endif()
set(CPACK_DEBIAN_PORTPATCH_PACKAGE_DEPENDS ${git2_package})
set(CPACK_DEBIAN_PORTPATCH_PACKAGE_RECOMMENDS git)
# Not recommended, since that would bring LLVM onto every server that only applies rules.
set(CPACK_DEBIAN_PORTPATCH_PACKAGE_SUGGESTS portpatch-cc)
if(PORTPATCH_MATCHERS)
  list(APPEND CPACK_COMPONENTS_ALL portpatch-cc)
  set(CPACK_DEBIAN_PORTPATCH-CC_PACKAGE_NAME portpatch-cc)
  set(CPACK_DEBIAN_PORTPATCH-CC_DESCRIPTION "finds what depends on a GPU's compute capability in C++ and CUDA
Reads the sources with Clang, for the check and audit commands of portpatch or
alone, and prints ladders, tables and checks as JSON.")
  set(CPACK_DEBIAN_PORTPATCH-CC_PACKAGE_ENHANCES portpatch)
endif()
include(CPack)
