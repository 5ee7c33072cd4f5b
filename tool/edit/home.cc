#include "edit/home.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "edit/plan.h"
#include "syntax/code_form.h"
#include "syntax/fragment.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

using How = LocatedRule::How;

constexpr std::size_t kLeastWords = 6;  ///< of a piece: shorter ones stand in many places
constexpr std::size_t kMostHomes = 3;

/// A piece of one rule.
struct Wanted {
  std::size_t rule;
  bool is_ours, is_whole;
  const LockedSite* locked;

  [[nodiscard]] bool is_own(const PiecePlace& place) const {
    return place.path == locked->path && place.scope == locked->scope;
  }
};

bool is_lost(const LocatedRule& located) {
  return located.how == How::kNowhere || located.how == How::kNamesake;
}

bool is_asked(const LocatedRule& located, const RulePlan& plan) {
  const auto conflicts = [](const SitePlan& site) {
    return site.step.kind == Step::Kind::kConflict;
  };
  return is_lost(located) || located.how == How::kNoQuery ||
         std::ranges::any_of(plan.sites, conflicts);
}

/// A statement, or a text: what may be read without what is around it.
bool is_piece(const SourceTree& tree, const Node& node) {
  return node.is_named() && !node.is_extra() &&
         (has_role(tree, node, Role::kString) || has_role(tree, node.parent(), Role::kBlock));
}

/// Statements and texts at and below `top`, the outer ones first; imports say where other code is.
std::vector<Node> pieces_below(const SourceTree& tree, const Node& top) {
  std::vector<Node> found;
  walk(top, [&](const Node& node) {
    if (has_role(tree, node, Role::kImport)) return false;
    if (is_piece(tree, node)) found.push_back(node);
    return !node.is_extra() && !has_role(tree, node, Role::kString);
  });
  return found;
}

/// The bytes of `after` that are not those of `before`, begin and end apart.
ByteRange changed_range(std::string_view before, std::string_view after) {
  std::size_t begin = 0, end = after.size();
  while (begin < std::min(before.size(), after.size()) && before[begin] == after[begin]) ++begin;
  for (auto other = before.size();
       end > begin && other > begin && before[other - 1] == after[end - 1]; --other)
    --end;
  while (begin < end && (after[begin] == ' ' || after[begin] == '\n')) ++begin;
  while (end > begin && (after[end - 1] == ' ' || after[end - 1] == '\n')) --end;
  return {begin, end};
}

class HomeSearch {
 public:
  void add(std::size_t rule, const LocatedRule& located, Ownership& ownership) {
    std::set<std::pair<std::string, std::string>> seen;
    for (const auto& locked : located.original->locked) {
      const auto file = ownership.file_at(*located.original->language, locked.commit, locked.path);
      if (is_lost(located)) add_base(rule, locked, *located.original, file);
      if (file && seen.insert({locked.commit, locked.path}).second)
        add_ours(rule, locked, *located.original, *file);
    }
  }

  Result<std::vector<std::vector<Home>>> find(
      const WorkTree& tree, const LocateResult& located,
      const std::function<Ownership&(const Pack&)>& ownership_of) {
    auto places = find_pieces(pieces_, tree);
    if (!places) return std::unexpected(places.error());
    std::map<std::tuple<std::size_t, std::string, std::string>, std::size_t>
        counts;  // by piece, path and scope
    for (const auto& place : *places) ++counts[{place.piece, place.path, place.scope}];
    std::vector<std::vector<Home>> homes(located.rules.size());
    for (auto& place : *places) {
      const auto& wanted = wanted_[place.piece];
      const auto& rule = located.rules[wanted.rule];
      const bool is_own = wanted.is_own(place);
      // What the site itself had at the base is what is left of it.
      const std::size_t own_count = is_own && !wanted.is_ours ? 1 : 0;
      if (count_at_base(place, wanted, ownership_of(*rule.pack)) >=
          counts[{place.piece, place.path, place.scope}] + own_count)
        continue;
      homes[wanted.rule].push_back(
          {wanted.is_ours, wanted.is_whole, is_own, pieces_[place.piece].text, std::move(place)});
    }
    for (auto& one : homes) keep_best(one);
    return homes;
  }

 private:
  void add(const SourceTree& tree, const Node& node, const Wanted& wanted) {
    auto piece = piece_of(tree, node);
    if (piece.word_count < kLeastWords) return;
    pieces_.push_back(std::move(piece));
    wanted_.push_back(wanted);
  }

  /// The site as the base has it, its statement, and what is in that.
  void add_base(std::size_t rule, const LockedSite& locked, const Rule& original,
                const FilePointer& file) {
    const Wanted whole{rule, false, true, &locked};
    const auto sites = file ? find_sites(original, *file)
                            : Result<std::vector<Site>>(std::vector<Site>());
    for (const auto& site : sites ? *sites : std::vector<Site>()) {
      if (site.scope != locked.scope || site.target.of(file->text()) != locked.text) continue;
      const auto& tree = file->readings()[site.reading].tree;
      const auto node = tree.root().smallest_around(site.target),
                 statement = enclosing_statement(tree, node);
      if (statement == tree.root()) return;
      add(tree, node, whole);
      // A definition is more than the place in its head.
      if (node != statement && descendant_with(tree, statement, Role::kScopeName)) return;
      if (node != statement) add(tree, statement, whole);
      for (const auto& part : pieces_below(tree, statement)) {
        if (part != statement && part != node) add(tree, part, {rule, false, false, &locked});
      }
      return;
    }
    const auto copy = Fragment::parse_any(*original.language, locked.text);
    if (copy && copy->nodes().size() == 1) add(copy->tree(), copy->nodes()[0], whole);
  }

  /// What the rule makes of its base file, as far as that has it nowhere.
  void add_ours(std::size_t rule, const LockedSite& locked, const Rule& original,
                const ParsedFile& file) {
    const auto sites = find_sites(original, file);
    if (!sites) return;
    const auto plan = plan_file(original, file, *sites, Direction::kApply);
    if (!plan || !plan->text) return;
    const auto changed = changed_range(file.text(), *plan->text);
    const auto edited = SourceTree::parse(*original.language, *plan->text);
    if (!edited) return;
    std::set<std::string> known;
    for (const auto& node : pieces_below(file.tree(), file.tree().root()))
      known.insert(exact_form(file.tree(), node));
    for (const auto& node : pieces_below(*edited, edited->root())) {
      // What the change is not in, and what is not in the change, is as it was.
      if (!node.range().overlaps(changed) || known.contains(exact_form(*edited, node))) continue;
      add(*edited, node, {rule, true, node.range().contains(changed), &locked});
    }
  }

  std::size_t count_at_base(const PiecePlace& place, const Wanted& wanted, Ownership& ownership) {
    const auto file = wanted.locked->commit.empty()
                          ? nullptr
                          : ownership.file_at(*pieces_[place.piece].language, wanted.locked->commit,
                                              place.path);
    if (!file) return 0;
    const auto then = find_pieces({pieces_[place.piece]}, *file);
    return static_cast<std::size_t>(std::ranges::count(then, place.scope, &PiecePlace::scope));
  }

  static void keep_best(std::vector<Home>& homes) {
    std::ranges::stable_sort(homes, {}, [](const Home& home) {
      return std::tuple(!home.is_whole, !home.is_in_scope, !home.is_ours,
                        -static_cast<std::ptrdiff_t>(home.text.size()), home.place.path,
                        home.place.range.begin);
    });
    std::vector<Home> kept;
    for (auto& home : homes) {
      const auto has = [&](const Home& other) {
        return other.place.path == home.place.path && other.place.range.overlaps(home.place.range);
      };
      const auto outer = std::ranges::find_if(kept, has);
      if (outer == kept.end()) {
        if (kept.size() < kMostHomes) kept.push_back(std::move(home));
      } else if (home.is_whole && outer->is_whole && home.is_ours == outer->is_ours &&
                 outer->place.range.contains(home.place.range)) {
        *outer = std::move(home);  // found by its statement, named by its own line
      }
    }
    homes = std::move(kept);
  }

  std::vector<Piece> pieces_;
  std::vector<Wanted> wanted_;  // of each piece
};

}  // namespace

Result<std::vector<std::vector<Home>>> find_homes(
    const WorkTree& tree, const LocateResult& located, const TreePlan& plan,
    const std::function<Ownership&(const Pack&)>& ownership_of) {
  HomeSearch search;
  for (std::size_t i = 0; i < located.rules.size(); ++i) {
    if (is_asked(located.rules[i], plan.rules[i]))
      search.add(i, located.rules[i], ownership_of(*located.rules[i].pack));
  }
  return search.find(tree, located, ownership_of);
}

}  // namespace portpatch
