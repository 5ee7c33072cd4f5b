#include "locate/place_index.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "locate/sites.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

constexpr Role kFamilies[] = {Role::kMap, Role::kSequence, Role::kArguments, Role::kBlock,
                              Role::kText};

unsigned families_of(const SourceTree& tree, const Node& node) {
  unsigned bits = 0;
  for (std::size_t i = 0; i < std::size(kFamilies); ++i) {
    if (has_role(tree, node, kFamilies[i])) bits |= 1u << i;
  }
  return bits;
}

Node scope_around(const SourceTree& tree, const Node& node) {
  const auto scope = ancestor_with(tree, node.parent(), Role::kScope);
  return scope ? scope : tree.root();
}

/// Calls `visit(node, ancestors)` for the nodes of a tree in source order, the root being the first
/// ancestor; when it returns false the children of that node are left out.
template <typename Visit>
void walk_with_ancestors(const Node& root, Visit&& visit) {
  std::vector<std::pair<Node, std::size_t>> pending{{root, 0}};  // with its depth
  std::vector<Node> above;
  while (!pending.empty()) {
    const auto [node, depth] = pending.back();
    pending.pop_back();
    above.resize(depth);
    if (!visit(node, std::span<const Node>(above))) continue;
    above.push_back(node);
    const auto children = node.children();
    for (auto child = children.rbegin(); child != children.rend(); ++child)
      pending.emplace_back(*child, depth + 1);
  }
}

bool is_compatible(const Footprint& like, std::string_view kind, unsigned families) {
  return kind == like.kind || (families & like.families) != 0;
}

}  // namespace

struct PlaceIndex::Entry {
  Node node;
  std::size_t reading;
  unsigned families;
  ByteRange range;
  std::string scope, name;
  Bag items;

  [[nodiscard]] Address address() const { return {scope, name}; }
};

struct PlaceIndex::Sort {
  std::vector<Entry> entries;  ///< in the order of readings and source
  /// Each place once, in order; filled when asked for.
  std::map<Address, std::vector<const Entry*>> by_address = {};
};

struct PlaceIndex::View {
  explicit View(const SourceTree& tree_) : tree(tree_), leaves(tree_), names(tree_) {}

  /// The children that a container's content is made of; for any other node its leaves.
  Bag items_of(const Node& node, unsigned families) {
    Bag bag;
    if (families != 0) {
      for (const auto& child : node.named_children()) {
        if (!child.is_extra()) bag.push_back(leaves.hash_of(child));
      }
    }
    return sorted(bag.empty() ? leaves.below(node) : std::move(bag));
  }

  /// The keys of a container's entries; a call's are those of its arguments.
  Bag keys_of(const Node& node) {
    Bag bag;
    const auto arguments = child_with(tree, node, Role::kArguments);
    for (const auto& child : (arguments ? arguments : node).named_children()) {
      if (!has_role(tree, child, Role::kEntry)) continue;
      if (const auto key = child_with(tree, child, Role::kKey)) bag.push_back(leaves.hash_of(key));
    }
    return sorted(std::move(bag));
  }

  struct Neighbours {
    std::uint64_t before = 0, behind = 0;
  };

  /// The statements before and behind the one that `node` belongs to.
  const Neighbours& neighbours_of(const Node& node) {
    const auto statement = enclosing_statement(tree, node);
    const auto [known, is_new] = neighbours.try_emplace(statement.id());
    auto& own = known->second;
    if (!is_new || !statement.parent()) return own;
    std::uint64_t last = 0;
    Neighbours* last_one = nullptr;
    bool is_among = false;
    for (const auto& child : statement.parent().named_children()) {
      if (child.is_extra()) continue;
      is_among |= child == statement;
      const auto hash = leaves.hash_of(child);
      auto& one = neighbours[child.id()];
      one.before = std::exchange(last, hash);
      if (last_one != nullptr) last_one->behind = hash;
      last_one = &one;
    }
    if (!is_among) own.before = last;
    return own;
  }

  const std::shared_ptr<const Bag>& around(const Node& node) {
    const auto scope = scope_around(tree, node);
    auto& bag = arounds[scope.id()];
    if (!bag) bag = std::make_shared<const Bag>(sorted(leaves.below(scope)));
    return bag;
  }

  const SourceTree& tree;
  LeafTable leaves;
  PlaceNames names;
  std::unordered_map<const void*, std::shared_ptr<const Bag>> arounds;  ///< by scope
  std::unordered_map<const void*, Neighbours> neighbours;               ///< by statement
};

namespace {

/// Of `entries` those that are `wanted`, each range once, in the order of the text.
template <typename Entry, typename Wanted>
std::vector<const Entry*> select(const std::vector<Entry>& entries, Wanted&& wanted) {
  std::vector<const Entry*> found;
  std::set<ByteRange> seen;
  for (const auto& entry : entries) {
    if (wanted(entry) && seen.insert(entry.range).second) found.push_back(&entry);
  }
  std::ranges::stable_sort(found, {}, [](const Entry* entry) { return entry->range; });
  return found;
}

}  // namespace

PlaceIndex::PlaceIndex(std::shared_ptr<const ParsedFile> file) : file_(std::move(file)) {
  for (const auto& reading : file_->readings()) views_.emplace_back(reading.tree);
}
PlaceIndex::PlaceIndex(PlaceIndex&&) noexcept = default;
PlaceIndex::~PlaceIndex() = default;

PlaceIndex::Entry PlaceIndex::entry_of(std::size_t reading, const Node& node,
                                       std::span<const Node> above) {
  auto& view = views_[reading];
  const auto families = families_of(view.tree, node);
  return {.node = node,
          .reading = reading,
          .families = families,
          .range = node.range(),
          .scope = view.names.scope_of(node, above),
          .name = view.names.name_of(node, above),
          .items = view.items_of(node, families)};
}

Footprint PlaceIndex::complete(const Entry& entry, const Node& node) {
  auto& view = views_[entry.reading];
  const auto [before, behind] = view.neighbours_of(node);
  return {.path = file_->path(),
          .scope = entry.scope,
          .name = entry.name,
          .kind = std::string(entry.node.kind()),
          .families = entry.families,
          .range = entry.range,
          .reading = entry.reading,
          .items = entry.items,
          .keys = view.keys_of(node),
          .tokens = sorted(view.leaves.below(node)),
          .around = view.around(node),
          .before = before,
          .behind = behind};
}

PlaceIndex::Sort& PlaceIndex::sort_of(const Footprint& like) {
  const auto [known, is_new] = sorts_.try_emplace({like.kind, like.families});
  auto& sort = known->second;
  for (std::size_t reading = 0; is_new && reading < views_.size(); ++reading) {
    const auto& tree = views_[reading].tree;
    walk_with_ancestors(tree.root(), [&](const Node& node, std::span<const Node> above) {
      if (node.is_extra()) return false;
      if (node.is_named() &&
          is_compatible(like, node.kind(), like.families == 0 ? 0 : families_of(tree, node))) {
        sort.entries.push_back(entry_of(reading, node, above));
      }
      return true;
    });
  }
  return sort;
}

Footprint PlaceIndex::footprint_of(std::size_t reading, const Node& node) {
  std::vector<Node> above;
  for (auto at = node.parent(); at; at = at.parent()) above.push_back(at);
  std::ranges::reverse(above);
  const auto entry = entry_of(reading, node, above);
  auto print = complete(entry, node);
  const auto same = select(sort_of(print).entries, [&](const Entry& other) {
    return other.scope == print.scope && other.name == print.name;
  });
  const auto own = std::ranges::find(same, print.range, &Entry::range);
  if (own != same.end()) {
    print.ordinal = static_cast<std::size_t>(own - same.begin());
    print.count = same.size();
  }
  return print;
}

PlaceIndex::Found PlaceIndex::find_same(const Footprint& place) {
  auto& sort = sort_of(place);
  if (sort.by_address.empty()) {
    for (const auto* entry : select(sort.entries, [](const Entry&) { return true; }))
      sort.by_address[entry->address()].push_back(entry);
  }
  const auto found = sort.by_address.find({place.scope, place.name});
  if (found == sort.by_address.end()) return {};
  const auto& all = found->second;
  const auto one = [&](std::size_t index) { return Found{all[index], index, all.size()}; };
  const auto equal = [&](const Entry* entry) { return entry->items == place.items; };
  if (all.size() == 1) {
    // What is left of several may be another one.
    return (!place.name.empty() && place.count == 1) || equal(all[0]) ? one(0) : Found();
  }
  // Several of one name: the one that reads the same, else the same one in order.
  if (std::ranges::count_if(all, equal) == 1)
    return one(static_cast<std::size_t>(std::ranges::find_if(all, equal) - all.begin()));
  if (all.size() != place.count) return {};
  if (!place.name.empty()) return one(place.ordinal);
  // Without a name the order tells only where nothing around it has changed.
  const auto* same = all[place.ordinal];
  const auto& around = views_[same->reading].around(same->node);
  return equal(same) && place.around && *around == *place.around ? one(place.ordinal) : Found();
}

bool PlaceIndex::has_same_place(const Footprint& place) {
  return find_same(place).entry != nullptr;
}

std::optional<Footprint> PlaceIndex::same_place(const Footprint& place) {
  const auto [entry, ordinal, count] = find_same(place);
  if (entry == nullptr) return std::nullopt;
  auto print = complete(*entry,
                        views_[entry->reading].tree.node_at(entry->range, entry->node.kind()));
  print.ordinal = ordinal;
  print.count = count;
  return print;
}

std::vector<Footprint> PlaceIndex::similar_places(const Footprint& like, double least_content) {
  const auto word = last_part(like.name);
  const auto found = select(sort_of(like).entries, [&](const Entry& entry) {
    if (!word.empty() && last_part(entry.name) == word) return true;
    return share_of(like.items, entry.items) >= least_content &&
           likeness(like.items, entry.items) >= least_content / 2;
  });
  std::vector<Footprint> places;
  std::map<Address, std::size_t> counts;
  for (const auto* entry : found) {
    places.push_back(complete(*entry, entry->node));
    places.back().ordinal = counts[entry->address()]++;
  }
  for (auto& place : places) place.count = counts[{place.scope, place.name}];
  return places;
}

Footprint footprint_of(const ParsedFile& file, std::size_t reading, const Node& node) {
  return PlaceIndex({std::shared_ptr<const void>(), &file}).footprint_of(reading, node);
}

}  // namespace portpatch
