#include "syntax/pattern_set.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>

#include "syntax/language.h"
#include "syntax/predicates.h"

namespace portpatch {

namespace {

using Kind = QueryItem::Kind;

/// A node pattern: what one node must be, and what its children must be in order.
struct NodePattern {
  struct Child {
    std::string field;                      ///< empty: any
    std::vector<NodePattern> alternatives;  ///< one of these
    std::vector<std::string> captures;      ///< of the child as a whole
    bool is_optional = false;
    bool is_next = false;  ///< `.`: nothing but tokens and comments since the one before
  };
  std::string kind;        ///< "_" for any
  bool any_named = false;  ///< (_): any named node
  bool is_token = false;   ///< a string: an anonymous node
  std::vector<Child> children;
  bool ends = false;  ///< `.` at the end: no named child follows
  std::vector<std::string> captures;
};

/// Turns the items of query notation into node patterns.
class PatternReader {
 public:
  PatternReader(std::string_view path, std::string_view text) : path_(path), text_(text) {}

  Result<std::vector<NodePattern>> alternatives(const QueryItem& item) const {
    std::vector<NodePattern> out;
    if (item.kind == Kind::kAlternation) {
      for (std::size_t i = 0; i < item.items.size(); ++i) {
        if (item.items[i].kind == Kind::kCapture) {
          if (!out.empty()) out.back().captures.push_back(item.items[i].text);
          continue;
        }
        auto inner = alternatives(item.items[i]);
        if (!inner) return inner;
        out.insert(out.end(), inner->begin(), inner->end());
      }
      return out;
    }
    auto one = node(item);
    if (!one) return std::unexpected(one.error());
    return std::vector{std::move(*one)};
  }

  Result<NodePattern> node(const QueryItem& item) const {
    NodePattern pattern;
    if (item.kind == Kind::kString) {
      pattern.kind = item.text;
      pattern.is_token = true;
      return pattern;
    }
    if (item.kind == Kind::kWord && item.text == "_") {
      pattern.kind = "_";
      return pattern;
    }
    if (item.kind != Kind::kList || item.items.empty() || item.items[0].kind != Kind::kWord)
      return refuse(item);
    pattern.kind = item.items[0].text;
    pattern.any_named = pattern.kind == "_";
    if (auto error = read_children(item, pattern)) return std::unexpected(*error);
    return pattern;
  }

 private:
  std::unexpected<Diagnostic> refuse(const QueryItem& item) const {
    return std::unexpected(
        Diagnostic{.code = "query-syntax",
                   .message = "this notation is not used in a language's description",
                   .place = place_of(path_, text_, item.range),
                   .remedy = "see tool/syntax/pattern_set.h"});
  }

  std::optional<Diagnostic> read_children(const QueryItem& list, NodePattern& pattern) const {
    std::string field;
    bool next = false;
    for (std::size_t i = 1; i < list.items.size(); ++i) {
      const auto& item = list.items[i];
      if (item.is_predicate()) continue;
      if (item.kind == Kind::kField) {
        field = item.text.substr(0, item.text.size() - 1);
      } else if (item.kind == Kind::kWord && item.text == ".") {
        next = true;
      } else if (item.kind == Kind::kCapture) {
        if (pattern.children.empty()) return refuse(item).error();
        pattern.children.back().captures.push_back(item.text);
      } else if (item.kind == Kind::kQuantifier) {
        if (item.text != "?" || pattern.children.empty()) return refuse(item).error();
        pattern.children.back().is_optional = true;
      } else {
        auto inner = alternatives(item);
        if (!inner) return inner.error();
        pattern.children.push_back(
            {std::exchange(field, {}), std::move(*inner), {}, false, std::exchange(next, false)});
      }
    }
    pattern.ends = next;
    return std::nullopt;
  }

  std::string_view path_, text_;
};

/// A pattern with its predicates.
struct FullPattern {
  std::vector<NodePattern> alternatives;
  std::vector<std::string> captures;
  std::vector<std::unique_ptr<ReadyPredicate>> predicates;
  std::vector<Predicate> directives;
};

/// Matches one pattern at one node; calls back for every way in which it does.
class Matcher {
 public:
  using Continue = std::function<void()>;

  /// `top`: the outermost node; its children are worked out once for all patterns.
  Matcher(std::vector<Capture>& captures, const Node& top,
          std::optional<std::vector<NodeInField>>& top_fields)
      : captures_(captures), top_(top), top_fields_(top_fields) {}

  void match(const Node& node, const NodePattern& pattern, const Continue& next) {
    const bool fits = pattern.is_token      ? !node.is_named() && node.kind() == pattern.kind
                      : pattern.kind == "_" ? (!pattern.any_named || node.is_named())
                                            : node.is_named() && node.kind() == pattern.kind;
    if (!fits) return;
    const auto mark = captures_.size();
    for (const auto& name : pattern.captures) captures_.push_back({name, node});
    if (pattern.children.empty()) {
      next();
    } else if (node == top_) {
      if (!top_fields_) top_fields_ = fields_of(node);
      match_all(pattern, *top_fields_, next);
    } else {
      match_all(pattern, fields_of(node), next);
    }
    captures_.resize(mark);
  }

 private:
  /// Could `child` be a node of this kind?
  static bool may_be(const NodePattern::Child& child, std::string_view kind) {
    return child.is_optional ||
           std::ranges::any_of(child.alternatives, [&](const NodePattern& one) {
             return one.kind == "_" || one.kind == kind;
           });
  }

  void match_all(const NodePattern& pattern, const std::vector<NodeInField>& nodes,
                 const Continue& next) {
    // Behind the last node that a child could be there is nothing to look for, and so for those in
    // front of it: two children far apart would else cost the square of a long table.
    std::vector<std::size_t> limits(pattern.children.size(), nodes.size());
    for (auto index = pattern.children.size(); nodes.size() > 16 && index-- > 0;) {
      auto& limit = limits[index];
      if (index + 1 < pattern.children.size()) limit = limits[index + 1];
      while (limit > 0 && !may_be(pattern.children[index], nodes[limit - 1].node.kind())) --limit;
    }
    match_children(pattern, 0, nodes, 0, limits, next);
  }

  void match_children(const NodePattern& pattern, std::size_t index,
                      const std::vector<NodeInField>& nodes, std::size_t from,
                      const std::vector<std::size_t>& limits, const Continue& next) {
    if (index == pattern.children.size()) {
      const bool followed = std::any_of(nodes.begin() + static_cast<std::ptrdiff_t>(from),
                                        nodes.end(),
                                        [](const auto& one) { return one.node.is_named(); });
      if (!pattern.ends || !followed) next();
      return;
    }
    const auto& child = pattern.children[index];
    for (auto i = from; i < limits[index]; ++i) {
      if (child.field.empty() || nodes[i].field == child.field) {
        const auto mark = captures_.size();
        for (const auto& name : child.captures) captures_.push_back({name, nodes[i].node});
        for (const auto& one : child.alternatives) {
          match(nodes[i].node, one,
                [&] { match_children(pattern, index + 1, nodes, i + 1, limits, next); });
        }
        captures_.resize(mark);
      }
      if (child.is_next && nodes[i].node.is_named()) break;
    }
    if (child.is_optional) match_children(pattern, index + 1, nodes, from, limits, next);
  }

  std::vector<Capture>& captures_;
  const Node& top_;
  std::optional<std::vector<NodeInField>>& top_fields_;
};

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};

}  // namespace

struct PatternSet::State {
  std::vector<FullPattern> patterns;
  /// Of the outermost node.
  std::unordered_map<std::string, std::vector<std::size_t>, TextHash, std::equal_to<>> by_kind;
};

PatternSet::PatternSet() : state_(std::make_unique<State>()) {}
PatternSet::PatternSet(PatternSet&&) noexcept = default;
PatternSet& PatternSet::operator=(PatternSet&&) noexcept = default;
PatternSet::~PatternSet() = default;

Result<PatternSet> PatternSet::read(const Language& language, std::string_view path,
                                    std::string_view text) {
  const auto query = read_query_text(path, text);
  if (!query) return std::unexpected(query.error());
  const PatternReader reader(path, text);
  PatternSet set;
  for (const auto& written : query->patterns) {
    FullPattern pattern;
    // ((node) @capture (#predicate ...)): the group's parentheses add nothing.
    std::vector<const QueryItem*> items;
    for (const auto& item : written.items) items.push_back(&item);
    const bool group = items[0]->kind == Kind::kList && !items[0]->items.empty() &&
                       items[0]->items[0].kind != Kind::kWord;
    if (group) {
      const auto& inner = items[0]->items;
      items.clear();
      for (const auto& item : inner) items.push_back(&item);
    }
    auto alternatives = reader.alternatives(*items[0]);
    if (!alternatives) return std::unexpected(alternatives.error());
    pattern.alternatives = std::move(*alternatives);
    for (const auto* item : items) {
      if (item->kind == Kind::kCapture) pattern.captures.push_back(item->text);
    }
    for (const auto* item : predicates_of(written)) {
      auto predicate = to_predicate(*item);
      if (predicate.name.ends_with('!')) {
        pattern.directives.push_back(std::move(predicate));
        continue;
      }
      auto ready = make_ready(language, predicate, path, text);
      if (!ready) return std::unexpected(ready.error());
      pattern.predicates.push_back(std::move(*ready));
    }
    for (const auto& one : pattern.alternatives)
      set.state_->by_kind[one.kind].push_back(set.state_->patterns.size());
    set.state_->patterns.push_back(std::move(pattern));
  }
  return set;
}

void PatternSet::match_at(const SourceTree& tree, const Node& node,
                          const std::function<void(const Match&)>& found) const {
  const auto kind = node.kind();
  const auto candidates = state_->by_kind.find(kind);
  if (candidates == state_->by_kind.end()) return;
  Match match;
  std::optional<std::vector<NodeInField>> fields;
  for (const auto index : candidates->second) {
    const auto& pattern = state_->patterns[index];
    match.pattern = index;
    match.captures.clear();
    for (const auto& name : pattern.captures) match.captures.push_back({name, node});
    for (const auto& one : pattern.alternatives) {
      if (one.kind != kind) continue;
      Matcher(match.captures, node, fields).match(node, one, [&] {
        const PredicateContext context{tree, "", match};
        const bool holds = std::ranges::all_of(
            pattern.predicates, [&](const auto& predicate) { return predicate->holds(context); });
        if (holds) found(match);
      });
    }
  }
}

const std::vector<Predicate>& PatternSet::directives(std::size_t pattern) const {
  return state_->patterns[pattern].directives;
}

}  // namespace portpatch
