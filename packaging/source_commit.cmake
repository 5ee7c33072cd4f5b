# Writes the commit of the sources, with -dirty where they differ from it; empty when they are no checkout
# (a folder within another project's checkout is none).
set(commit "")
if(EXISTS ${SOURCE}/.git AND GIT_PROGRAM)
  execute_process(COMMAND ${GIT_PROGRAM} --no-optional-locks -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define PORTPATCH_COMMIT \"${commit}\"\n")
