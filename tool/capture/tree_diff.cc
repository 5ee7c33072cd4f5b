#include "capture/tree_diff.h"

#include <algorithm>
#include <span>

#include "edit/container.h"
#include "syntax/imports.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

/// Pieces of one expression or simple statement that differ are told one by one up to this many,
/// and where there are several, up to this share of its tokens; beyond it has been rewritten.
constexpr std::size_t kMostPieces = 2;
constexpr double kMostRewritten = 0.5;
/// Siblings that share less than this of their tokens are not versions of one another.
constexpr double kLeastLikeness = 0.5;
/// Longer lists of siblings are compared in order only, without looking for the best pairs.
constexpr std::size_t kMostSiblings = 2000;
/// Of more pairs than this in one gap not each is looked at.
constexpr std::size_t kMostPairs = 10'000;

using Nodes = std::vector<Node>;
using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

class Comparer {
 public:
  Comparer(const TreeContent& before, const TreeContent& after, bool keeps_matches)
      : before_(before), after_(after), keeps_matches_(keeps_matches) {}

  TreeDiff take() && {
    compare(before_.tree().root(), after_.tree().root(), diff_.changes);
    return std::move(diff_);
  }

 private:
  using Changes = std::vector<TreeChange>;

  [[nodiscard]] bool equal(const Node& a, const Node& b) const {
    return same_content(before_, a, after_, b);
  }
  [[nodiscard]] bool has(const Node& node, Role role) const {
    return has_role(before_.tree(), node, role);
  }

  /// Are its children siblings of which one may come or go without the others?
  [[nodiscard]] static bool is_list(const SourceTree& tree, const Node& node) {
    return has_role(tree, node, Role::kBlock) || holds_items(tree, node);
  }
  [[nodiscard]] bool is_list(const Node& node) const { return is_list(before_.tree(), node); }
  /// May `child` come or go although its parent is no list: a clause, a decorator?
  [[nodiscard]] static bool is_clause(const SourceTree& tree, const Node& child) {
    return has_role(tree, child, Role::kStatement);
  }

  /// Notes that the two are one node; where they are equal, also what is below them.
  void match(const Node& a, const Node& b) {
    if (!keeps_matches_) return;
    diff_.matches[a.id()] = b;
    if (!equal(a, b)) return;
    std::vector<std::pair<Node, Node>> pending{{a, b}};
    while (!pending.empty()) {
      const auto [x, y] = pending.back();
      pending.pop_back();
      diff_.matches[x.id()] = y;
      const auto one = code_children(before_.tree(), x), two = code_children(after_.tree(), y);
      if (one.size() != two.size()) continue;  // one of them in grouping parentheses
      for (std::size_t i = 0; i < one.size(); ++i) pending.emplace_back(one[i], two[i]);
    }
  }

  void compare(const Node& a, const Node& b, Changes& changes) {
    match(a, b);
    if (equal(a, b)) return;
    if (const auto inside = definition_in(a, b)) {
      changes.push_back({a.parent(), b.parent(), {a}, {b}, inside});
      return compare(a, inside, changes);
    }
    auto one = children(before_.tree(), a), two = children(after_.tree(), b);
    const bool list = take_names(a, b, one, two) || is_list(a);
    const bool is_empty = (one.empty() || two.empty()) && !has(a, Role::kBlock);
    if (a.kind() != b.kind() || is_empty || has(a, Role::kString) || wraps(a, b))
      return replaced(a, b, changes);
    Changes inner;
    if (!compare_children(a, b, one, two, list, inner)) return replaced(a, b, changes);
    if (!has_block(before_.tree(), a) && !list && is_rewritten(a, b, inner))
      return replaced(a, b, changes);
    std::ranges::move(inner, std::back_inserter(changes));
  }

  void replaced(const Node& a, const Node& b, Changes& changes) {
    changes.push_back({a.parent(), b.parent(), {a}, {b}});
  }

  /// Children that are compared: of lists without their separators.
  [[nodiscard]] Nodes children(const SourceTree& tree, const Node& node) const {
    auto nodes = code_children(tree, node);
    if (is_list(tree, node))
      std::erase_if(nodes, [](const Node& child) { return !child.is_named(); });
    return nodes;
  }

  /// Two statements that import from one module differ by their names alone: these are put into
  /// `one` and `two`. False for any others.
  [[nodiscard]] bool take_names(const Node& a, const Node& b, Nodes& one, Nodes& two) const {
    if (!has(a, Role::kImport) || !has_role(after_.tree(), b, Role::kImport)) return false;
    const auto was = read_import(before_.tree(), a), is = read_import(after_.tree(), b);
    if (!was.is_from || !is.is_from || was.module != is.module || was.is_open || is.is_open)
      return false;
    const auto nodes = [](const ImportStatement& statement) {
      Nodes names;
      for (const auto& name : statement.names) names.push_back(name.node);
      return names;
    };
    one = nodes(was);
    two = nodes(is);
    return true;
  }

  [[nodiscard]] static bool has_block(const SourceTree& tree, const Node& node) {
    bool found = false;
    walk(node, [&](const Node& one) {
      found |= one != node && has_role(tree, one, Role::kBlock);
      return !found && one.is_named();
    });
    return found;
  }

  /// Does `a` stand whole within `b`?
  [[nodiscard]] bool wraps(const Node& a, const Node& b) const {
    if (is_list(a) || before_.size(a) >= after_.size(b)) return false;
    bool found = false;
    const auto wanted = before_.hash(a);
    walk(b, [&](const Node& one) {
      if (found || after_.size(one) < before_.size(a)) return false;
      found = one != b && after_.hash(one) == wanted && one.kind() == a.kind();
      return !found;
    });
    return found;
  }

  /// The definition `a` where `b` is the same with a decorator or the like, changed inside as well.
  [[nodiscard]] Node definition_in(const Node& a, const Node& b) const {
    if (a.kind() == b.kind() || !has(a, Role::kScope)) return {};
    const auto inside = child_with(after_.tree(), b, Role::kScope);
    const bool is_other = inside && inside != b && inside.kind() == a.kind() && !equal(a, inside);
    return is_other && name_of(before_.tree(), a) == name_of(after_.tree(), inside) ? inside
                                                                                    : Node();
  }

  [[nodiscard]] bool is_rewritten(const Node& a, const Node& b, const Changes& inner) const {
    std::size_t changed = 0;
    for (const auto& change : inner) {
      for (const auto& node : change.removed) changed += before_.size(node);
      for (const auto& node : change.inserted) changed += after_.size(node);
    }
    if (inner.size() < 2) return false;
    return inner.size() > kMostPieces ||
           static_cast<double>(changed) >
               kMostRewritten * static_cast<double>(before_.size(a) + after_.size(b));
  }

  /// Pairs of equal children in order (longest common subsequence), behind equal ends.
  [[nodiscard]] Pairs equal_pairs(const Nodes& one, const Nodes& two) const {
    std::size_t front = 0, back = 0;
    const auto least = std::min(one.size(), two.size());
    while (front < least && equal(one[front], two[front])) ++front;
    while (back < least - front && equal(one[one.size() - 1 - back], two[two.size() - 1 - back]))
      ++back;
    Pairs pairs;
    for (std::size_t i = 0; i < front; ++i) pairs.emplace_back(i, i);
    const auto rows = one.size() - front - back, columns = two.size() - front - back;
    if (rows > 0 && columns > 0 && rows <= kMostSiblings && columns <= kMostSiblings) {
      std::vector<std::uint32_t> lengths((rows + 1) * (columns + 1));
      const auto at = [&](std::size_t i, std::size_t k) -> std::uint32_t& {
        return lengths[i * (columns + 1) + k];
      };
      for (auto i = rows; i-- > 0;) {
        for (auto k = columns; k-- > 0;) {
          at(i, k) = equal(one[front + i], two[front + k]) ? at(i + 1, k + 1) + 1
                                                           : std::max(at(i + 1, k), at(i, k + 1));
        }
      }
      for (std::size_t i = 0, k = 0; i < rows && k < columns;) {
        if (equal(one[front + i], two[front + k]))
          pairs.emplace_back(front + i++, front + k++);
        else if (at(i + 1, k) >= at(i, k + 1))
          ++i;
        else
          ++k;
      }
    }
    for (auto i = back; i-- > 0;) pairs.emplace_back(one.size() - 1 - i, two.size() - 1 - i);
    return pairs;
  }

  using Tokens = std::vector<std::string_view>;

  /// The tokens of each of some siblings, sorted.
  [[nodiscard]] static std::vector<Tokens> tokens_of(const SourceTree& tree,
                                                     std::span<const Node> nodes) {
    std::vector<Tokens> all(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      walk(nodes[i], [&](const Node& one) {
        if (one.is_extra()) return false;
        if (one.child_count() == 0) all[i].push_back(one.text(tree.text()));
        return true;
      });
      std::ranges::sort(all[i]);
    }
    return all;
  }

  /// How much of their tokens two nodes share, 0 to 1.
  [[nodiscard]] static double likeness(const Tokens& one, const Tokens& two) {
    if (one.empty() && two.empty()) return 1;
    Tokens common;
    std::ranges::set_intersection(one, two, std::back_inserter(common));
    return 2 * static_cast<double>(common.size()) / static_cast<double>(one.size() + two.size());
  }

  /// The text by which people know a sibling: a definition's name, a key.
  [[nodiscard]] static std::string_view name_of(const SourceTree& tree, const Node& node) {
    for (const auto* field : {"name", "key", "left", "declarator"}) {
      if (const auto child = node.field(field)) return child.text(tree.text());
    }
    for (const auto role : {Role::kScope, Role::kBinding}) {
      const auto inner = child_with(tree, node, role);
      if (inner && node.named_children().size() == 1) return name_of(tree, inner);
    }
    return {};
  }

  /// How well `b` may be the new version of its sibling `a`, with `like` of their tokens; 0: not at
  /// all.
  [[nodiscard]] double kinship(const Node& a, const Node& b, double like) const {
    const auto name = name_of(before_.tree(), a);
    const bool same_name = !name.empty() && name == name_of(after_.tree(), b);
    return same_name ? 1 + like : like >= kLeastLikeness ? like : 0;
  }

  [[nodiscard]] bool may_be_kin(const Node& a, const Node& b) const {
    return a.is_named() && (a.kind() == b.kind() || definition_in(a, b));
  }

  /// Pairs within a gap, in order, with the greatest kinship in all; none in one that is too long
  /// to compare each with each.
  [[nodiscard]] Pairs kin_pairs(const Nodes& one, const Nodes& two, std::size_t i0, std::size_t i1,
                                std::size_t k0, std::size_t k1) const {
    const auto rows = i1 - i0, columns = k1 - k0;
    if (rows == 0 || columns == 0 || rows * columns > kMostPairs) return {};
    std::vector<double> kin(rows * columns), best((rows + 1) * (columns + 1));
    const auto left = tokens_of(before_.tree(), std::span(one).subspan(i0, rows)),
               right = tokens_of(after_.tree(), std::span(two).subspan(k0, columns));
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t k = 0; k < columns; ++k) {
        if (may_be_kin(one[i0 + i], two[k0 + k]))
          kin[i * columns + k] = kinship(one[i0 + i], two[k0 + k], likeness(left[i], right[k]));
      }
    }
    const auto at = [&](std::size_t i, std::size_t k) -> double& {
      return best[i * (columns + 1) + k];
    };
    for (auto i = rows; i-- > 0;) {
      for (auto k = columns; k-- > 0;) {
        at(i,
           k) = std::max({at(i + 1, k), at(i, k + 1),
                          kin[i * columns + k] > 0 ? at(i + 1, k + 1) + kin[i * columns + k] : 0});
      }
    }
    Pairs pairs;
    for (std::size_t i = 0, k = 0; i < rows && k < columns;) {
      const auto here = kin[i * columns + k];
      if (here > 0 && at(i, k) == at(i + 1, k + 1) + here)
        pairs.emplace_back(i0 + i++, k0 + k++);
      else if (at(i + 1, k) >= at(i, k + 1))
        ++i;
      else
        ++k;
    }
    return pairs;
  }

  /// The first siblings of each name in a gap, as many as stand in the same order in both (the
  /// longest increasing subsequence by patience sorting: Fredman, Discrete Mathematics 11, 1975).
  [[nodiscard]] Pairs namesakes(const Nodes& one, const Nodes& two, std::size_t i0, std::size_t i1,
                                std::size_t k0, std::size_t k1) const {
    constexpr auto kNone = static_cast<std::size_t>(-1);
    struct Candidate {
      std::size_t i, k, before;  ///< `before`: the candidate in front of it, if any
    };
    std::unordered_map<std::string_view, std::size_t> places;
    for (auto k = k1; k-- > k0;) places[name_of(after_.tree(), two[k])] = k;
    places.erase(std::string_view());
    std::vector<Candidate> candidates;
    std::vector<std::size_t> ends;  // of the rows of each length, the candidate with the least `k`
    for (auto i = i0; i < i1; ++i) {
      const auto found = places.find(name_of(before_.tree(), one[i]));
      if (found == places.end() || !may_be_kin(one[i], two[found->second])) continue;
      const auto k = found->second;
      places.erase(found);
      const auto place = std::ranges::lower_bound(
          ends, k, {}, [&](std::size_t end) { return candidates[end].k; });
      candidates.push_back({i, k, place == ends.begin() ? kNone : *std::prev(place)});
      if (place == ends.end())
        ends.push_back(candidates.size() - 1);
      else
        *place = candidates.size() - 1;
    }
    Pairs pairs;
    for (auto at = ends.empty() ? kNone : ends.back(); at != kNone; at = candidates[at].before)
      pairs.emplace_back(candidates[at].i, candidates[at].k);
    std::ranges::reverse(pairs);
    return pairs;
  }

  /// The same of a gap of any length: in a long one siblings of one name are paired first, and what
  /// stands between them is compared.
  [[nodiscard]] Pairs pairs_in_gap(const Nodes& one, const Nodes& two, std::size_t i0,
                                   std::size_t i1, std::size_t k0, std::size_t k1) const {
    Pairs pairs;
    const auto add_between = [&](std::size_t i, std::size_t k) {
      std::ranges::copy(kin_pairs(one, two, i0, i, k0, k), std::back_inserter(pairs));
    };
    const bool is_long = (i1 - i0) * (k1 - k0) > kMostPairs;
    for (const auto& [i, k] : is_long ? namesakes(one, two, i0, i1, k0, k1) : Pairs()) {
      add_between(i, k);
      pairs.emplace_back(i, k);
      i0 = i + 1;
      k0 = k + 1;
    }
    add_between(i1, k1);
    return pairs;
  }

  /// False when the children do not fit each other, so that the parents as a whole differ.
  bool compare_children(const Node& a, const Node& b, const Nodes& one, const Nodes& two, bool list,
                        Changes& changes) {
    auto pairs = equal_pairs(one, two);
    if (!list && one.size() == two.size() &&
        std::ranges::none_of(pairs, [](const auto& pair) { return pair.first != pair.second; })) {
      // The same parts in the same places.
      for (std::size_t i = 0; i < one.size(); ++i) {
        if (!equal(one[i], two[i]) && (!one[i].is_named() || !two[i].is_named())) return false;
        compare(one[i], two[i], changes);
      }
      return true;
    }
    pairs.emplace_back(one.size(), two.size());
    std::size_t i0 = 0, k0 = 0;
    for (const auto& [i1, k1] : pairs) {
      auto kin = pairs_in_gap(one, two, i0, i1, k0, k1);
      kin.emplace_back(i1, k1);
      for (const auto& [i, k] : kin) {
        TreeChange change{a, b, Nodes(one.begin() + i0, one.begin() + i),
                          Nodes(two.begin() + k0, two.begin() + k)};
        if (!list && !may_come_and_go(change)) return false;
        if (!change.removed.empty() || !change.inserted.empty())
          changes.push_back(std::move(change));
        if (i < one.size() && k < two.size()) compare(one[i], two[k], changes);
        i0 = i + 1;
        k0 = k + 1;
      }
    }
    return true;
  }

  [[nodiscard]] bool may_come_and_go(const TreeChange& change) const {
    return std::ranges::all_of(change.removed,
                               [&](const Node& node) { return is_clause(before_.tree(), node); }) &&
           std::ranges::all_of(change.inserted,
                               [&](const Node& node) { return is_clause(after_.tree(), node); });
  }

  const TreeContent& before_;
  const TreeContent& after_;
  bool keeps_matches_;
  TreeDiff diff_;
};

}  // namespace

Node TreeDiff::match_of(const Node& old_node) const {
  const auto found = matches.find(old_node.id());
  return found == matches.end() ? Node() : found->second;
}

TreeDiff compare_trees(const TreeContent& before, const TreeContent& after) {
  return Comparer(before, after, true).take();
}

std::size_t tokens_between(const TreeContent& before, const TreeContent& after) {
  std::size_t sum = 0;
  for (const auto& change : Comparer(before, after, false).take().changes) {
    for (const auto& node : change.removed) sum += before.size(node);
    for (const auto& node : change.inserted) sum += after.size(node);
    if (change.kept) sum -= before.size(change.removed[0]) + after.size(change.kept);
  }
  return sum;
}

bool same_code(const Language& language, const std::string& one, const std::string& two) {
  if (one == two) return true;
  const auto a = SourceTree::parse(language, one), b = SourceTree::parse(language, two);
  return a && b && tokens_between(TreeContent(*a), TreeContent(*b)) == 0;
}

}  // namespace portpatch
