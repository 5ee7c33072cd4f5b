#include "edit/tree_match.h"

#include <algorithm>
#include <cctype>

#include "syntax/code_form.h"

namespace portpatch {

namespace {

/// Less alike than this, items in the same gap are a removal and an insertion.
constexpr double kAlike = 0.5;
/// A best candidate must be ahead of the others by this.
constexpr double kAhead = 0.05;
/// Beyond this many pairs only equal and named items are matched.
constexpr std::size_t kMostPairs = 250000;
/// Beyond this many pairs of parts the order of equal ones is not worked out.
constexpr std::size_t kMostCells = 4000000;

double share_of_words(const std::vector<std::string_view>& a,
                      const std::vector<std::string_view>& b) {
  if (a.empty() || b.empty()) return 0;
  std::vector<std::string_view> both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return 2.0 * static_cast<double>(both.size()) / static_cast<double>(a.size() + b.size());
}

/// As above; but of what has grown, all of the old words may be a small share of the new ones.
double share_with_growth(const std::vector<std::string_view>& a,
                         const std::vector<std::string_view>& b) {
  constexpr std::size_t kFewestWords = 5;
  constexpr double kMostOfIt = 0.8;
  const auto share = share_of_words(a, b);
  const auto smaller = std::min(a.size(), b.size());
  if (smaller < kFewestWords) return share;
  const auto contained = share * static_cast<double>(a.size() + b.size()) /
                         (2.0 * static_cast<double>(smaller));
  return contained >= kMostOfIt ? std::max(share, kAlike) : share;
}

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

/// A longest common subsequence; of several the one whose pairs are first, or last, in both.
Pairs longest_common(const std::vector<const std::string*>& a,
                     const std::vector<const std::string*>& b) {
  const auto n = a.size(), m = b.size();
  std::vector<std::vector<std::uint32_t>> length(n + 1, std::vector<std::uint32_t>(m + 1));
  for (auto i = n; i-- > 0;) {
    for (auto j = m; j-- > 0;) {
      length[i][j] = *a[i] == *b[j] ? length[i + 1][j + 1] + 1
                                    : std::max(length[i + 1][j], length[i][j + 1]);
    }
  }
  Pairs pairs;
  for (std::size_t i = 0, j = 0; i < n && j < m;) {
    if (*a[i] == *b[j])
      pairs.emplace_back(i++, j++);
    else if (length[i + 1][j] >= length[i][j + 1])
      ++i;
    else
      ++j;
  }
  return pairs;
}

Pairs longest_common_from_behind(std::vector<const std::string*> a,
                                 std::vector<const std::string*> b) {
  std::ranges::reverse(a);
  std::ranges::reverse(b);
  auto pairs = longest_common(a, b);
  for (auto& [i, j] : pairs) std::tie(i, j) = std::pair(a.size() - 1 - i, b.size() - 1 - j);
  std::ranges::reverse(pairs);
  return pairs;
}

/// Matches the parts of two nodes.
class Aligner {
 public:
  Aligner(const MatchTree& a, const Node& x, const MatchTree& b, const Node& y)
      : a_(a), b_(b), x_(x), y_(y), left_(a.parts(x)), right_(b.parts(y)), is_list_(a.is_list(x)) {
    result_.other.assign(left_.size(), -1);
  }

  Alignment run() {
    std::vector<const std::string*> forms_a, forms_b;
    for (const auto& node : left_) forms_a.push_back(&a_.form(node));
    for (const auto& node : right_) forms_b.push_back(&b_.form(node));
    std::size_t front = 0, back = 0;
    const bool is_long = left_.size() * right_.size() > kMostCells;
    if (is_long) {  // what is equal at both ends is taken as it stands
      while (front < forms_a.size() && front < forms_b.size() && *forms_a[front] == *forms_b[front])
        ++front;
      const auto rest = std::min(forms_a.size(), forms_b.size()) - front;
      while (back < rest &&
             *forms_a[forms_a.size() - 1 - back] == *forms_b[forms_b.size() - 1 - back])
        ++back;
    }
    const auto middle = [&](const std::vector<const std::string*>& forms) {
      return std::vector(forms.begin() + static_cast<std::ptrdiff_t>(front),
                         forms.end() - static_cast<std::ptrdiff_t>(back));
    };
    const auto middle_a = middle(forms_a), middle_b = middle(forms_b);
    Pairs pairs;
    for (std::size_t i = 0; i < front; ++i) pairs.emplace_back(i, i);
    if (middle_a.size() * middle_b.size() <= kMostCells) {
      const auto inner = longest_common(middle_a, middle_b);
      result_.is_certain = !is_long && inner == longest_common_from_behind(middle_a, middle_b);
      for (const auto& [i, j] : inner) pairs.emplace_back(i + front, j + front);
    } else {
      result_.is_certain = false;
    }
    for (auto i = back; i > 0; --i) pairs.emplace_back(forms_a.size() - i, forms_b.size() - i);
    std::size_t i = 0, j = 0;
    for (const auto& [p, q] : pairs) {
      match_gap(i, p, j, q);
      result_.other[p] = static_cast<std::ptrdiff_t>(q);
      i = p + 1;
      j = q + 1;
    }
    match_gap(i, left_.size(), j, right_.size());
    return std::move(result_);
  }

 private:
  /// How alike two parts are: nothing when they cannot be the same one changed.
  double likeness(std::size_t i, std::size_t j) const {
    const auto& p = left_[i];
    const auto& q = right_[j];
    if (!is_list_) {
      const auto field = a_.field(x_, p);
      if (field != b_.field(y_, q) || p.is_named() != q.is_named()) return 0;
      if (!field.empty()) return 1 + share_of_words(a_.words(p), b_.words(q));
    }
    if (p.kind() != q.kind()) return 0;
    if (!is_list_) return 1 + share_of_words(a_.words(p), b_.words(q));
    const auto key = a_.key(p), other = b_.key(q);
    if (!key.empty() && key == other) return 2 + share_of_words(a_.words(p), b_.words(q));
    const auto share = share_with_growth(a_.words(p), b_.words(q));
    return share >= kAlike ? share : 0;
  }

  void match_gap(std::size_t begin, std::size_t end, std::size_t other_begin,
                 std::size_t other_end) {
    if (begin == end || other_begin == other_end ||
        (end - begin) * (other_end - other_begin) > kMostPairs)
      return;
    double best = 0;
    std::size_t at = 0, other = 0;
    for (auto i = begin; i < end; ++i) {
      for (auto j = other_begin; j < other_end; ++j) {
        if (const auto like = likeness(i, j); like > best)
          std::tie(best, at, other) = std::tuple(like, i, j);
      }
    }
    if (best == 0) return;
    for (auto i = begin; i < end; ++i) {
      for (auto j = other_begin; j < other_end; ++j) {
        if ((i == at) != (j == other) && likeness(i, j) > best - kAhead)
          return;  // as good: no telling which
      }
    }
    result_.other[at] = static_cast<std::ptrdiff_t>(other);
    match_gap(begin, at, other_begin, other);
    match_gap(at + 1, end, other + 1, other_end);
  }

  const MatchTree& a_;
  const MatchTree& b_;
  const Node x_, y_;
  const std::vector<Node>& left_;
  const std::vector<Node>& right_;
  const bool is_list_;
  Alignment result_;
};

}  // namespace

const std::string& MatchTree::form(const Node& node) const {
  auto& form = forms_[node.id()];
  if (form.empty()) form = exact_form(*tree_, node);
  return form;
}

bool MatchTree::is_list(const Node& node) const {
  return std::ranges::any_of(
      std::vector{Role::kBlock, Role::kMap, Role::kSequence, Role::kArguments},
      [&](Role role) { return has_role(*tree_, node, role); });
}

bool MatchTree::is_whole(const Node& node) const {
  return node.child_count() == 0 ||
         std::ranges::any_of(std::vector{Role::kString, Role::kRawString, Role::kLabel},
                             [&](Role role) { return has_role(*tree_, node, role); });
}

const std::vector<Node>& MatchTree::parts(const Node& node) const {
  const auto [found, is_new] = parts_.try_emplace(node.id());
  if (!is_new) return found->second;
  const bool list = is_list(node);
  for (const auto& child : node.children()) {
    const bool is_comment = child.is_extra() && child.child_count() == 0;
    if (is_comment || child.range().empty() || trim(text(child)).empty() ||
        (list && !child.is_named()))
      continue;
    found->second.push_back(child);
  }
  return found->second;
}

std::string MatchTree::key(const Node& node) const {
  std::vector<Node> level{node};
  for (int depth = 0; depth < 3; ++depth) {
    std::vector<Node> next;
    for (const auto& one : level) {
      if (depth > 0 && is_list(one)) continue;
      for (const auto& child : one.children()) {
        for (const auto role : {Role::kKey, Role::kScopeName, Role::kName}) {
          if (has_role(*tree_, child, role)) return std::string(text(child));
        }
        next.push_back(child);
      }
    }
    level = std::move(next);
  }
  return {};
}

const std::vector<std::string_view>& MatchTree::words(const Node& node) const {
  const auto [found, is_new] = words_.try_emplace(node.id());
  if (!is_new) return found->second;
  walk(node, [&](const Node& token) {
    if (!is_whole(token)) return true;
    const auto word = text(token);
    const bool is_word = std::ranges::any_of(
        word, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || (c & 0x80); });
    if (is_word && !token.is_extra()) found->second.push_back(word);
    return false;
  });
  std::ranges::sort(found->second);
  return found->second;
}

std::string_view MatchTree::field(const Node& parent, const Node& part) const {
  for (const auto& [node, field] : fields_of(parent)) {
    if (node == part) return field;
  }
  return {};
}

Alignment align(const MatchTree& a, const Node& x, const MatchTree& b, const Node& y) {
  return Aligner(a, x, b, y).run();
}

TreeMatch::TreeMatch(const MatchTree& a, const MatchTree& b) : a_(a), b_(b) {
  match(a.root(), b.root());
  match_moved_and_changed();  // first: what is inside of it is then found in it
  match_moved();
}

Node TreeMatch::find(const Node& node) const {
  const auto found = found_.find(node.id());
  return found == found_.end() ? Node() : found->second;
}

void TreeMatch::match(const Node& x, const Node& y) {
  std::vector<std::pair<Node, Node>> pending{{x, y}};
  while (!pending.empty()) {
    const auto [p, q] = pending.back();
    pending.pop_back();
    if (taken_.contains(q.id()) || found_.contains(p.id())) continue;
    found_[p.id()] = q;
    taken_.insert(q.id());
    if (p.kind() != q.kind() || a_.is_whole(p) || b_.is_whole(q)) continue;
    const auto alignment = align(a_, p, b_, q);
    if (!alignment.is_certain) uncertain_.insert(p.id());
    const auto& left = a_.parts(p);
    const auto& right = b_.parts(q);
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (alignment.other[i] >= 0)
        pending.emplace_back(left[i], right[static_cast<std::size_t>(alignment.other[i])]);
    }
  }
}

/// Items of lists that stand nowhere in order, and are like nothing else in either tree.
void TreeMatch::match_moved() {
  const auto items_of = [](const MatchTree& tree) {
    std::map<std::string, std::vector<Node>> by_form;
    walk(tree.root(), [&](const Node& node) {
      if (tree.is_list(node)) {
        for (const auto& item : tree.parts(node)) by_form[tree.form(item)].push_back(item);
      }
      return true;
    });
    return by_form;
  };
  const auto left = items_of(a_), right = items_of(b_);
  for (const auto& [form, items] : left) {
    const auto other = right.find(form);
    if (other == right.end() || items.size() != 1 || other->second.size() != 1) continue;
    if (found_.contains(items[0].id()) || taken_.contains(other->second[0].id())) continue;
    match(items[0], other->second[0]);
    moved_.insert(items[0].id());
  }
}

/// What has moved and was changed, such as a loop that now stands in a `with`: much the same words,
/// and nothing else that is left over on either side is even somewhat like it.
void TreeMatch::match_moved_and_changed() {
  constexpr double kMuchAlike = 0.7, kSomewhatAlike = 0.4;
  constexpr std::size_t kFewestWords = 3;
  const auto left_over = [](const MatchTree& tree, const auto& is_matched) {
    std::vector<Node> items;
    walk(tree.root(), [&](const Node& node) {
      if (!has_role(tree.tree(), node, Role::kBlock)) return true;
      for (const auto& item : tree.parts(node)) {
        if (!is_matched(item) && tree.words(item).size() >= kFewestWords) items.push_back(item);
      }
      return true;
    });
    return items;
  };
  const auto left = left_over(a_, [&](const Node& node) { return found_.contains(node.id()); });
  const auto right = left_over(b_, [&](const Node& node) { return taken_.contains(node.id()); });
  if (left.size() * right.size() > kMostPairs) return;
  const auto alike = [&](const Node& x, const Node& y) {
    return x.kind() == y.kind() ? share_of_words(a_.words(x), b_.words(y)) : 0;
  };
  for (const auto& x : left) {
    for (const auto& y : right) {
      if (alike(x, y) < kMuchAlike) continue;
      const auto rivals = std::ranges::count_if(right,
                                                [&](const Node& other) {
                                                  return alike(x, other) >= kSomewhatAlike;
                                                }) +
                          std::ranges::count_if(left, [&](const Node& other) {
                            return alike(other, y) >= kSomewhatAlike;
                          });
      if (rivals != 2 || found_.contains(x.id()) || taken_.contains(y.id())) continue;
      match(x, y);
      moved_.insert(x.id());
    }
  }
}

}  // namespace portpatch
