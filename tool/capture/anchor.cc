#include "capture/anchor.h"

#include <algorithm>

#include <fmt/format.h>

#include "capture/payload_text.h"
#include "edit/container.h"
#include "syntax/language.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

constexpr std::size_t kMostLevels = 8;
/// A text that is longer, or has several lines, is no anchor that a person would write.
constexpr std::size_t kLongestName = 80, kLongestText = 600, kLongestBegin = 160;

bool is_short(std::string_view text, std::size_t limit) {
  return !text.empty() && text.size() <= limit && !text.contains('\n');
}

Node child_of_kind(const Node& node, std::string_view kind) {
  for (const auto& child : node.named_children()) {
    if (child.kind() == kind) return child;
  }
  return {};
}

/// The part in a field, or the one that names the node (`@name`), with its field.
std::pair<Node, std::string> part_in(const SourceTree& tree, const Node& node,
                                     const std::string& field) {
  if (!field.starts_with('@')) return {node.field(field), field};
  const auto named = child_with(tree, node, Role::kName);
  for (const auto& [child, its_field] : fields_of(node)) {
    if (named && child == named && !its_field.empty()) return {child, std::string(its_field)};
  }
  return {};
}

/// The anchor field `arguments/first`: the field first of what stands in the field arguments.
void add_deep_part(const SourceTree& tree, const Node& node, std::string_view path,
                   std::vector<std::pair<std::size_t, Pattern>>& parts) {
  const std::string outer(path.substr(0, path.find('/'))), inner(path.substr(path.find('/') + 1));
  const auto around = node.field(outer);
  const auto [child, field] = part_in(tree, around, inner);
  const auto text = child.text(tree.text());
  if (!child || child.is_error() || !is_short(text, kLongestName)) return;
  Pattern part{.kind = "_", .field = field, .text = std::string(text)};
  const auto known = std::ranges::find(parts, outer,
                                       [](const auto& one) { return one.second.field; });
  if (known == parts.end()) {
    parts.push_back(
        {around.range().begin,
         {.kind = std::string(around.kind()), .field = outer, .children = {std::move(part)}}});
    return;
  }
  auto& siblings = known->second.children;
  if (std::ranges::find(siblings, field, &Pattern::field) != siblings.end()) return;
  const auto is_behind = [&](const Pattern& one) {
    return around.field(one.field).range().begin > child.range().begin;
  };
  siblings.insert(std::ranges::find_if(siblings, is_behind), std::move(part));
}

/// The parts of `node` by which it is known, the `most` best, in the order of the source: `left:
/// (_) "TABLE"`.
std::vector<Pattern> identity(const SourceTree& tree, const Node& node, std::size_t most) {
  std::vector<std::pair<std::size_t, Pattern>> parts;  // with where they stand
  for (const auto& field : tree.language().anchor_fields()) {
    if (parts.size() == most) break;
    if (field.contains('/')) {
      add_deep_part(tree, node, field, parts);
      continue;
    }
    const auto [direct, own_field] = part_in(tree, node, field);
    auto child = direct;
    // A grammar without fields: the child of this kind.
    const auto name = child ? own_field : std::string();
    if (!child) child = child_of_kind(node, field);
    if (!child || child.is_error()) continue;
    const auto at = child.range().begin;
    // `declarator: (init_declarator declarator: (_) value: ...)`: the name stands further inside.
    if (std::ranges::any_of(
            parts, [&](const auto& part) { return !name.empty() && part.second.field == name; }))
      continue;
    if (!name.empty() && child.field(field)) {
      if (auto inner = identity(tree, child, 1); !inner.empty()) {
        parts.push_back(
            {at,
             {.kind = std::string(child.kind()), .field = field, .children = std::move(inner)}});
        continue;
      }
    }
    const auto text = child.text(tree.text());
    if (is_short(text, kLongestName))
      parts.push_back(
          {at, {.kind = name.empty() ? field : "_", .field = name, .text = std::string(text)}});
  }
  std::ranges::stable_sort(parts, {}, [](const auto& part) { return part.first; });
  std::vector<Pattern> found;
  for (auto& [at, part] : parts) found.push_back(std::move(part));
  if (!found.empty() || holds_items(tree, node)) return found;
  // What only stands around one thing is known by that thing.
  const auto children = named_children(node);
  const auto definition = node.field("definition");
  const auto inside = definition ? definition : children.size() == 1 ? children[0] : Node();
  if (!inside) return {};
  auto inner = identity(tree, inside, most);
  if (inner.empty()) return {};
  return {{.kind = std::string(inside.kind()),
           .field = definition ? "definition" : "",
           .children = std::move(inner)}};
}

std::string field_of(const Node& node) {
  for (const auto& [child, field] : fields_of(node.parent())) {
    if (child == node) return std::string(field);
  }
  return {};
}

/// The node's own text, as it stands or, when it has several lines, as code.
bool set_text(Pattern& pattern, const TreeContent& content, const Node& node) {
  const auto text = node.text(content.tree().text());
  if (text.size() > kLongestText) {
    // A long text is known by how it begins.
    if (!has_role(content.tree(), node, Role::kString)) return false;
    const auto words = text.find_first_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
                                          2);
    const auto begin = text.substr(0, text.find('\n', words == std::string_view::npos ? 0 : words));
    if (begin.size() > kLongestBegin) return false;
    pattern.text = std::string(begin);
    pattern.is_prefix = true;
    return true;
  }
  if (text.contains('\n')) {
    pattern.text = dedented(content.tree(), node.range());
    pattern.content = content.hash(node);
  } else {
    pattern.text = std::string(text);
  }
  return true;
}

using Scopes = std::vector<std::string>;

/// The target's scope, and the one that the change makes of it.
Scopes scopes_of(const Versions& versions, const AnchorTarget& target) {
  Scopes scopes{scope_path(versions.before.tree(), target.before)};
  const auto later = target.after  ? scope_path(versions.after.tree(), target.after)
                     : target.left ? scope_path(versions.after.tree(), target.left)
                                   : scopes[0];
  const bool is_own = !target.after && has_role(versions.after.tree(), target.left, Role::kScope);
  if (later != scopes[0] && !is_own) scopes.push_back(later);
  return scopes;
}

std::vector<Node> in_scopes(const Pattern& pattern, const TreeContent& content,
                            const Scopes& scopes) {
  auto targets = targets_of(pattern, content);
  std::erase_if(targets, [&](const Node& node) {
    return std::ranges::find(scopes, scope_path(content.tree(), node)) == scopes.end();
  });
  return targets;
}

/// How much of the target's own is in the pattern.
enum class Own { kKind, kIdentity, kFullIdentity, kText };

/// Which of what is around it is. kTop: the outermost node of the pattern; kScope: that one, and it
/// is the scope, which says little.
enum class Around { kNothing, kTop, kAll, kSibling, kScope };

class Finder {
 public:
  Finder(const Versions& versions, const AnchorTarget& target)
      : versions_(versions), target_(target), scopes_(scopes_of(versions, target)) {
    for (auto node = target.before; node && chain_.size() <= kMostLevels; node = node.parent()) {
      chain_.push_back(node);
      has_scope_ = node != target.before && has_role(old_tree(), node, Role::kScope);
      if (has_scope_ || !node.parent()) break;
    }
  }

  std::optional<Anchor> find() {
    const auto levels = chain_.size();
    const auto attempt = [&](Own own, Around around) -> std::optional<Anchor> {
      const bool alone = around == Around::kNothing || around == Around::kSibling;
      // Bodies of the scope itself are known by its name; of anything in them that alone says
      // little.
      const bool says_little = has_scope_ && own == Own::kKind &&
                               !has_role(old_tree(), target_.before, Role::kBlock);
      const std::size_t first = alone ? 0 : around == Around::kScope ? levels - 1 : 1;
      const std::size_t end = alone                                     ? 1
                              : says_little && around != Around::kScope ? levels - 1
                                                                        : levels;
      if (around == Around::kScope && levels < 2) return std::nullopt;
      for (auto level = first; level < end; ++level) {
        if (auto anchor = make(own, around, level)) return anchor;
      }
      return std::nullopt;
    };
    if (!target_.before.parent()) return whole_file();
    // A name says little without the module that it is of, an item without its container.
    if (has_role(old_tree(), target_.before, Role::kImportName)) {
      if (auto anchor = attempt(Own::kText, Around::kTop)) return anchor;
    }
    if (holds_items(old_tree(), target_.before.parent()) &&
        !has_role(old_tree(), target_.before.parent(), Role::kBlock)) {
      for (const auto own : {Own::kIdentity, Own::kKind, Own::kText}) {
        if (auto anchor = attempt(own, Around::kTop)) return anchor;
      }
    }
    constexpr std::pair<Own, Around> kOrder[] = {
        {Own::kIdentity, Around::kNothing},
        {Own::kKind, Around::kTop},
        {Own::kFullIdentity, Around::kNothing},
        {Own::kIdentity, Around::kTop},
        {Own::kText, Around::kNothing},
        {Own::kText, Around::kTop},
        {Own::kKind, Around::kAll},
        {Own::kFullIdentity, Around::kAll},
        {Own::kText, Around::kAll},
        {Own::kIdentity, Around::kSibling},
        {Own::kText, Around::kSibling},
        {Own::kKind, Around::kScope},
        {Own::kKind, Around::kSibling},
    };
    for (const auto& [own, around] : kOrder) {
      if (auto anchor = attempt(own, around)) return anchor;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] const SourceTree& old_tree() const { return versions_.before.tree(); }

  /// The target's own part; nullopt when it has none of that sort.
  [[nodiscard]] std::optional<Pattern> own_pattern(Own own) const {
    const bool same_kind = !target_.after || target_.after.kind() == target_.before.kind();
    Pattern pattern{
        .kind = same_kind || own == Own::kText ? std::string(target_.before.kind()) : "_",
        .is_target = true};
    if (own == Own::kText) {
      if (!set_text(pattern, versions_.before, target_.before)) return std::nullopt;
    } else if (own != Own::kKind) {
      pattern.children = identity(old_tree(), target_.before, own == Own::kIdentity ? 1 : 4);
      if (pattern.children.empty()) return std::nullopt;
    }
    return pattern;
  }

  /// The file itself.
  [[nodiscard]] std::optional<Anchor> whole_file() const {
    return Anchor{.pattern = {.kind = std::string(target_.before.kind()), .is_target = true},
                  .scopes = {},
                  .path = versions_.path,
                  .why = "the file"};
  }

  [[nodiscard]] std::optional<Anchor> make(Own own, Around around, std::size_t level) const {
    auto pattern = own_pattern(own);
    if (!pattern) return std::nullopt;
    bool has_text = own != Own::kKind;
    if (around == Around::kSibling) {
      if (!add_sibling(*pattern)) return std::nullopt;
      has_text = true;
    }
    for (std::size_t i = 1; i <= level; ++i) {
      const auto& node = chain_[i];
      pattern->field = field_of(chain_[i - 1]);
      Pattern outer{.kind = std::string(node.kind())};
      if (i == level || around == Around::kAll) {
        for (auto& part : identity_beside(node, chain_[i - 1])) {
          outer.children.push_back(std::move(part));
          has_text = true;
        }
      }
      if (i == level && outer.children.empty()) return std::nullopt;
      put_in_order(node, outer, std::move(*pattern), chain_[i - 1]);
      pattern = std::move(outer);
    }
    if (!has_text) return std::nullopt;
    Anchor anchor{.pattern = std::move(*pattern), .scopes = scopes_, .path = {}, .why = {}};
    if (!points_at_target(anchor, own)) return std::nullopt;
    anchor.why = describe(own, around, level);
    return anchor;
  }

  /// The identity of an ancestor, without the part in which the target is.
  [[nodiscard]] std::vector<Pattern> identity_beside(const Node& node, const Node& child) const {
    auto parts = identity(old_tree(), node, 1);
    const auto field = field_of(child);
    std::erase_if(parts, [&](const Pattern& part) {
      return part.field == field && (field.empty() ? part.children.size() > 0 : true);
    });
    if (!parts.empty()) return parts;
    parts = identity(old_tree(), node, 4);
    std::erase_if(parts, [&](const Pattern& part) { return part.field == field; });
    if (parts.size() > 1) parts.resize(1);
    return parts;
  }

  /// Children of a pattern stand in the order of the source.
  void put_in_order(const Node& node, Pattern& outer, Pattern inner, const Node& child) const {
    const auto place = [&](const Pattern& part) {
      for (const auto& [one, field] : fields_of(node)) {
        if (field == part.field) return one.range().begin;
      }
      return std::size_t{0};
    };
    const auto at = std::ranges::find_if(
        outer.children, [&](const Pattern& part) { return place(part) > child.range().begin; });
    outer.children.insert(at, std::move(inner));
  }

  /// Makes the pattern one of the block: the statement in front, or behind, and the target.
  [[nodiscard]] bool add_sibling(Pattern& pattern) const {
    const auto parent = target_.before.parent();
    if (!parent) return false;
    const auto siblings = named_children(parent);
    const auto at = std::ranges::find(siblings, target_.before) - siblings.begin();
    for (const bool in_front : {true, false}) {
      if (in_front ? at == 0 : at + 1 == std::ssize(siblings)) continue;
      const auto sibling = siblings[static_cast<std::size_t>(in_front ? at - 1 : at + 1)];
      Pattern other{.kind = std::string(sibling.kind()),
                    .field = field_of(sibling),
                    .children = identity(old_tree(), sibling, 2)};
      if (other.children.empty()) {
        if (!set_text(other, versions_.before, sibling)) continue;
      }
      Pattern block{.kind = std::string(parent.kind())};
      auto self = pattern;
      self.field = field_of(target_.before);
      (in_front ? self : other).is_adjacent = true;
      block.children = in_front ? std::vector{other, self} : std::vector{self, other};
      if (!is_unique(block, versions_.before, target_.before)) continue;
      pattern = std::move(block);
      return true;
    }
    return false;
  }

  [[nodiscard]] bool is_unique(const Pattern& pattern, const TreeContent& tree,
                               const Node& wanted) const {
    const auto targets = in_scopes(pattern, tree, scopes_);
    return targets.size() == 1 && targets[0] == wanted;
  }

  /// Alone before and after; or, where the target's own text changes, alone before and nowhere
  /// after.
  [[nodiscard]] bool points_at_target(Anchor& anchor, Own own) const {
    if (!is_unique(anchor.pattern, versions_.before, target_.before)) return false;
    const auto later = in_scopes(anchor.pattern, versions_.after, scopes_);
    if (target_.after && later.size() == 1 && later[0] == target_.after) {
      return true;
    }
    if (!later.empty()) return false;
    // The pattern reads something that the change replaces.
    if (target_.stays || (target_.after && own != Own::kText)) return false;
    anchor.reads_old_text = true;
    return true;
  }

  [[nodiscard]] std::string describe(Own own, Around around, std::size_t level) const {
    std::string text;
    switch (own) {
      case Own::kKind:
        text = fmt::format("the only {} ", target_.before.kind());
        break;
      case Own::kIdentity:
        text = fmt::format("the only {} of this name ", target_.before.kind());
        break;
      case Own::kFullIdentity:
        text = fmt::format("the only {} of these names ", target_.before.kind());
        break;
      case Own::kText:
        text = fmt::format("the only {} that reads so ", target_.before.kind());
        break;
    }
    if (around == Around::kSibling)
      text += "next to this sibling ";
    else if (level > 0)
      text += fmt::format("in such a {} ", chain_[level].kind());
    text += scopes_[0].empty() ? "at module level" : fmt::format("in {}", scopes_[0]);
    if (around == Around::kAll) text += ", with everything around it named";
    return text;
  }

  const Versions& versions_;
  const AnchorTarget& target_;
  Scopes scopes_;
  bool has_scope_ = false;   ///< the last of the chain is the target's scope
  std::vector<Node> chain_;  ///< the target and what is around it, up to its scope
};

Pattern* target_in(Pattern& pattern) {
  if (pattern.is_target) return &pattern;
  for (auto& child : pattern.children) {
    if (auto* found = target_in(child)) return found;
  }
  return nullptr;
}

}  // namespace

std::optional<Anchor> find_anchor(const Versions& versions, const AnchorTarget& target) {
  if (!target.before) return std::nullopt;
  return Finder(versions, target).find();
}

std::optional<Anchor> held_anchor(const Versions& versions, const Anchor& anchor,
                                  const AnchorTarget& target) {
  Anchor held = anchor;
  auto* node = target_in(held.pattern);
  node->kind = target.after.kind();
  node->children.clear();
  node->content.reset();
  node->is_prefix = false;
  if (!set_text(*node, versions.after, target.after)) return std::nullopt;
  if (!in_scopes(held.pattern, versions.before, held.scopes).empty()) return std::nullopt;
  const auto later = in_scopes(held.pattern, versions.after, held.scopes);
  if (later.size() != 1 || later[0] != target.after) return std::nullopt;
  return held;
}

std::optional<Anchor> run_anchor(const Versions& versions,
                                 const std::vector<AnchorTarget>& targets) {
  Pattern block{.kind = std::string(targets[0].before.parent().kind())};
  for (const auto& target : targets) {
    Pattern one{.kind = std::string(target.before.kind()),
                .field = field_of(target.before),
                .children = identity(versions.before.tree(), target.before, 2)};
    if (one.children.empty() && !set_text(one, versions.before, target.before)) return std::nullopt;
    one.is_target = true;
    one.is_adjacent = !block.children.empty();
    block.children.push_back(std::move(one));
  }
  Anchor anchor{.pattern = std::move(block),
                .scopes = scopes_of(versions, targets[0]),
                .path = {},
                .why = "these statements, one behind the other"};
  const auto before = in_scopes(anchor.pattern, versions.before, anchor.scopes),
             after = in_scopes(anchor.pattern, versions.after, anchor.scopes);
  if (before.size() != targets.size() || after.size() != targets.size()) return std::nullopt;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (before[i] != targets[i].before || after[i] != targets[i].after) return std::nullopt;
  }
  return anchor;
}

std::optional<Anchor> with_neighbour(const Versions& versions, const Anchor& scope,
                                     const AnchorTarget& target, const Node& neighbour) {
  Pattern inner{.kind = std::string(neighbour.kind()),
                .field = field_of(neighbour),
                .capture = "neighbour",
                .children = identity(versions.before.tree(), neighbour, 1)};
  if (inner.children.empty()) return std::nullopt;
  for (auto node = neighbour.parent(); node && node != target.before; node = node.parent()) {
    Pattern outer{
        .kind = std::string(node.kind()), .field = field_of(node), .children = {std::move(inner)}};
    inner = std::move(outer);
  }
  Anchor anchor = scope;
  target_in(anchor.pattern)->children.push_back(std::move(inner));
  for (const auto* content : {&versions.before, &versions.after}) {
    if (in_scopes(anchor.pattern, *content, anchor.scopes).size() != 1) return std::nullopt;
  }
  return anchor;
}

std::optional<Anchor> gap_anchor(const Versions& versions, const AnchorTarget& before,
                                 const AnchorTarget& behind) {
  const auto side = [&](const Node& node) -> std::optional<Pattern> {
    Pattern pattern{.kind = std::string(node.kind()),
                    .field = field_of(node),
                    .children = identity(versions.before.tree(), node, 2)};
    if (pattern.children.empty() && !set_text(pattern, versions.before, node)) return std::nullopt;
    return pattern;
  };
  auto first = side(before.before), second = side(behind.before);
  if (!first || !second) return std::nullopt;
  first->is_target = true;
  second->is_adjacent = true;
  Anchor gap{.pattern = {.kind = std::string(before.before.parent().kind()),
                         .children = {std::move(*first), std::move(*second)}},
             .scopes = scopes_of(versions, before),
             .path = {},
             .why = "its neighbours stand side by side"};
  if (!in_scopes(gap.pattern, versions.before, gap.scopes).empty()) return std::nullopt;
  const auto later = in_scopes(gap.pattern, versions.after, gap.scopes);
  if (later.size() != 1 || later[0] != before.after) return std::nullopt;
  return gap;
}

}  // namespace portpatch
