// libgit2, opened when it is first needed: loading and initialising it costs more than everything
// else on the hook's usual way. This is the only place that names its shared object; the sources
// of this folder call it through the table below and nothing outside the folder sees it.
#pragma once

#include <git2.h>

#include "base/diagnostic.h"

namespace portpatch {

/// The functions of libgit2 that portpatch uses. Adding one is one line.
#define PORTPATCH_GIT_FUNCTIONS(X) \
  X(git_libgit2_init)              \
  X(git_error_last)

/// libgit2's functions without their `git_` prefix's linkage: `git->git_repository_open(...)`.
struct GitLibrary {
#define PORTPATCH_GIT_MEMBER(function) decltype(&::function) function = nullptr;
  PORTPATCH_GIT_FUNCTIONS(PORTPATCH_GIT_MEMBER)
#undef PORTPATCH_GIT_MEMBER
};

/// Opens libgit2 the first time, thread-safe. Fails with "libgit2-missing" when it cannot be
/// opened or lacks a function.
[[nodiscard]] Result<const GitLibrary*> git_library();
/// True once git_library() has opened it; for the test that the hook's way does not.
[[nodiscard]] bool git_library_is_open();

}  // namespace portpatch
