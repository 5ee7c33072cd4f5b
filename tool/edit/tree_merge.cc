#include "edit/tree_merge.h"

#include <algorithm>

#include "syntax/code_form.h"

namespace portpatch {

namespace {

using Kind = MergeChange::Kind;

class Merger {
 public:
  Merger(const MatchTree& base, const MatchTree& ours, const MatchTree& theirs)
      : base_(base), ours_(ours), theirs_(theirs), to_theirs_(base, theirs) {}

  TreeMerge run() {
    merge(base_.root(), ours_.root());
    if (result_.conflict) return std::move(result_);
    result_.form = merged_form();
    merge_comments();
    return std::move(result_);
  }

  /// Places were followed, or the order of two insertions means nothing: the merge seen from the
  /// other side differs.
  [[nodiscard]] bool is_one_sided() const { return is_one_sided_; }

 private:
  bool fail(std::string reason, const Node& base, const std::vector<Node>& ours, const Node& theirs,
            ByteRange place) {
    if (result_.conflict) return false;
    const auto text_of = [](const MatchTree& tree, const Node& node) {
      return node ? std::string(tree.text(node)) : "";
    };
    std::string text;
    if (!ours.empty())
      text = std::string(
          ByteRange{ours.front().range().begin, ours.back().range().end}.of(ours_.tree().text()));
    result_.conflict = {std::move(reason), text_of(base_, base), std::move(text),
                        text_of(theirs_, theirs), place};
    return false;
  }

  /// The smallest part of theirs that is known around a node of base.
  ByteRange place_around(Node node) const {
    for (; node; node = node.parent()) {
      if (const auto found = to_theirs_.find(node)) return found.range();
      if (node == base_.root()) break;
    }
    return theirs_.root().range();
  }

  /// Does to theirs what makes `o` of `b`.
  void merge(const Node& b, const Node& o) {
    if (result_.conflict || base_.form(b) == ours_.form(o)) return;
    const auto t = to_theirs_.find(b);
    if (!t) {
      fail("ours changes what upstream has taken away", b, {o}, {}, place_around(b));
      return;
    }
    if (theirs_.form(t) == ours_.form(o)) return;
    is_one_sided_ |= to_theirs_.has_moved(b);
    const bool alike = b.kind() == o.kind() && b.kind() == t.kind() && !base_.is_whole(b) &&
                       !ours_.is_whole(o) && !base_.parts(b).empty();
    if (!alike) {
      replace(b, o, t);
      return;
    }
    const auto alignment = align(base_, b, ours_, o);
    // Another operator is another operation.
    const bool is_restructured = is_restructured_by(alignment, o) || changes_token(b, o, alignment);
    if (is_restructured && !base_.is_list(b) && !has_block(b)) {
      replace(b, o, t);
      return;
    }
    const bool both_changed = theirs_.form(t) != base_.form(b);
    if (both_changed && (!alignment.is_certain || to_theirs_.is_uncertain(b))) {
      fail("several statements or items are equal, and which of them was changed is not certain", b,
           {o}, t, t.range());
      return;
    }
    merge_parts(b, o, t, alignment);
  }

  bool is_restructured_by(const Alignment& alignment, const Node& o) const {
    const auto kept = std::ranges::count_if(alignment.other,
                                            [](std::ptrdiff_t other) { return other >= 0; });
    return static_cast<std::size_t>(kept) != alignment.other.size() ||
           static_cast<std::size_t>(kept) != ours_.parts(o).size();
  }

  bool changes_token(const Node& b, const Node& o, const Alignment& alignment) const {
    const auto& parts = base_.parts(b);
    const auto& news = ours_.parts(o);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].is_named() || alignment.other[i] < 0) continue;
      if (base_.text(parts[i]) != ours_.text(news[static_cast<std::size_t>(alignment.other[i])]))
        return true;
    }
    return false;
  }

  /// A compound statement, whose clauses and decorators may come and go.
  bool has_block(const Node& node) const {
    return std::ranges::any_of(base_.parts(node), [&](const Node& part) {
      return has_role(base_.tree(), part, Role::kBlock) ||
             has_role(base_.tree(), part, Role::kStatement);
    });
  }

  void replace(const Node& b, const Node& o, const Node& t) {
    if (theirs_.form(t) != base_.form(b)) {
      fail("both changed it", b, {o}, t, t.range());
      return;
    }
    result_.changes.push_back({.kind = Kind::kReplace, .theirs = t, .base = b, .ours = {o}});
  }

  /// Statements that all three have.
  void merge_comments() {
    if (!has_comments(base_) && !has_comments(ours_)) return;
    const TreeMatch to_ours(base_, ours_);
    walk(base_.root(), [&](const Node& node) {
      if (!has_role(base_.tree(), node, Role::kBlock)) return true;
      for (const auto& b : base_.parts(node)) {
        const auto o = to_ours.find(b), t = to_theirs_.find(b);
        if (!o || !t) continue;
        result_.changes.push_back(
            {.kind = Kind::kCommentsAbove, .theirs = t, .base = b, .ours = {o}});
        result_.changes.push_back(
            {.kind = Kind::kCommentBehind, .theirs = t, .base = b, .ours = {o}});
      }
      return true;
    });
  }

  static bool has_comments(const MatchTree& tree) {
    bool found = false;
    walk(tree.root(), [&](const Node& node) {
      found |= node.is_extra() && node.child_count() == 0;
      return !found;
    });
    return found;
  }

  void merge_parts(const Node& b, const Node& o, const Node& t, const Alignment& alignment) {
    const auto& parts = base_.parts(b);
    const auto& news = ours_.parts(o);
    std::vector<std::ptrdiff_t> origin(news.size(), -1);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (alignment.other[i] >= 0)
        origin[static_cast<std::size_t>(alignment.other[i])] = static_cast<std::ptrdiff_t>(i);
    }
    // Between two kept parts: what was removed of base, and what came instead.
    std::size_t i = 0, j = 0;
    while (!result_.conflict && (i < parts.size() || j < news.size())) {
      if (i < parts.size() && alignment.other[i] == static_cast<std::ptrdiff_t>(j)) {
        merge(parts[i++], news[j++]);
        continue;
      }
      const auto first = i, first_new = j;
      while (i < parts.size() && alignment.other[i] < 0) ++i;
      while (j < news.size() && origin[j] < 0) ++j;
      change_run(b, t,
                 {parts.begin() + static_cast<std::ptrdiff_t>(first),
                  parts.begin() + static_cast<std::ptrdiff_t>(i)},
                 {news.begin() + static_cast<std::ptrdiff_t>(first_new),
                  news.begin() + static_cast<std::ptrdiff_t>(j)},
                 first > 0 ? parts[first - 1] : Node(), i < parts.size() ? parts[i] : Node());
    }
  }

  /// `gone` of base, between `prev` and `next`, gave way to `come`.
  void change_run(const Node& b, const Node& t, const std::vector<Node>& gone,
                  std::vector<Node> come, const Node& prev, const Node& next) {
    std::vector<Node> gone_theirs, gone_base;
    bool is_gone_there = false;
    for (const auto& part : gone) {
      const auto there = to_theirs_.find(part);
      if (!there) {
        is_gone_there = true;
        continue;
      }
      if (theirs_.form(there) != base_.form(part)) {
        fail("ours removes what upstream has changed", part, {}, there, there.range());
        return;
      }
      if (to_theirs_.has_moved(part)) {
        fail("ours removes what upstream has moved", part, {}, there, there.range());
        return;
      }
      gone_theirs.push_back(there);
      gone_base.push_back(part);
    }
    const bool in_list = base_.is_list(b);
    const auto place = come.empty() ? std::optional(Place{})
                                    : place_of(b, t, gone_theirs, come, prev, next);
    if (!place) return;
    if (place->is_there) come.clear();
    if (!come.empty() && is_gone_there) {
      fail("ours replaces what upstream has taken away", gone.front(), come, {}, place_around(b));
      return;
    }
    std::size_t k = 0;
    for (; in_list && k < std::min(gone_theirs.size(), come.size()); ++k) {
      result_.changes.push_back({.kind = Kind::kReplace,
                                 .theirs = gone_theirs[k],
                                 .base = gone_base[k],
                                 .ours = {come[k]},
                                 .in_list = true});
    }
    for (auto i = k; i < gone_theirs.size(); ++i) {
      result_.changes.push_back({.kind = Kind::kRemove,
                                 .theirs = gone_theirs[i],
                                 .base = gone_base[i],
                                 .in_list = in_list});
    }
    if (k < come.size() && k == 0 && !place->before && !place->behind) {
      fail("ours inserts where nothing of upstream's is left", {}, come, t, t.range());
      return;
    }
    if (k < come.size()) {
      come.erase(come.begin(), come.begin() + static_cast<std::ptrdiff_t>(k));
      result_.changes.push_back({.kind = Kind::kInsert,
                                 .base = b,
                                 .ours = std::move(come),
                                 .before = k > 0 ? gone_theirs[k - 1] : place->before,
                                 .behind = place->behind,
                                 .in_list = in_list});
    }
  }

  struct Place {
    Node before, behind;
    bool is_there = false;  ///< theirs has the same insertion
  };

  /// Where in theirs stands what ours has between `prev` and `next`; nothing, and a conflict, when
  /// that is not certain.
  std::optional<Place> place_of(const Node& b, const Node& t, const std::vector<Node>& gone,
                                std::vector<Node>& come, const Node& prev, const Node& next) {
    Place place{prev ? to_theirs_.find(prev) : Node(), next ? to_theirs_.find(next) : Node(),
                false};
    const bool free = has_role(base_.tree(), b, Role::kUnordered) && base_.is_list(b);
    const bool lost = (prev && !place.before) || (next && !place.behind);
    const bool moved = (prev && to_theirs_.has_moved(prev)) || (next && to_theirs_.has_moved(next));
    const auto list = place.before   ? place.before.parent()
                      : place.behind ? place.behind.parent()
                                     : t;
    const bool one_list = (!place.before || place.before.parent() == list) &&
                          (!place.behind || place.behind.parent() == list) &&
                          ((prev && next) || list == t);
    if (free) return free_place(list == t ? t : Node(), gone, come);
    const auto& row = theirs_.parts(list);
    const auto at = [&](const Node& node) { return std::ranges::find(row, node) - row.begin(); };
    const auto begin = place.before ? at(place.before) + 1 : 0;
    const auto end = place.behind ? at(place.behind) : static_cast<std::ptrdiff_t>(row.size());
    // Neighbours that were moved together, into a new block, still say where the place is.
    const bool together = moved && prev && next && one_list && end == begin;
    if (lost || !one_list || end < begin || (moved && !together)) {
      fail("ours inserts between what upstream has moved or taken away", {}, come, {},
           place_around(b));
      return std::nullopt;
    }
    is_one_sided_ |= list != t;
    std::vector<Node> theirs;
    for (auto i = begin; i < end; ++i) {
      if (std::ranges::find(gone, row[static_cast<std::size_t>(i)]) == gone.end())
        theirs.push_back(row[static_cast<std::size_t>(i)]);
    }
    if (theirs.empty()) return place;
    place.is_there = std::ranges::equal(theirs, come, [&](const Node& x, const Node& y) {
      return theirs_.form(x) == ours_.form(y);
    });
    if (place.is_there) return place;
    fail("both inserted something here", {}, come, theirs.front(), theirs.front().range());
    return std::nullopt;
  }

  /// In a container whose order means nothing: behind all others, what is not there yet.
  std::optional<Place> free_place(const Node& list, const std::vector<Node>& gone,
                                  std::vector<Node>& come) {
    if (!list) {
      fail("ours inserts into what upstream has moved", {}, come, {}, theirs_.root().range());
      return std::nullopt;
    }
    std::vector<Node> kept;
    for (const auto& item : theirs_.parts(list)) {
      if (std::ranges::find(gone, item) == gone.end()) kept.push_back(item);
    }
    for (auto one = come.begin(); one != come.end();) {
      const auto key = ours_.key(*one);
      const auto same = std::ranges::find_if(kept, [&](const Node& item) {
        return theirs_.form(item) == ours_.form(*one) || (!key.empty() && theirs_.key(item) == key);
      });
      if (same != kept.end() && theirs_.form(*same) != ours_.form(*one)) {
        fail("both inserted this key", {}, {*one}, *same, same->range());
        return std::nullopt;
      }
      one = same == kept.end() ? one + 1 : come.erase(one);
    }
    is_one_sided_ = true;
    if (come.empty()) return Place{.before = {}, .behind = {}, .is_there = true};
    if (kept.empty() && gone.empty()) {
      fail("ours inserts where upstream has removed all others", {}, come, list, list.range());
      return std::nullopt;
    }
    return Place{.before = kept.empty() ? Node() : kept.back(), .behind = {}, .is_there = false};
  }

  /// The form of theirs with the changes made.
  std::string merged_form() const {
    struct Around {
      Node node;
      std::vector<std::string> before, behind;
    };
    std::vector<Stand> stands;
    std::vector<Around> arounds;
    for (const auto& change : result_.changes) {
      std::vector<std::string> forms;
      for (const auto& node : change.ours) forms.push_back(ours_.form(node));
      if (change.kind != Kind::kInsert) {
        stands.push_back({{}, {change.theirs}, std::move(forms)});
        continue;
      }
      const auto& node = change.before ? change.before : change.behind;
      auto around = std::ranges::find(arounds, node, &Around::node);
      if (around == arounds.end()) around = arounds.insert(arounds.end(), Around{node, {}, {}});
      auto& side = change.before ? around->behind : around->before;
      side.insert(side.end(), forms.begin(), forms.end());
    }
    std::ranges::sort(arounds, {}, [](const Around& one) { return one.node.range().size(); });
    for (auto& around : arounds) {
      auto forms = std::move(around.before);
      const auto own = std::ranges::find_if(
          stands, [&](const Stand& stand) { return stand.nodes.front() == around.node; });
      if (own != stands.end())
        forms.insert(forms.end(), own->forms.begin(), own->forms.end());
      else
        forms.push_back(exact_form(theirs_.tree(), around.node, stands));
      forms.insert(forms.end(), around.behind.begin(), around.behind.end());
      if (own != stands.end())
        own->forms = std::move(forms);
      else
        stands.push_back({{}, {around.node}, std::move(forms)});
    }
    return exact_form(theirs_.tree(), theirs_.root(), stands);
  }

  const MatchTree& base_;
  const MatchTree& ours_;
  const MatchTree& theirs_;
  const TreeMatch to_theirs_;
  TreeMerge result_;
  bool is_one_sided_ = false;
};

}  // namespace

TreeMerge merge_trees(const MatchTree& base, const MatchTree& ours, const MatchTree& theirs) {
  Merger merger(base, ours, theirs);
  auto merge = merger.run();
  if (merge.conflict || merge.changes.empty() || merger.is_one_sided()) return merge;
  // Seen from the other side it must come to the same.
  Merger reverse(base, theirs, ours);
  const auto again = reverse.run();
  if (reverse.is_one_sided() || (!again.conflict && again.form == merge.form)) return merge;
  if (again.conflict) {
    merge.conflict = {again.conflict->reason + " (seen from upstream's side)", again.conflict->base,
                      again.conflict->theirs, again.conflict->ours, theirs.root().range()};
  } else {
    merge.conflict = {"both changed it in ways that do not come to the same in either order", "",
                      "", std::string(theirs.text(theirs.root())), theirs.root().range()};
  }
  return merge;
}

}  // namespace portpatch
