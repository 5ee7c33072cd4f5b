// read_upstream_refs() alone, apart from upstream.cc, which uses libgit2.
#include <fmt/format.h>

#include "base/files.h"
#include "repo/git_config.h"
#include "repo/ref_files.h"
#include "repo/upstream.h"

namespace portpatch {
namespace {

using MaybeRef = Result<std::optional<RefValue>>;

MaybeRef existing(const WorkTree& tree, std::string_view name) {
  auto value = read_ref(tree, name);
  if (value && *value && (*value)->id.empty()) return std::nullopt;
  return value;
}

/// `name` as `git rev-parse` reads it: git's own order of places.
MaybeRef find_ref(const WorkTree& tree, std::string_view name) {
  for (const auto* place : {"{}", "refs/{}", "refs/tags/{}", "refs/heads/{}", "refs/remotes/{}",
                            "refs/remotes/{}/HEAD"}) {
    const auto full = fmt::format(fmt::runtime(place), name);
    // Outside refs/ only names in capitals are refs: `config` is none.
    const bool may_be_ref = full.starts_with("refs/") ||
                            full.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_") ==
                                std::string::npos;
    if (!may_be_ref) continue;
    if (auto value = existing(tree, full); !value || *value) return value;
  }
  return std::nullopt;
}

/// The name of the ref that `@{upstream}` of `branch` means, under the default refspec.
Result<std::optional<std::string>> tracked_ref(const WorkTree& tree, std::string_view branch) {
  const auto config = read_file_if_there(tree.common_dir + "/config");
  if (!config) return std::unexpected(config.error());
  if (!*config) return std::nullopt;
  const auto remote = config_value(**config, "branch", branch, "remote");
  const auto merge = config_value(**config, "branch", branch, "merge");
  if (!remote || !merge) return std::nullopt;
  if (*remote == ".") return merge;
  constexpr std::string_view kHeads = "refs/heads/";
  if (!merge->starts_with(kHeads)) return std::nullopt;
  return fmt::format("refs/remotes/{}/{}", *remote, merge->substr(kHeads.size()));
}

MaybeRef default_upstream(const WorkTree& tree, const std::optional<RefValue>& head) {
  constexpr std::string_view kHeads = "refs/heads/";
  if (head && head->name.starts_with(kHeads)) {
    const auto name = tracked_ref(tree, std::string_view(head->name).substr(kHeads.size()));
    if (!name) return std::unexpected(name.error());
    if (*name) {
      if (auto value = existing(tree, **name); !value || *value) return value;
    }
  }
  for (const auto* name :
       {"refs/remotes/origin/HEAD", "refs/remotes/origin/main", "refs/remotes/origin/master"}) {
    if (auto value = existing(tree, name); !value || *value) return value;
  }
  return std::nullopt;
}

}  // namespace

Result<UpstreamRefs> read_upstream_refs(const WorkTree& tree, std::string_view configured) {
  UpstreamRefs refs;
  if (!tree.is_git()) return refs;
  if (auto format = check_repository_format(tree.common_dir); !format) {
    return std::unexpected(format.error());
  }
  const auto head = read_ref(tree, "HEAD");
  if (!head) return std::unexpected(head.error());
  if (*head) refs.head = (*head)->id;
  if (!tree.revision.empty()) refs.head = tree.revision;
  if (is_full_id(configured)) {
    refs.upstream = configured;
    return refs;
  }
  const bool by_branch = configured.empty() || configured == "@{upstream}" || configured == "@{u}";
  const auto upstream = by_branch ? default_upstream(tree, *head) : find_ref(tree, configured);
  if (!upstream) return std::unexpected(upstream.error());
  if (*upstream) {
    refs.name = (*upstream)->name;
    refs.upstream = (*upstream)->id;
  } else if (!by_branch) {
    return failure(
        "no-upstream-ref",
        fmt::format("this repository has no ref {}, which the pack names as its upstream",
                    configured),
        "fetch it, or name another `upstream` in pack.toml");
  }
  return refs;
}

}  // namespace portpatch
