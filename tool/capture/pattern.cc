#include "capture/pattern.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "syntax/query_text.h"

namespace portpatch {

namespace {

constexpr std::size_t kLineWidth = 90;

bool fits(const Pattern& pattern, const TreeContent& content, const Node& node) {
  if (!node.is_named() || node.is_extra()) return false;
  if (pattern.kind != "_" && node.kind() != pattern.kind) return false;
  if (pattern.content) return content.hash(node) == *pattern.content;
  if (!pattern.text) return true;
  const auto text = node.text(content.tree().text());
  return pattern.is_prefix ? text.starts_with(*pattern.text) : text == *pattern.text;
}

/// Does child `index` come next, as `.` in a query means it: no named node in between, not even a
/// comment?
bool is_next(const Node& parent, const std::vector<NodeInField>& children, std::size_t end,
             std::size_t index) {
  for (auto between = end; between < index; ++between) {
    if (children[between].node.is_named() && !children[between].node.range().empty()) return false;
  }
  const ByteRange gap{end == 0 ? parent.range().begin : children[end - 1].node.range().end,
                      children[index].node.range().begin};
  return std::ranges::none_of(parent.named_children(), [&](const Node& one) {
    return !one.range().empty() && gap.contains(one.range());
  });
}

/// Targets of all ways in which `pattern` matches `node`; nullopt when there is none. A pattern
/// without a target has an empty list.
std::optional<std::vector<Node>> match(const Pattern& pattern, const TreeContent& tree,
                                       const Node& node) {
  if (!fits(pattern, tree, node)) return std::nullopt;
  std::vector<Node> targets;
  if (pattern.is_target) targets.push_back(node);
  const auto children = fields_of(node);
  std::vector<std::size_t> ends{0};  // where the children matched so far may end
  for (const auto& wanted : pattern.children) {
    std::vector<std::size_t> next;
    std::vector<Node> found;
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (i < ends[0] || children[i].field != wanted.field) continue;
      const auto inner = match(wanted, tree, children[i].node);
      if (!inner) continue;
      const bool in_order = !wanted.is_adjacent || std::ranges::any_of(ends, [&](std::size_t end) {
        return i >= end && is_next(node, children, end, i);
      });
      if (!in_order) continue;
      next.push_back(i + 1);
      found.insert(found.end(), inner->begin(), inner->end());
    }
    if (next.empty()) return std::nullopt;
    targets.insert(targets.end(), found.begin(), found.end());
    ends = std::move(next);
  }
  return targets;
}

void name_captures(Pattern& pattern, std::string_view target, std::set<std::string>& used) {
  if (pattern.is_target) {
    pattern.capture = target;  // of several targets all have the name
    used.insert(pattern.capture);
  } else if (pattern.text) {
    auto name = pattern.field.empty() ? pattern.kind : pattern.field;
    if (name == "left" || name == "declarator") name = "name";
    if (name == "_") name = "node";
    pattern.capture = name;
    for (int number = 2; !used.insert(pattern.capture).second; ++number)
      pattern.capture = fmt::format("{}_{}", name, number);
  }
  for (auto& child : pattern.children) name_captures(child, target, used);
}

std::string print_flat(const Pattern& pattern) {
  std::string out = pattern.is_adjacent ? ". " : "";
  if (!pattern.field.empty()) out += pattern.field + ": ";
  out += "(" + pattern.kind;
  for (const auto& child : pattern.children) out += " " + print_flat(child);
  out += ")";
  if (!pattern.capture.empty()) out += " @" + pattern.capture;
  return out;
}

}  // namespace

std::vector<Node> targets_of(const Pattern& pattern, const TreeContent& tree) {
  std::vector<Node> targets;
  for (const auto& node : tree.nodes_of_kind(pattern.kind)) {
    const auto found = match(pattern, tree, node);
    if (!found) continue;
    for (const auto& one : *found) {
      if (std::ranges::find(targets, one) == targets.end()) targets.push_back(one);
    }
  }
  return targets;
}

void name_captures(Pattern& pattern, std::string_view target) {
  std::set<std::string> used{std::string(target), "neighbour"};
  name_captures(pattern, target, used);
}

std::string print(const Pattern& pattern, std::size_t indent) {
  const auto flat = print_flat(pattern);
  if (pattern.children.empty() || indent + flat.size() <= kLineWidth) return flat;
  std::string out = pattern.is_adjacent ? ". " : "";
  if (!pattern.field.empty()) out += pattern.field + ": ";
  out += "(" + pattern.kind;
  for (const auto& child : pattern.children)
    out += fmt::format("\n{}{}", std::string(indent + 2, ' '), print(child, indent + 2));
  out += ")";
  if (!pattern.capture.empty()) out += " @" + pattern.capture;
  return out;
}

std::vector<std::string> predicates_of(const Pattern& pattern) {
  std::vector<std::string> predicates;
  if (pattern.is_prefix)
    predicates.push_back(fmt::format("(#match? @{} {})", pattern.capture,
                                     query_string(regex_of_beginning(*pattern.text))));
  else if (pattern.text)
    predicates.push_back(fmt::format("(#{} @{} {})", pattern.content ? "reads?" : "eq?",
                                     pattern.capture, query_string(*pattern.text)));
  for (const auto& child : pattern.children)
    std::ranges::move(predicates_of(child), std::back_inserter(predicates));
  return predicates;
}

}  // namespace portpatch
