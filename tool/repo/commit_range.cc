#include "repo/commit_range.h"

#include <fmt/format.h>

namespace portpatch {
namespace {

std::unexpected<Diagnostic> bad_range(std::string_view text, std::string remedy) {
  return failure("bad-range", fmt::format("`{}` is no range of commits", text), std::move(remedy));
}

std::string short_id(const std::string& id) { return id.substr(0, 12); }

/// Why `range.from` is not on the line of `range.to`, and what can be done.
std::unexpected<Diagnostic> off_the_line(const History& history, const CommitRange& range,
                                         std::string_view from, std::string_view to) {
  const auto base = history.merge_base(range.from, range.to);
  if (!base) return std::unexpected(base.error());
  const auto message = fmt::format("{} is not on the first-parent line of {}", from, to);
  const auto with_note = [&](std::string note, std::string remedy) {
    return std::unexpected(Diagnostic{.code = "not-first-parent",
                                      .message = message,
                                      .remedy = std::move(remedy),
                                      .notes = {std::move(note)}});
  };
  if (*base && **base == range.to) {
    return with_note(fmt::format("{} comes before {}: the range is the wrong way round", to, from),
                     fmt::format("write `{}..{}`", to, from));
  }
  if (history.is_shallow()) {
    return with_note("the history of this repository is cut off (a shallow clone)",
                     "`git fetch --unshallow` brings the rest; or begin at a commit that is here");
  }
  if (!*base) return with_note("the two have no common history", "name two commits of one branch");
  const auto line = history.first_parents(**base, range.to);
  if (**base == range.from) {
    return with_note(fmt::format("{} came in through the other side of a merge", from),
                     fmt::format("begin at a commit of `git log --first-parent {}`", to));
  }
  const auto where = line && *line
                         ? fmt::format("`{}..{}` begins there", short_id(**base), to)
                         : fmt::format("begin at a commit of `git log --first-parent {}`", to);
  return with_note(fmt::format("the two parted at {}", short_id(**base)), where);
}

}  // namespace

Result<CommitRange> resolve_range(const History& history, std::string_view text) {
  const auto dots = text.find("..");
  if (dots == std::string_view::npos) {
    return bad_range(
        text, "write A..B: the commits after A up to B; `A..` ends at HEAD, `..B` begins there");
  }
  auto from = text.substr(0, dots), to = text.substr(dots + 2);
  if (to.starts_with('.'))
    return bad_range(text,
                     "a timeline goes along first parents from A to B: write `A..B` with two dots");
  if ((from.empty() && to.empty()) || to.contains("..") || to.starts_with('/')) {
    return bad_range(text,
                     "the packs come first, then one range A..B: the commits after A up to B");
  }
  if (from.empty()) from = "HEAD";
  if (to.empty()) to = "HEAD";
  CommitRange range{.name = std::string(text), .from = {}, .to = {}, .commits = {}};
  for (const auto& [name, id] : {std::pair(from, &range.from), std::pair(to, &range.to)}) {
    auto commit = history.resolve(name);
    if (!commit) return std::unexpected(commit.error());
    *id = std::move(*commit);
  }
  auto line = history.first_parents(range.from, range.to);
  if (!line) return std::unexpected(line.error());
  if (!*line) return off_the_line(history, range, from, to);
  range.commits = std::move(**line);
  return range;
}

}  // namespace portpatch
