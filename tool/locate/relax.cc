#include "locate/relax.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace portpatch {

namespace {

using Kind = QueryItem::Kind;

bool is_node(const QueryItem& item) {
  return (item.kind == Kind::kList && !item.is_predicate()) || item.kind == Kind::kAlternation ||
         item.kind == Kind::kString || (item.kind == Kind::kWord && item.text == "_");
}

/// A list that only groups: its first item is a node, not the name of a kind.
bool is_group(const QueryItem& item) {
  return item.kind == Kind::kList && !item.items.empty() && item.items[0].kind != Kind::kWord;
}

int count_nodes(const QueryItem& item) {
  int count = is_node(item) && !is_group(item) ? 1 : 0;
  if (item.is_predicate()) return 0;
  for (const auto& child : item.items) count += count_nodes(child);
  return count;
}

void add_captures(const QueryItem& item, std::set<std::string>& names) {
  if (item.kind == Kind::kCapture) names.insert(item.text);
  if (item.is_predicate()) return;
  for (const auto& child : item.items) add_captures(child, names);
}

class Relaxer {
 public:
  Relaxer(const PatternText& pattern, std::string_view text)
      : pattern_(pattern), text_(text), predicates_(predicates_of(pattern)) {}

  std::vector<Relaxation> relax() {
    add({}, "", false, 0, {});
    for (const auto& item : pattern_.items) enter(item);
    std::ranges::stable_sort(found_, {}, &Relaxation::cost);
    return std::move(found_);
  }

 private:
  /// The parts of a node, or of a group of nodes.
  void enter(const QueryItem& list) {
    if (list.is_predicate() || list.kind != Kind::kList) return;
    const auto& items = list.items;
    const bool roots = is_group(list);
    for (std::size_t i = roots ? 0 : 1; i < items.size(); ++i) {
      const auto& item = items[i];
      if (item.kind == Kind::kWord && (item.text == "." || item.text.starts_with('!'))) {
        add(item.range, "", true, kDropCost, {});
      } else if (is_node(item)) {
        if (!roots) relax_child(items, i);
        enter(item);
      }
    }
  }

  void relax_child(const std::vector<QueryItem>& items, std::size_t at) {
    const auto& item = items[at];
    std::set<std::string> inner, with_own;
    add_captures(item, inner);
    const int cost = kPartCost * count_nodes(item);
    if (item.text != "_")
      add(item.range, fmt::format("{} @{}", item.kind == Kind::kList ? "(_)" : "_", kThere), false,
          cost, inner);
    ByteRange whole = item.range;
    if (at > 0 && items[at - 1].kind == Kind::kField) whole.begin = items[at - 1].range.begin;
    with_own = inner;
    for (auto next = at + 1; next < items.size() && (items[next].kind == Kind::kQuantifier ||
                                                     items[next].kind == Kind::kCapture);
         ++next) {
      add_captures(items[next], with_own);
      whole.end = items[next].range.end;
    }
    add(whole, "", true, cost + kDropCost, with_own);
  }

  /// The pattern with `part` replaced; `lost` are the captures that are no longer bound.
  void add(ByteRange part, std::string replacement, bool is_dropped, int cost,
           const std::set<std::string>& lost) {
    std::vector<TextEdit> edits;
    for (const auto* predicate : predicates_) {
      if (!part.contains(predicate->range)) edits.push_back({predicate->range, ""});
      if (!predicate->items[0].text.ends_with('?')) continue;
      const auto is_lost = [&](const QueryItem& argument) {
        return argument.kind == Kind::kCapture && lost.contains(argument.text);
      };
      if (std::ranges::any_of(predicate->items, is_lost)) cost += kPartCost;
    }
    if (!part.empty()) edits.push_back({part, std::move(replacement)});
    std::ranges::sort(edits);
    for (auto& edit : edits)
      edit.range = {edit.range.begin - pattern_.range.begin, edit.range.end - pattern_.range.begin};
    auto query = apply_edits(pattern_.range.of(text_), edits);
    // What has no capture has no place.
    if (!query.contains('@')) query += " @match";
    found_.push_back({std::move(query), part, is_dropped, cost});
  }

  const PatternText& pattern_;
  std::string_view text_;
  std::vector<const QueryItem*> predicates_;
  std::vector<Relaxation> found_;
};

}  // namespace

std::vector<Relaxation> relaxations_of(const PatternText& pattern, std::string_view text) {
  return Relaxer(pattern, text).relax();
}

std::string with_captures(const QueryText& query, std::string_view text) {
  std::vector<TextEdit> edits;
  for (const auto& pattern : query.patterns) {
    if (!captures_of(pattern).empty()) continue;
    if (!pattern.items.empty() && is_group(pattern.items[0])) {
      const auto& inner = pattern.items[0].items;
      const auto node = std::ranges::find_if(inner, is_node);
      if (node != inner.end()) edits.push_back({{node->range.end, node->range.end}, " @match"});
    } else {
      edits.push_back({{pattern.range.end, pattern.range.end}, " @match"});
    }
  }
  return apply_edits(text, edits);
}

}  // namespace portpatch
