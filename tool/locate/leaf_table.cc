#include "locate/leaf_table.h"

#include <algorithm>
#include <functional>

#include "syntax/roles.h"

namespace portpatch {

namespace {

std::uint64_t combine(std::uint64_t seed, std::uint64_t value) {
  return (seed ^ value) * 0x9E3779B97F4A7C15ull + (seed >> 29);
}

template <typename Visit>
void for_each_leaf(const SourceTree& tree, const Node& node, Visit&& visit) {
  walk(node, [&](const Node& current) {
    if (current.is_extra()) return false;
    if (current.child_count() > 0 && !has_role(tree, current, Role::kString)) return true;
    const auto text = current.text(tree.text());
    if (says_something(text)) visit(current, code_hash(text));
    return false;
  });
}

}  // namespace

std::uint64_t code_hash(std::string_view text) { return std::hash<std::string_view>{}(text) | 1; }

bool says_something(std::string_view code) {
  return std::ranges::any_of(code, [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c & 0x80) != 0;
  });
}

Bag sorted(Bag bag) {
  std::ranges::sort(bag);
  return bag;
}

Bag tokens_of(const SourceTree& tree, const Node& node) {
  Bag bag;
  if (node)
    for_each_leaf(tree, node, [&](const Node&, std::uint64_t hash) { bag.push_back(hash); });
  return bag;
}

void LeafTable::fill() {
  is_filled_ = true;
  for_each_leaf(*tree_, tree_->root(), [&](const Node& leaf, std::uint64_t hash) {
    leaves_.push_back({leaf.range(), leaf.id()});
    hashes_.push_back(hash);
  });
}

std::span<const std::uint64_t> LeafTable::slice(const Node& node) {
  if (!is_filled_) fill();
  const auto range = node.range();
  const auto first = std::ranges::lower_bound(leaves_, range.begin, {},
                                              [](const Leaf& leaf) { return leaf.range.begin; });
  if (first != leaves_.begin() && std::prev(first)->range.end > range.begin)
    return {};  // inside of a string
  const auto last = std::lower_bound(
      first, leaves_.end(), range.end,
      [](const Leaf& leaf, std::size_t end) { return leaf.range.begin < end; });
  if (first == last || std::prev(last)->range.end > range.end) return {};
  if (first->range == range && first->id != node.id())
    return {};  // what is in it alone may be a string that it is in
  return std::span(hashes_).subspan(static_cast<std::size_t>(first - leaves_.begin()),
                                    static_cast<std::size_t>(last - first));
}

Bag LeafTable::below(const Node& node) {
  const auto known = slice(node);
  return known.empty() ? tokens_of(*tree_, node) : Bag(known.begin(), known.end());
}

std::uint64_t LeafTable::hash_of(const Node& node) {
  if (!node) return 0;
  std::uint64_t seed = 1;
  const auto add = [&](std::uint64_t leaf) { seed = combine(seed, leaf); };
  const auto known = slice(node);
  if (known.empty())
    for_each_leaf(*tree_, node, [&](const Node&, std::uint64_t hash) { add(hash); });
  else
    std::ranges::for_each(known, add);
  return seed | 1;
}

}  // namespace portpatch
