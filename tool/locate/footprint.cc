#include "locate/footprint.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>

#include "base/text.h"
#include "locate/sites.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

constexpr Role kFamilies[] = {Role::kMap, Role::kSequence, Role::kArguments, Role::kBlock, Role::kText};

unsigned families_of(const SourceTree& tree, const Node& node) {
  unsigned bits = 0;
  for (std::size_t i = 0; i < std::size(kFamilies); ++i) {
    if (has_role(tree, node, kFamilies[i])) bits |= 1u << i;
  }
  return bits;
}

std::uint64_t hash(std::string_view text) { return std::hash<std::string_view>{}(text) | 1; }  // 0 means none
std::uint64_t combine(std::uint64_t seed, std::uint64_t value) { return (seed ^ value) * 0x9E3779B97F4A7C15ull + (seed >> 29); }

/// Brackets and commas are alike everywhere.
bool says_something(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0; });
}

/// The hashes of the leaves below `node`, in source order; comments and punctuation left out.
Bag leaves(const SourceTree& tree, const Node& node) {
  Bag bag;
  walk(node, [&](const Node& current) {
    if (current.is_extra()) return false;
    if (current.child_count() > 0 && !has_role(tree, current, Role::kString)) return true;
    const auto text = current.text(tree.text());
    if (says_something(text)) bag.push_back(hash(text));
    return false;
  });
  return bag;
}

}  // namespace

Bag tokens_of(const SourceTree& tree, const Node& node) { return leaves(tree, node); }

namespace {

std::uint64_t code_hash(const SourceTree& tree, const Node& node) {
  if (!node) return 0;
  std::uint64_t seed = 1;
  for (const auto leaf : leaves(tree, node)) seed = combine(seed, leaf);
  return seed | 1;
}

Bag sorted(Bag bag) {
  std::ranges::sort(bag);
  return bag;
}

/// The children that a container's content is made of; for any other node its leaves.
Bag items_of(const SourceTree& tree, const Node& node) {
  Bag bag;
  if (families_of(tree, node) != 0) {
    for (const auto& child : node.named_children()) {
      if (!child.is_extra()) bag.push_back(code_hash(tree, child));
    }
  }
  return sorted(bag.empty() ? leaves(tree, node) : std::move(bag));
}

/// The keys of a container's entries; a call's are those of its arguments.
Bag keys_of(const SourceTree& tree, const Node& node) {
  Bag bag;
  const auto arguments = child_with(tree, node, Role::kArguments);
  for (const auto& child : (arguments ? arguments : node).named_children()) {
    if (!has_role(tree, child, Role::kEntry)) continue;
    if (const auto key = child_with(tree, child, Role::kKey)) bag.push_back(code_hash(tree, key));
  }
  return sorted(std::move(bag));
}

/// `self.f(a).g` is known as "self.f.g".
std::string without_brackets(std::string_view text) {
  std::string out;
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '[') ++depth;
    if (depth == 0 && c != ' ' && c != '\n' && c != '\t') out += c;
    if (c == ')' || c == ']') --depth;
  }
  return out;
}

/// What a call or signature with these arguments is called.
std::string name_before(const SourceTree& tree, const Node& node, const Node& arguments) {
  Node before;
  for (const auto& child : node.children()) {
    if (child == arguments) break;
    if (child.is_named() && !child.is_extra()) before = child;
  }
  return before ? without_brackets(before.text(tree.text())) + "()" : "";
}

/// The name of the definition beside which `node` stands below `above`: what it decorates.
Node decorated_by(const SourceTree& tree, const Node& above, const Node& node) {
  const auto definition = above == node ? Node() : child_with(tree, above, Role::kScope);
  if (!definition || definition.range().contains(node.range())) return {};
  return descendant_with(tree, definition, Role::kScopeName);
}

/// The names on the way from `node` up to its statement: "table", "table[key]", "f()".
std::string name_of(const SourceTree& tree, const Node& node) {
  std::vector<std::string> parts;
  for (auto at = node; at; at = at.parent()) {
    if (at != node && has_role(tree, at, Role::kBlock)) break;
    if (has_role(tree, at, Role::kScope)) {
      if (at == node) parts.emplace_back(descendant_with(tree, at, Role::kScopeName).text(tree.text()));
      break;
    }
    if (const auto decorated = decorated_by(tree, at, node)) {
      parts.push_back("@" + std::string(decorated.text(tree.text())));
      break;
    }
    const auto bound = child_with(tree, at, Role::kName);
    if (bound && bound != at && !bound.range().contains(node.range())) {
      parts.push_back(without_brackets(bound.text(tree.text())));
    } else if (has_role(tree, at, Role::kBinding)) {
      parts.push_back(without_brackets(child_with(tree, at, Role::kDefinition).text(tree.text())));
    } else if (has_role(tree, at, Role::kWrapper)) {
      continue;  // what a display is wrapped in is no part of its name
    } else if (has_role(tree, at, Role::kEntry)) {
      const auto key = descendant_with(tree, at, Role::kKey);
      if (key) parts.push_back("[" + std::string(key.text(tree.text())) + "]");
    } else if (const auto arguments = child_with(tree, at, Role::kArguments)) {
      parts.push_back(name_before(tree, at, arguments));
    }
  }
  std::string name;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) name += (name.empty() || part->starts_with('[') ? "" : "/") + *part;
  return name;
}

Node scope_around(const SourceTree& tree, const Node& node) {
  const auto scope = ancestor_with(tree, node.parent(), Role::kScope);
  return scope ? scope : tree.root();
}

/// The statements before and behind the one that `node` belongs to.
std::pair<Node, Node> neighbours(const SourceTree& tree, const Node& node) {
  const auto statement = enclosing_statement(tree, node);
  Node before, behind;
  bool passed = false;
  for (const auto& child : statement.parent() ? statement.parent().named_children() : std::vector<Node>()) {
    if (child.is_extra()) continue;
    if (child == statement) passed = true;
    else if (!passed) before = child;
    else {
      behind = child;
      break;
    }
  }
  return {before, behind};
}

/// Footprints of one reading, with what is shared between them worked out once.
class Prints {
 public:
  Prints(const ParsedFile& file, std::size_t reading) : file_(file), tree_(file.readings()[reading].tree), reading_(reading) {}

  [[nodiscard]] const SourceTree& tree() const { return tree_; }

  Footprint brief(const Node& node) const {
    return {.path = file_.path(), .scope = scope_path(tree_, node), .name = name_of(tree_, node), .kind = std::string(node.kind()),
            .families = families_of(tree_, node), .range = node.range(), .reading = reading_, .items = items_of(tree_, node),
            .keys = {}, .tokens = {}, .around = {}};
  }

  void complete(Footprint& print, const Node& node) {
    print.keys = keys_of(tree_, node);
    print.tokens = sorted(leaves(tree_, node));
    const auto scope = scope_around(tree_, node);
    auto& around = around_[scope.id()];
    if (around.empty()) around = sorted(leaves(tree_, scope));
    print.around = around;
    const auto [before, behind] = neighbours(tree_, node);
    print.before = code_hash(tree_, before);
    print.behind = code_hash(tree_, behind);
  }

 private:
  const ParsedFile& file_;
  const SourceTree& tree_;
  std::size_t reading_;
  std::map<const void*, Bag> around_;
};

bool is_compatible(const Footprint& like, std::string_view kind, unsigned families) {
  return kind == like.kind || (families & like.families) != 0;
}

Footprint completed(const ParsedFile& file, Footprint print) {
  Prints prints(file, print.reading);
  prints.complete(print, prints.tree().node_at(print.range, print.kind));
  return print;
}

/// The named nodes of `file` that `wanted` accepts, each place once.
template <bool kCompleted = true, typename Wanted>
std::vector<Footprint> collect(const ParsedFile& file, const Footprint& like, Wanted&& wanted) {
  std::vector<Footprint> found;
  std::set<ByteRange> seen;
  for (std::size_t reading = 0; reading < file.readings().size(); ++reading) {
    Prints prints(file, reading);
    const auto& tree = prints.tree();
    walk(tree.root(), [&](const Node& node) {
      if (node.is_extra()) return false;
      if (!node.is_named() || !is_compatible(like, node.kind(), like.families == 0 ? 0 : families_of(tree, node))) return true;
      auto print = prints.brief(node);
      if (wanted(print) && seen.insert(print.range).second) {
        if constexpr (kCompleted) prints.complete(print, node);
        found.push_back(std::move(print));
      }
      return true;
    });
  }
  std::ranges::stable_sort(found, {}, &Footprint::range);
  std::map<std::pair<std::string, std::string>, std::size_t> counts;
  for (auto& print : found) print.ordinal = counts[{print.scope, print.name}]++;
  for (auto& print : found) print.count = counts[{print.scope, print.name}];
  return found;
}

}  // namespace

Footprint footprint_of(const ParsedFile& file, std::size_t reading, const Node& node) {
  Prints prints(file, reading);
  auto print = prints.brief(node);
  prints.complete(print, node);
  const auto same = collect(file, print, [&](const Footprint& other) { return other.scope == print.scope && other.name == print.name; });
  for (const auto& other : same) {
    if (other.range != print.range) continue;
    print.ordinal = other.ordinal;
    print.count = other.count;
  }
  return print;
}

std::vector<Footprint> similar_places(const ParsedFile& file, const Footprint& like, double least_content) {
  const auto word = last_part(like.name);
  return collect(file, like, [&](const Footprint& print) {
    if (!word.empty() && last_part(print.name) == word) return true;
    return share_of(like.items, print.items) >= least_content && likeness(like.items, print.items) >= least_content / 2;
  });
}

std::optional<Footprint> PlaceIndex::same_place(const Footprint& place) {
  const auto [sort, is_new] = places_.try_emplace({place.kind, place.families});
  if (is_new) {
    for (auto& print : collect<false>(*file_, place, [](const Footprint&) { return true; })) sort->second[{print.scope, print.name}].push_back(std::move(print));
  }
  const auto found = sort->second.find({place.scope, place.name});
  if (found == sort->second.end()) return std::nullopt;
  const auto& all = found->second;
  const auto equal = [&](const Footprint& print) { return print.items == place.items; };
  const Footprint* same = nullptr;
  if (all.size() == 1) {
    // What is left of several may be another one.
    if ((!place.name.empty() && place.count == 1) || equal(all[0])) same = &all[0];
  } else if (std::ranges::count_if(all, equal) == 1) {  // several of one name: the one that reads the same,
    same = &*std::ranges::find_if(all, equal);
  } else if (!place.name.empty() && all.size() == place.count) {  // else the same one in order
    same = &all[place.ordinal];
  }
  return same ? std::optional(completed(*file_, *same)) : std::nullopt;
}

bool names_call(std::string_view name) { return name.ends_with("()"); }

std::string_view decorated_name(std::string_view name) {
  return name.starts_with('@') ? name.substr(1, name.find('/') - 1) : std::string_view();
}

std::string_view own_name(std::string_view name) {
  if (const auto slash = name.rfind('/'); slash != std::string_view::npos) name.remove_prefix(slash + 1);
  return name;
}

std::string_view use_of(std::string_view name) {
  const auto slash = name.rfind('/');
  if (slash == std::string_view::npos) return {};
  name = name.substr(0, slash);
  if (const auto bracket = name.rfind('['); name.ends_with(']') && bracket != std::string_view::npos) return name.substr(bracket);
  return names_call(name) ? std::string_view() : own_name(name);
}

std::string_view last_part(std::string_view name) {
  name = own_name(name);
  if (const auto dot = name.find_last_of(".:>"); dot != std::string_view::npos) name.remove_prefix(dot + 1);
  return name;
}

double share_of(const Bag& part, const Bag& whole) {
  if (part.empty()) return 0;
  Bag both;
  std::ranges::set_intersection(part, whole, std::back_inserter(both));
  return static_cast<double>(both.size()) / static_cast<double>(part.size());
}

double likeness(const Bag& one, const Bag& two) {
  if (one.empty() || two.empty()) return 0;
  return 2 * share_of(one, two) * static_cast<double>(one.size()) / static_cast<double>(one.size() + two.size());
}

double line_likeness(std::string_view one, std::string_view two) {
  const auto lines = [](std::string_view text) {
    Bag bag;
    for (const auto line : split_lines(text)) {
      if (const auto code = trim(line); says_something(code)) bag.push_back(hash(code));
    }
    return sorted(bag);
  };
  return likeness(lines(one), lines(two));
}

std::vector<std::string> search_words(const ParsedFile& file, const Footprint& place) {
  std::vector<std::string> words;
  const auto add = [&](std::string_view text) {
    constexpr std::size_t kShortest = 3, kLongest = 60, kMost = 16;
    if (text.size() < kShortest || text.size() > kLongest || words.size() >= kMost || text.contains('\n')) return;
    if (std::ranges::find(words, text) == words.end()) words.emplace_back(text);
  };
  auto name = last_part(place.name);
  while (name.ends_with(')') || name.ends_with('(')) name.remove_suffix(1);
  if (const auto bracket = name.find('['); bracket != std::string_view::npos) name = name.substr(0, bracket);
  if (!place.name.empty()) words.emplace_back(name);
  const auto& tree = file.readings()[place.reading].tree;
  walk(tree.node_at(place.range, place.kind), [&](const Node& node) {
    if (node.is_extra()) return false;
    if (node.child_count() > 0 && !has_role(tree, node, Role::kString)) return true;
    auto text = node.text(tree.text());
    if (has_role(tree, node, Role::kString) && text.size() > 2) text = text.substr(1, text.size() - 2);
    add(text);
    return false;
  });
  return words;
}

}  // namespace portpatch
