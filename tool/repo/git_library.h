// libgit2, opened when it is first needed: loading and initialising it costs more than everything
// else on the hook's usual way. This is the only place that names its shared object; the sources
// of this folder call it through the table below and nothing outside the folder sees it.
#pragma once

#include <memory>

#include <git2.h>

#include "base/diagnostic.h"

namespace portpatch {

/// The functions of libgit2 that portpatch uses. Adding one is one line.
#define PORTPATCH_GIT_FUNCTIONS(X)   \
  X(git_libgit2_init)                \
  X(git_libgit2_opts)                \
  X(git_error_last)                  \
  X(git_repository_open_ext)         \
  X(git_repository_is_shallow)       \
  X(git_repository_free)             \
  X(git_repository_odb)              \
  X(git_odb_read_header)             \
  X(git_odb_free)                    \
  X(git_oid_fromstr)                 \
  X(git_oid_fmt)                     \
  X(git_object_lookup)               \
  X(git_object_peel)                 \
  X(git_object_id)                   \
  X(git_object_free)                 \
  X(git_merge_base)                  \
  X(git_commit_lookup)               \
  X(git_commit_tree)                 \
  X(git_commit_tree_id)              \
  X(git_commit_summary)              \
  X(git_commit_time)                 \
  X(git_commit_parentcount)          \
  X(git_commit_parent_id)            \
  X(git_commit_create)               \
  X(git_commit_free)                 \
  X(git_tree_entry_bypath)           \
  X(git_tree_entry_filemode)         \
  X(git_tree_entry_id)               \
  X(git_tree_entry_free)             \
  X(git_tree_free)                   \
  X(git_tree_lookup)                 \
  X(git_tree_entrycount)             \
  X(git_tree_entry_byindex)          \
  X(git_tree_entry_name)             \
  X(git_revparse_single)             \
  X(git_blob_lookup)                 \
  X(git_blob_rawcontent)             \
  X(git_blob_rawsize)                \
  X(git_blob_create_from_buffer)     \
  X(git_blob_free)                   \
  X(git_index_new)                   \
  X(git_index_add)                   \
  X(git_index_write_tree_to)         \
  X(git_index_free)                  \
  X(git_signature_now)               \
  X(git_signature_free)              \
  X(git_reference_create)            \
  X(git_reference_name_to_id)        \
  X(git_reference_remove)            \
  X(git_reference_free)              \
  X(git_reference_iterator_glob_new) \
  X(git_reference_next_name)         \
  X(git_reference_iterator_free)     \
  X(git_patch_from_buffers)          \
  X(git_patch_to_buf)                \
  X(git_patch_num_hunks)             \
  X(git_patch_get_hunk)              \
  X(git_patch_free)                  \
  X(git_buf_dispose)

/// libgit2's functions under their own names: `git->git_repository_open_ext(...)`.
struct GitLibrary {
#define PORTPATCH_GIT_MEMBER(function) decltype(&::function) function = nullptr;
  PORTPATCH_GIT_FUNCTIONS(PORTPATCH_GIT_MEMBER)
#undef PORTPATCH_GIT_MEMBER
};

/// Opens libgit2 the first time, thread-safe. Fails with "libgit2-missing" when it cannot be
/// opened or lacks a function.
[[nodiscard]] Result<const GitLibrary*> git_library();

/// Frees a handle of libgit2 by the table's function `kFree`; handles exist only once the library
/// is open.
template <auto kFree>
struct GitDeleter {
  void operator()(auto* handle) const { ((*git_library())->*kFree)(handle); }
};
template <typename T, auto kFree>
using GitHandle = std::unique_ptr<T, GitDeleter<kFree>>;

}  // namespace portpatch
