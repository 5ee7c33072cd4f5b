#include "locate/place_name.h"

#include <ranges>

#include "syntax/roles.h"

namespace portpatch {

namespace {

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

}  // namespace

const std::optional<PlaceNames::Scope>& PlaceNames::scope(const Node& node,
                                                          std::span<const Node> above) {
  if (const auto known = scopes_.find(node.id()); known != scopes_.end()) return known->second;
  std::optional<Scope> scope;
  if (const auto name = has_role(*tree_, node, Role::kScope) ? name_of_scope(*tree_, node)
                                                             : Node()) {
    auto own = std::string(text(name));
    for (auto at = own.find("::"); at != std::string::npos; at = own.find("::"))
      own.replace(at, 2, ".");
    const auto* outer = scope_around(node, above);
    scope = Scope{name.range(), outer ? outer->path + "." + own : own};
  }
  return scopes_.emplace(node.id(), std::move(scope)).first->second;
}

const PlaceNames::Scope* PlaceNames::scope_around(const Node& node, std::span<const Node> above) {
  for (; !above.empty(); above = above.first(above.size() - 1)) {
    const auto& around = scope(above.back(), above.first(above.size() - 1));
    if (around && !around->name.contains(node.range())) return &*around;
  }
  return nullptr;
}

std::string PlaceNames::scope_of(const Node& node, std::span<const Node> above) {
  const auto* around = scope_around(node, above);
  auto path = around ? around->path : "";
  while (path.ends_with('.')) path.pop_back();  // a name that is missing in the text
  return path;
}

PlaceNames::Step& PlaceNames::step(const Node& node) {
  if (const auto known = steps_.find(node.id()); known != steps_.end()) return known->second;
  const auto is = [&](Role role) { return has_role(*tree_, node, role); };
  Step step{.is_block = is(Role::kBlock),
            .is_scope = is(Role::kScope),
            .is_binding = is(Role::kBinding),
            .is_wrapper = is(Role::kWrapper),
            .is_entry = is(Role::kEntry),
            .scope_child = {},
            .bound = {},
            .arguments = {}};
  for (const auto& child : node.children()) {
    if (!step.scope_child && has_role(*tree_, child, Role::kScope)) step.scope_child = child;
    if (!step.bound && has_role(*tree_, child, Role::kName)) step.bound = child;
    if (!step.arguments && has_role(*tree_, child, Role::kArguments)) step.arguments = child;
  }
  return steps_.emplace(node.id(), std::move(step)).first->second;
}

std::string PlaceNames::name_of(const Node& node, std::span<const Node> above) {
  std::vector<std::string> parts;
  for (std::size_t i = above.size() + 1; i-- > 0;) {
    const auto& at = i == above.size() ? node : above[i];
    const bool is_own = i == above.size();
    auto& step = this->step(at);
    if (!is_own && step.is_block) break;
    if (step.is_scope) {
      if (is_own) parts.emplace_back(text(descendant_with(*tree_, at, Role::kScopeName)));
      break;
    }
    // What stands beside a definition decorates it.
    if (!is_own && step.scope_child && !step.scope_child.range().contains(node.range())) {
      if (const auto decorated = descendant_with(*tree_, step.scope_child, Role::kScopeName)) {
        parts.push_back("@" + std::string(text(decorated)));
        break;
      }
    }
    if (step.bound && !step.bound.range().contains(node.range())) {
      parts.push_back(without_brackets(text(step.bound)));
    } else if (step.is_binding) {
      parts.push_back(without_brackets(text(child_with(*tree_, at, Role::kDefinition))));
    } else if (step.is_wrapper) {
      continue;  // what a display is wrapped in is no part of its name
    } else if (step.is_entry) {
      const auto key = descendant_with(*tree_, at, Role::kKey);
      if (key) parts.push_back("[" + std::string(text(key)) + "]");
    } else if (step.arguments) {
      if (!step.call) step.call = name_before(*tree_, at, step.arguments);
      parts.push_back(*step.call);
    }
  }
  std::string name;
  for (const auto& part : parts | std::views::reverse)
    name += (name.empty() || part.starts_with('[') ? "" : "/") + part;
  return name;
}

bool names_call(std::string_view name) { return name.ends_with("()"); }

std::string_view decorated_name(std::string_view name) {
  return name.starts_with('@') ? name.substr(1, name.find('/') - 1) : std::string_view();
}

std::string_view own_name(std::string_view name) {
  if (const auto slash = name.rfind('/'); slash != std::string_view::npos)
    name.remove_prefix(slash + 1);
  return name;
}

std::string_view use_of(std::string_view name) {
  const auto slash = name.rfind('/');
  if (slash == std::string_view::npos) return {};
  name = name.substr(0, slash);
  if (const auto bracket = name.rfind('[');
      name.ends_with(']') && bracket != std::string_view::npos)
    return name.substr(bracket);
  return names_call(name) ? std::string_view() : own_name(name);
}

std::string_view last_part(std::string_view name) {
  name = own_name(name);
  if (const auto dot = name.find_last_of(".:>"); dot != std::string_view::npos)
    name.remove_prefix(dot + 1);
  return name;
}

}  // namespace portpatch
