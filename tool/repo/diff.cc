#include "repo/diff.h"

#include "repo/git_library.h"

namespace portpatch {

namespace {

using Patch = GitHandle<git_patch, &GitLibrary::git_patch_free>;

Result<Patch> patch_of(const std::string& name, std::string_view before, std::string_view after,
                       const git_diff_options* options) {
  const auto library = git_library();
  if (!library) return std::unexpected(library.error());
  git_patch* patch = nullptr;
  if ((*library)->git_patch_from_buffers(&patch, before.data(), before.size(), name.c_str(),
                                         after.data(), after.size(), name.c_str(), options) != 0) {
    return failure("diff-failed", "libgit2 could not compare the two texts");
  }
  return Patch(patch);
}

}  // namespace

Result<std::string> unified_diff(std::string_view path, std::string_view before,
                                 std::string_view after) {
  const auto patch = patch_of(std::string(path), before, after, nullptr);
  if (!patch) return std::unexpected(patch.error());
  const auto& git = **git_library();
  git_buf buffer{};
  if (git.git_patch_to_buf(&buffer, patch->get()) != 0)
    return failure("diff-failed", "libgit2 could not print the diff");
  std::string text(buffer.ptr, buffer.size);
  git.git_buf_dispose(&buffer);
  return text;
}

Result<std::vector<LineHunk>> line_hunks(std::string_view before, std::string_view after) {
  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  options.context_lines = 0;
  options.flags = GIT_DIFF_FORCE_TEXT;
  const auto patch = patch_of("file", before, after, &options);
  if (!patch) return std::unexpected(patch.error());
  const auto& git = **git_library();
  std::vector<LineHunk> hunks;
  for (std::size_t i = 0; i < git.git_patch_num_hunks(patch->get()); ++i) {
    const git_diff_hunk* hunk = nullptr;
    if (git.git_patch_get_hunk(&hunk, nullptr, patch->get(), i) != 0)
      return failure("diff-failed", "libgit2 could not tell what differs");
    const auto number = [](int count) { return static_cast<std::size_t>(count); };
    hunks.push_back({.old_begin = number(hunk->old_start),
                     .old_count = number(hunk->old_lines),
                     .new_begin = number(hunk->new_start),
                     .new_count = number(hunk->new_lines)});
  }
  return hunks;
}

bool touches(const LineHunk& hunk, std::size_t first, std::size_t last) {
  if (hunk.new_count == 0) return first <= hunk.new_begin && hunk.new_begin < last;
  return hunk.new_begin <= last && first < hunk.new_begin + hunk.new_count;
}

}  // namespace portpatch
