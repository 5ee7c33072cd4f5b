#include "capture/content.h"

#include <functional>

#include "syntax/roles.h"

namespace portpatch {

namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t more) {
  return (hash ^ (more + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2))) * 0x100000001b3ULL;
}

std::uint64_t hash_of(std::string_view text) { return std::hash<std::string_view>()(text); }

/// The content between a plain string's quotes; nothing for a string with escapes, parts or a
/// prefix.
std::optional<std::string_view> plain_content(const SourceTree& tree, const Node& node) {
  const auto text = node.text(tree.text());
  if (text.empty() || (text[0] != '"' && text[0] != '\'') || text.contains('\\'))
    return std::nullopt;
  const std::string_view quotes = text.substr(
      0, text.starts_with(R"(""")") || text.starts_with("'''") ? 3 : 1);
  if (text.size() < 2 * quotes.size() || !text.ends_with(quotes)) return std::nullopt;
  return text.substr(quotes.size(), text.size() - 2 * quotes.size());
}

}  // namespace

std::vector<Node> named_children(const Node& node) {
  auto children = node.named_children();
  std::erase_if(children, [](const Node& child) { return child.is_extra(); });
  return children;
}

std::vector<Node> code_children(const SourceTree& tree, const Node& node) {
  auto children = node.children();
  std::erase_if(children, [](const Node& child) { return child.is_extra(); });
  if (children.size() < 3) return children;
  const auto close = children.back().text(tree.text());
  const bool closes = close == ")" || close == "]" || close == "}";
  if (closes && !children[children.size() - 2].is_named() &&
      children[children.size() - 2].text(tree.text()) == ",")
    children.erase(children.end() - 2);
  return children;
}

const TreeContent::Facts& TreeContent::facts(const Node& node) const {
  static const Facts kNone;
  if (!node || node.is_extra()) return kNone;
  if (const auto found = facts_.find(node.id()); found != facts_.end()) return found->second;
  std::vector<Node> order;  // of what is not known yet
  walk(node, [&](const Node& one) {
    if (one.is_extra() || facts_.contains(one.id())) return false;
    order.push_back(one);
    return true;
  });
  for (auto one = order.rbegin(); one != order.rend(); ++one)
    facts_[one->id()] = compute(*one);  // children first
  return facts_[node.id()];
}

const std::vector<Node>& TreeContent::nodes_of_kind(std::string_view kind) const {
  if (kinds_.empty()) {
    walk(tree_->root(), [&](const Node& node) {
      if (!node.is_named() || node.is_extra()) return false;
      kinds_[node.kind()].push_back(node);
      kinds_["_"].push_back(node);
      return true;
    });
  }
  // The words of `kind` may be gone before this is: the keys are the grammar's own.
  static const std::vector<Node> kNone;
  const auto found = kinds_.find(kind);
  return found == kinds_.end() ? kNone : found->second;
}

bool same_content(const TreeContent& one, const Node& a, const TreeContent& two, const Node& b) {
  if (a.kind() == b.kind() && a.text(one.tree().text()) == b.text(two.tree().text())) return true;
  return one.hash(a) == two.hash(b);
}

TreeContent::Facts TreeContent::compute(const Node& node) const {
  const auto children = code_children(*tree_, node);
  if (children.empty()) return {mixed(hash_of(node.kind()), hash_of(node.text(tree_->text()))), 1};
  if (has_role(*tree_, node, Role::kString)) {
    if (const auto content = plain_content(*tree_, node))
      return {mixed(hash_of("string"), hash_of(*content)), 1};
  }
  if (has_role(*tree_, node, Role::kLayout)) {
    for (const auto& child : children) {
      if (child.is_named()) return facts(child);
    }
  }
  Facts sum{hash_of(node.kind()), 0};
  for (const auto& child : children) {
    const auto& one = facts(child);
    sum.hash = mixed(sum.hash, one.hash);
    sum.size += one.size;
  }
  if (has_role(*tree_, node, Role::kString)) {
    sum.hash = mixed(sum.hash, hash_of(node.text(tree_->text())));
    sum.size = 1;
  }
  return sum;
}

}  // namespace portpatch
