#include "edit/tree_compare.h"

#include <algorithm>

#include <fmt/format.h>

#include "edit/ladder.h"
#include "syntax/code_form.h"
#include "syntax/roles.h"

namespace portpatch {

OffsetMap::OffsetMap(std::vector<TextEdit> edits) : edits_(std::move(edits)) {
  std::size_t removed = 0, inserted = 0;
  for (const auto& edit : edits_) {
    const auto begin = edit.range.begin - removed + inserted;
    if (!edit.text.empty()) inserted_.push_back({begin, begin + edit.text.size()});
    if (!edit.range.empty()) removed_.push_back(edit.range);
    removed += edit.range.size();
    inserted += edit.text.size();
  }
}

bool OffsetMap::may_map(std::size_t before, std::size_t after) const {
  std::size_t removed = 0, inserted = 0;
  for (const auto& edit : edits_) {
    if (edit.range.begin > before) break;
    const auto low = edit.range.begin - removed + inserted;
    if (before <= edit.range.end) {
      // At or inside the edit: any place of the new text may be the boundary.
      if (low <= after && after <= low + edit.text.size()) return true;
      if (before < edit.range.end) return false;
    }
    removed += edit.range.size();
    inserted += edit.text.size();
  }
  return after == before - removed + inserted;
}

std::size_t OffsetMap::least(std::size_t before) const {
  std::size_t removed = 0, inserted = 0;
  for (const auto& edit : edits_) {
    if (edit.range.begin >= before) break;
    if (before < edit.range.end) return edit.range.begin - removed + inserted;
    removed += edit.range.size();
    inserted += edit.text.size();
  }
  return before - removed + inserted;
}

ByteRange OffsetMap::grown(ByteRange before) const {
  ByteRange after = before;
  for (const auto& edit : edits_) {
    const auto change = static_cast<std::ptrdiff_t>(edit.text.size()) -
                        static_cast<std::ptrdiff_t>(edit.range.size());
    if (edit.range.end < before.begin || (edit.range.end == before.begin && !edit.range.empty()))
      after.begin = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(after.begin) + change);
    if (edit.range.begin <= before.end)
      after.end = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(after.end) + change);
  }
  return after;
}

bool OffsetMap::cuts(ByteRange range) const {
  return std::ranges::any_of(edits_, [&](const TextEdit& edit) {
    if (edit.range.empty()) return range.begin < edit.range.begin && edit.range.begin < range.end;
    return edit.range.overlaps(range) && !edit.range.contains(range);
  });
}

namespace {

/// Is `range` inside one of the sorted ranges?
bool is_within(const std::vector<ByteRange>& ranges, ByteRange range) {
  const auto above = std::ranges::upper_bound(ranges, range.begin, {}, &ByteRange::begin);
  return above != ranges.begin() && std::prev(above)->contains(range);
}

class Comparison {
 public:
  Comparison(const SourceTree& before, const SourceTree& after, const OffsetMap& map,
             const std::vector<Allowance>& allowed)
      : before_(before),
        after_(after),
        map_(map),
        allowed_(allowed),
        drops_comments_(std::ranges::any_of(allowed, &Allowance::drops_comments)) {}

  std::optional<std::string> run() {
    std::vector<std::pair<Node, Node>> pending{{before_.root(), after_.root()}};
    while (!pending.empty()) {
      const auto [old_node, new_node] = pending.back();
      pending.pop_back();
      if (auto found = compare(old_node, new_node, pending)) return found;
    }
    return compare_extras();
  }

 private:
  /// Comments stand where they stood. Which node they are children of says nothing: one behind the
  /// last statement of a block belongs to the block or to what is around it as that statement ends.
  std::optional<std::string> compare_extras() {
    std::ranges::sort(old_extras_, {}, &Node::range);
    std::ranges::sort(new_extras_, {}, &Node::range);
    const auto same = [&](const Node& was, const Node& is) {
      return was.kind() == is.kind() && was.text(before_.text()) == is.text(after_.text()) &&
             map_.may_map(was.range().begin, is.range().begin);
    };
    if (std::ranges::equal(old_extras_, new_extras_, same)) return std::nullopt;
    return "a comment would be lost, or be another one";
  }

  /// Takes the comments out of `children` into `extras`; a grammar's larger extras are part of the
  /// tree.
  static void take_extras(std::vector<Node>& children, std::vector<Node>& extras) {
    const auto rest = std::ranges::stable_partition(
        children, [](const Node& child) { return !child.is_extra() || child.child_count() > 0; });
    extras.insert(extras.end(), rest.begin(), rest.end());
    children.erase(rest.begin(), rest.end());
  }

  std::optional<std::string> compare(const Node& old_node, const Node& new_node,
                                     std::vector<std::pair<Node, Node>>& pending) {
    if (old_node.kind() != new_node.kind() || old_node.is_missing() != new_node.is_missing()) {
      return fmt::format("a {} became a {}", old_node.kind(), new_node.kind());
    }
    const auto was = old_node.range(), is = new_node.range();
    auto old_children = old_node.children();
    auto new_children = new_node.children();
    const bool leaf = old_children.empty() && new_children.empty();
    if (!fits(was.begin, is.begin, leaf) || !fits(was.end, is.end, leaf))
      return fmt::format("a {} ends elsewhere", old_node.kind());
    if (leaf) return compare_leaf(old_node);
    if (allows_parent(was) && has_role(before_, old_node, Role::kRung)) {
      if (compare_ladders(old_node, new_node, pending)) return std::nullopt;
    }
    for (const auto& one : allowed_) {
      if (!one.becomes || !covers(old_children, one.parent)) continue;
      const auto found = take_run(one, old_children, new_children);
      if (found && !is_meant_below(one, old_children)) return found;
    }
    const auto inserted = std::ranges::count_if(
        new_children, [&](const Node& child) { return is_inserted(child) && !is_comment(child); });
    if (inserted > 0 && !allows_parent(was)) {
      return fmt::format("the new code became part of a {} instead of its container",
                         old_node.kind());
    }
    std::erase_if(old_children, [&](const Node& child) {
      auto range = child.range();
      if (is_comment(child) && child.text(before_.text()).ends_with('\r')) --range.end;
      return !range.empty() && is_within(map_.removed(), range) &&
             (drops_comments_ || !is_comment(child));
    });
    std::erase_if(new_children, [&](const Node& child) { return is_inserted(child); });
    take_extras(old_children, old_extras_);
    take_extras(new_children, new_extras_);
    if (old_children.size() != new_children.size())
      return fmt::format("a {} fell apart differently", old_node.kind());
    for (std::size_t i = 0; i < old_children.size(); ++i)
      pending.emplace_back(old_children[i], new_children[i]);
    return std::nullopt;
  }

  /// Do whole children of a node, with the comments around them, make up this range?
  bool covers(const std::vector<Node>& children, ByteRange range) const {
    auto at = range.begin;
    bool any = false;
    for (const auto& child : children) {
      const auto is = child.range();
      if (!is.overlaps(range)) continue;
      const bool is_whole = range.contains(is) &&
                            (any || trim(before_.text().substr(at, is.begin - at)).empty());
      if (!is_whole && !is_comment(child)) return false;
      any |= !is_comment(child);
      at = is.end;
    }
    return any;
  }

  /// A block of one statement has its range: the allowance may mean the statement.
  bool is_meant_below(const Allowance& allowance, const std::vector<Node>& children) const {
    const auto inside = [&](const Node& child) {
      return !is_comment(child) && allowance.parent.contains(child.range());
    };
    const auto first = std::ranges::find_if(children, inside);
    return std::ranges::count_if(children, inside) == 1 &&
           covers(first->children(), allowance.parent);
  }

  /// Takes out the children that the allowance lets become others, when they became what it says.
  std::optional<std::string> take_run(const Allowance& allowance, std::vector<Node>& old_children,
                                      std::vector<Node>& new_children) {
    auto range = map_.grown(allowance.parent);
    // Some grammars take the carriage return for part of the comment that ends a node.
    if (range.end < after_.text().size() && after_.text()[range.end] == '\r') ++range.end;
    std::vector<Node> run;
    std::ranges::copy_if(new_children, std::back_inserter(run), [&](const Node& child) {
      return !is_comment(child) && range.contains(child.range());
    });
    if (exact_form(after_, run) != *allowance.becomes)
      return "the code is another than the edit says";
    // Comments may come, never go; the backslash of a continued line may do both.
    take_comments(old_children, allowance.parent, old_extras_, [&](const Node& node) {
      const bool may_go = allowance.drops_comments || node.text(before_.text()).starts_with('\\');
      return may_go && is_within(map_.removed(), node.range());
    });
    take_comments(new_children, range, new_extras_,
                  [&](const Node& node) { return is_within(map_.inserted(), node.range()); });
    return std::nullopt;
  }

  static bool is_comment(const Node& node) { return node.is_extra() && node.child_count() == 0; }

  /// Takes the children inside `range` out; the comments in them go to `extras`, but for those that
  /// do not count.
  template <typename Ignored>
  static void take_comments(std::vector<Node>& children, ByteRange range, std::vector<Node>& extras,
                            Ignored&& is_ignored) {
    const auto inside = std::ranges::stable_partition(
        children, [&](const Node& child) { return !range.contains(child.range()); });
    for (const auto& child : inside) {
      walk(child, [&](const Node& node) {
        if (is_comment(node) && !is_ignored(node)) extras.push_back(node);
        return true;
      });
    }
    children.erase(inside.begin(), inside.end());
  }

  /// A ladder with one branch more, or one less: all others are compared one by one, however the
  /// language nests them. False when it is not that.
  bool compare_ladders(const Node& old_node, const Node& new_node,
                       std::vector<std::pair<Node, Node>>& pending) {
    auto was = read_ladder(before_, old_node), is = read_ladder(after_, new_node);
    if (!was || !is || was->head != old_node || is->head != new_node ||
        static_cast<bool>(was->otherwise) != static_cast<bool>(is->otherwise))
      return false;
    const auto added = std::erase_if(is->rungs, [&](const Rung& rung) {
      return is_inserted(rung.condition) && is_inserted(rung.body);
    });
    const auto gone = std::erase_if(was->rungs, [&](const Rung& rung) {
      return is_within(map_.removed(), rung.condition.range()) &&
             is_within(map_.removed(), rung.body.range());
    });
    if (added + gone != 1 || was->rungs.size() != is->rungs.size()) return false;
    for (std::size_t i = 0; i < was->rungs.size(); ++i) {
      pending.emplace_back(was->rungs[i].condition, is->rungs[i].condition);
      pending.emplace_back(was->rungs[i].body, is->rungs[i].body);
    }
    if (was->otherwise) pending.emplace_back(was->otherwise, is->otherwise);
    take_ladder_extras(*was, old_extras_, map_.removed());
    take_ladder_extras(*is, new_extras_, map_.inserted());
    return true;
  }

  /// Comments between the branches; those of the branch that comes or goes are its own.
  static void take_ladder_extras(const Ladder& ladder, std::vector<Node>& extras,
                                 const std::vector<ByteRange>& own) {
    walk(ladder.head, [&](const Node& node) {
      const bool is_part = node == ladder.otherwise ||
                           std::ranges::any_of(ladder.rungs, [&](const Rung& rung) {
                             return node == rung.condition || node == rung.body;
                           });
      if (is_part || is_within(own, node.range())) return false;
      if (node.is_extra()) extras.push_back(node);
      return !node.is_extra();
    });
  }

  /// Is the old boundary at `is` in the new text? That of a node with children follows them over
  /// blanks and comments: a block ends with its last statement, a file begins with its first.
  bool fits(std::size_t was, std::size_t is, bool leaf) const {
    if (map_.may_map(was, is)) return true;
    if (leaf) return false;
    const auto expected = map_.least(was);
    return only_trivia(std::min(expected, is), std::max(expected, is));
  }

  /// Only blanks and comments stand in this range of the new text.
  bool only_trivia(std::size_t begin, std::size_t end) const {
    const auto text = after_.text();
    for (auto at = begin; at < end;) {
      // New code in between has grown the node: whether it may is seen where its parent is
      // compared.
      const auto above = std::ranges::upper_bound(map_.inserted(), at, {}, &ByteRange::begin);
      if (above != map_.inserted().begin() && std::prev(above)->end > at) {
        at = std::prev(above)->end;
        continue;
      }
      if (std::string_view(" \t\r\n\f").contains(text[at])) {
        ++at;
        continue;
      }
      const auto node = after_.root().smallest_around({at, at + 1});
      if (!node.is_extra()) return false;
      at = std::max(node.range().end, at + 1);
    }
    return true;
  }

  bool is_inserted(const Node& child) const {
    return !child.range().empty() && is_within(map_.inserted(), child.range());
  }

  bool allows_parent(ByteRange was) const {
    return std::ranges::any_of(
        allowed_, [&](const Allowance& one) { return !one.becomes && one.parent == was; });
  }

  /// A leaf must not have an edit inside, unless the edit is meant to change a token.
  std::optional<std::string> compare_leaf(const Node& leaf) const {
    const auto range = leaf.range();
    const bool may = std::ranges::any_of(allowed_, [&](const Allowance& one) {
      return one.inside_token && one.parent.contains(range);
    });
    if (may) return std::nullopt;
    if (map_.cuts(range)) return fmt::format("the edit falls inside a {}", leaf.kind());
    return std::nullopt;
  }

  const SourceTree& before_;
  const SourceTree& after_;
  const OffsetMap& map_;
  const std::vector<Allowance>& allowed_;
  const bool drops_comments_;
  std::vector<Node> old_extras_, new_extras_;
};

}  // namespace

std::optional<std::string> difference(const SourceTree& before, const SourceTree& after,
                                      const OffsetMap& map, const std::vector<Allowance>& allowed) {
  return Comparison(before, after, map, allowed).run();
}

std::optional<std::string> difference_of_edits(const SourceTree& before,
                                               std::vector<TextEdit> edits,
                                               const Allowance& allowed) {
  std::ranges::sort(edits);
  const auto after = SourceTree::parse(before.language(), apply_edits(before.text(), edits));
  if (!after) return after.error().message;
  if (error_nodes(after->root()).size() > error_nodes(before.root()).size())
    return "it would bring a syntax error";
  return difference(before, *after, OffsetMap(std::move(edits)), {allowed});
}

}  // namespace portpatch
