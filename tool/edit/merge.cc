// merge!: the definition has the changes that make OURS of BASE, beside upstream's own.
#include <algorithm>
#include <ranges>
#include <set>

#include <fmt/format.h>

#include "edit/merge_text.h"
#include "edit/step.h"
#include "edit/tree_compare.h"
#include "edit/tree_merge.h"
#include "locate/query_search.h"
#include "syntax/code_form.h"
#include "syntax/language.h"

namespace portpatch {

namespace {

/// BASE or OURS: one definition or statement, in a tree of its own.
struct Version {
  SourceTree tree;
  Node node;
};

/// Is there nothing but comments in `range` beside `node`?
bool is_all(const SourceTree& tree, const Node& node, ByteRange range) {
  bool all = true;
  walk(tree.root(), [&](const Node& one) {
    const bool is_beside = range.contains(one.range()) && !node.range().contains(one.range()) &&
                           one.child_count() == 0;
    if (is_beside && !one.is_extra() && !one.range().empty() &&
        !trim(one.text(tree.text())).empty())
      all = false;
    return all && one != node;
  });
  return all;
}

/// The one node of `kind` that `text` is: as it stands, or as whole lines at their indentation.
std::optional<Version> read_version(const Language& language, std::string_view kind,
                                    std::string_view text) {
  const auto last = text.find_last_not_of(" \t\r\n");
  const auto body = text.substr(0, last == std::string_view::npos ? 0 : last + 1);
  for (const auto* frame_kind : {"statement", "indented", "expression"}) {
    for (const auto& frame : language.frames(frame_kind)) {
      auto tree = SourceTree::parse(language, frame.before + std::string(body) + frame.after);
      if (!tree || tree->root().has_error()) continue;
      auto range = ByteRange{frame.before.size(), frame.before.size() + body.size()};
      while (range.begin < range.end &&
             std::string_view(" \t\r\n").contains(tree->text()[range.begin]))
        ++range.begin;
      Node node = tree->root().smallest_around(range);
      while (node && node.kind() != kind && node.parent() &&
             node.parent().range().begin == range.begin)
        node = node.parent();
      // Comments in front belong to the text, not to the node.
      for (const auto& child : tree->root().smallest_around(range).children()) {
        if (child.kind() == kind && range.contains(child.range())) node = child;
      }
      if (node && node.kind() == kind && range.contains(node.range()) && is_all(*tree, node, range))
        return Version{std::move(*tree), node};
    }
  }
  return std::nullopt;
}

/// The captured node, or the one around it that BASE is: a definition with its decorators.
std::expected<std::pair<Node, Version>, Step> find_base(const EditContext& context,
                                                        std::string_view base) {
  for (auto node = context.node; node; node = node.parent()) {
    if (node != context.node && node.range().end != context.node.range().end) break;
    if (auto version = read_version(context.language(), node.kind(), base);
        version && version->node.text(version->tree.text()).size() + 4096 > trim(base).size()) {
      return std::pair(node, std::move(*version));
    }
  }
  return std::unexpected(Step::blocked(
      "bad-base", fmt::format("BASE is no {} as what is captured", context.node.kind()),
      "BASE and OURS are whole lines of one definition or statement, and the rule captures it",
      context.node.range()));
}

Step conflict_of(const EditContext& context, const TreeConflict& conflict) {
  const auto was = conflict.base.empty()
                       ? ""
                       : fmt::format("; the base says `{}`", on_one_line(conflict.base, 400));
  return Step::conflict(conflict.reason + was, conflict.ours, conflict.theirs,
                        conflict.place.empty() ? context.node.range() : conflict.place);
}

/// The file with what makes `ours` of `base` done to `node`; nothing when it cannot be.
std::optional<std::string> merged_file(const Version& base, const Version& ours,
                                       const SourceTree& file, const Node& node) {
  const MatchTree base_tree(base.tree, base.node), ours_tree(ours.tree, ours.node),
      theirs_tree(file, node);
  const auto merged = merge_trees(base_tree, ours_tree, theirs_tree);
  if (merged.conflict) return std::nullopt;
  const auto edits = merge_edits(base.tree, ours.tree, file, merged.changes);
  return edits ? std::optional(apply_edits(file.text(), edits->edits)) : std::nullopt;
}

/// Is `theirs` nothing but `ours` with new statements? What base has, as it was or changed, is
/// none: ours may have taken it out.
class Superset {
 public:
  Superset(const MatchTree& base, const MatchTree& ours, const MatchTree& theirs)
      : ours_(ours), theirs_(theirs), to_base_(theirs, base) {
    walk(base.root(), [&](const Node& node) {
      if (has_role(base.tree(), node, Role::kBlock)) {
        for (const auto& statement : base.parts(node)) old_.insert(base.form(statement));
      }
      return true;
    });
  }
  [[nodiscard]] bool holds() const { return holds(ours_.root(), theirs_.root()); }

 private:
  [[nodiscard]] bool holds(const Node& o, const Node& t) const {
    if (ours_.form(o) == theirs_.form(t)) return true;
    if (o.kind() != t.kind() || ours_.is_whole(o)) return false;
    const auto& parts = ours_.parts(o);
    const auto& there = theirs_.parts(t);
    const bool may_grow = has_role(ours_.tree(), o, Role::kBlock);
    const auto alignment = align(ours_, o, theirs_, t);
    if (parts.empty() || !alignment.is_certain || (!may_grow && parts.size() != there.size()))
      return false;
    std::size_t next = 0;
    for (std::size_t i = 0; i < parts.size(); ++i, ++next) {
      if (alignment.other[i] < 0) return false;
      for (; next < static_cast<std::size_t>(alignment.other[i]); ++next) {
        if (!may_grow || !is_new(there[next])) return false;
      }
      if (!holds(parts[i], there[next])) return false;
    }
    return std::ranges::all_of(there | std::views::drop(next),
                               [&](const Node& one) { return is_new(one); });
  }

  [[nodiscard]] bool is_new(const Node& statement) const {
    bool is_new = !to_base_.find(statement);
    walk(statement, [&](const Node& node) {
      is_new &= !old_.contains(theirs_.form(node));
      return is_new;
    });
    return is_new;
  }

  const MatchTree& ours_;
  const MatchTree& theirs_;
  const TreeMatch to_base_;
  std::set<std::string, std::less<>> old_;  ///< forms of base's statements
};

/// Is theirs what comes of having ours taken out of it and merged again? Then it has all of ours,
/// however much upstream has changed around it.
bool has_all_of_ours(const Version& base, const Version& ours, const SourceTree& file,
                     const Node& node) {
  auto without = merged_file(ours, base, file, node);
  if (!without || *without == file.text()) return false;
  const auto tree = SourceTree::parse(file.language(), std::move(*without));
  if (!tree) return false;
  Node there;
  const auto begin = node.range().begin;
  for (auto one = tree->root().smallest_around({begin, begin + 1});
       one && one.range().begin == begin; one = one.parent()) {
    if (one.kind() == node.kind()) there = one;
  }
  const auto again = there ? merged_file(base, ours, *tree, there) : std::nullopt;
  if (!again) return false;
  const auto with = SourceTree::parse(file.language(), *again);
  return with && exact_form(*with, with->root()) == exact_form(file, file.root());
}

Step merge(const EditContext& context, std::string_view base_text, std::string_view ours_text) {
  const auto site = context.node.range();
  const auto base = find_base(context, base_text);
  if (!base) return base.error();
  const auto& [node, version] = *base;
  const auto ours = read_version(context.language(), node.kind(), ours_text);
  if (!ours)
    return Step::blocked("bad-base", fmt::format("OURS is no {} as BASE is", node.kind()),
                         "capture the change again, or use another directive", site);
  const MatchTree base_tree(version.tree, version.node), ours_tree(ours->tree, ours->node),
      theirs_tree(context.tree, node);
  const auto merged = merge_trees(base_tree, ours_tree, theirs_tree);
  auto edits = merged.conflict
                   ? Result<MergeEdits>(MergeEdits{})
                   : merge_edits(version.tree, ours->tree, context.tree, merged.changes);
  const bool is_done = !merged.conflict && edits && edits->edits.empty();
  if (is_done || Superset(base_tree, ours_tree, theirs_tree).holds() ||
      has_all_of_ours(version, *ours, context.tree, node))
    return Step::holds(node.range());
  if (merged.conflict) return conflict_of(context, *merged.conflict);
  if (!edits) return Step::blocked(edits.error(), site);
  const ByteRange range{std::min(node.range().begin, edits->edits.front().range.begin),
                        std::max(node.range().end, edits->edits.back().range.end)};
  auto step = Step::rewrite(std::move(edits->edits), range, merged.form);
  step.drops_comments = edits->drops_comments;
  return step;
}

}  // namespace

Step plan_merge(const EditContext& context) {
  return merge(context, context.directive.texts[0], context.directive.texts[1]);
}

/// The same with the roles of BASE and OURS exchanged; what cannot be merged back is left to a
/// person.
Step revert_merge(const EditContext& context) {
  auto step = merge(context, context.directive.texts[1], context.directive.texts[0]);
  if (step.kind != Step::Kind::kConflict) return step;
  return Step::blocked(
      "no-way-back",
      fmt::format("ours cannot be taken out of what upstream has made of it since: {}",
                  step.reason),
      "take it out by hand", step.place);
}

}  // namespace portpatch
