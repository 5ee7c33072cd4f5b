// Local commits that hold nothing but edits of the rules: made again on top of what was pulled,
// instead of being rebased as text, which conflicts where upstream edits the lines beside.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pull_changes.h"

namespace portpatch {

/// A local commit and the rules whose edits it brought, as PACK/RULE.
struct LocalCommit {
  std::string id, subject;
  std::vector<std::string> rules;
};

/// The local commits after `base`, oldest first, if the rules explain the whole of them: the files
/// that they change are, with the rules applied, the same at `base` and at HEAD, and each commit
/// brings some rule. nullopt when not, or when there are merges among them.
[[nodiscard]] std::expected<std::optional<std::vector<LocalCommit>>, Errors> explained_commits(
    const WorkTree& tree, const Request& request, const std::string& base, const std::string& head);

using ToldOfCommit = std::function<Result<void>(const std::string& commit)>;

/// Makes the commits again on top of HEAD, whose tree is clean: each commit's rules are applied and
/// committed with its author, author date and message; `expect` is told each new commit before HEAD
/// moves to it. Notes say what became of each.
[[nodiscard]] std::expected<std::vector<std::string>, Errors> replay_commits(
    const WorkTree& tree, const Request& request, const std::vector<LocalCommit>& commits,
    const ToldOfCommit& expect);

}  // namespace portpatch
