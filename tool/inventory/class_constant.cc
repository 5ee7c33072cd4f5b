#include "inventory/class_constant.h"

#include <algorithm>
#include <set>

#include <re2/re2.h>

#include "syntax/language.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

/// The class in whose body the definition stands; a null node for one of a function or module.
Node class_of(const SourceTree& tree, const Node& definition) {
  auto scope = ancestor_with(tree, definition.parent(), Role::kScope);
  if (scope && name_of_scope(tree, scope) == definition)
    scope = ancestor_with(tree, scope.parent(), Role::kScope);
  return has_role(tree, scope, Role::kClassScope) ? scope : Node();
}

/// Is an attribute of this name, the member of `access`, given a value or taken away?
bool is_changed(const SourceTree& tree, Node access) {
  for (auto above = access.parent(); above && !has_role(tree, above, Role::kBlock);
       access = above, above = above.parent()) {
    const bool is_operand = has_role(tree, above, Role::kBinary) ||
                            has_role(tree, above, Role::kConjunction) ||
                            has_role(tree, above, Role::kDisjunction);
    if (!is_operand && (above.field("left") == access || above.field("alias") == access))
      return true;
    if (above.text(tree.text()).starts_with("del ")) return true;
  }
  return false;
}

/// A field that the constructor of a data class may set: `min_cc: int = 90`.
bool is_field(const SourceTree& tree, const Node& owner, const Node& binding) {
  const auto type = binding.field("type").text(tree.text());
  if (type.empty() || type.contains("ClassVar") || type.contains("Final")) return false;
  return owner.field("superclasses") || child_with(tree, owner.parent(), Role::kDecorator);
}

/// Is the class, or one that it is made from, meant by `object` at `access`?
bool is_meant(const SourceTree& tree, const Node& owner, std::string_view object,
              const Node& access) {
  const auto name = name_of_scope(tree, owner).text(tree.text());
  const bool is_own = object == "cls" || object.starts_with("self") || object == "type(self)";
  if (!is_own) return object == name;
  for (auto scope = ancestor_with(tree, access, Role::kClassScope); scope;
       scope = ancestor_with(tree, scope.parent(), Role::kClassScope)) {
    const auto bases = scope.field("superclasses").text(tree.text());
    if (scope == owner || !whole_words(bases, name).empty()) return true;
  }
  return false;
}

}  // namespace

ClassConstants::Constant ClassConstants::find(const std::string& name) const {
  Node owner, binding;
  for (const auto at : whole_words(tree_.text(), name)) {
    const auto node = tree_.root().smallest_around({at, at + name.size()});
    if (node.is_extra()) continue;
    if (has_role(tree_, node, Role::kDefinition)) {
      const auto scope = class_of(tree_, node);
      if (!scope) continue;
      if (owner) return {};
      owner = scope;
      binding = node.parent();
    } else if (has_role(tree_, node, Role::kKey)) {
      return {};  // a keyword of a call, perhaps the constructor's
    } else if (has_role(tree_, node, Role::kMember)) {
      if (is_changed(tree_, node.parent())) return {};
    } else if (const auto text = ancestor_with(tree_, node, Role::kString);
               text && text.range().size() <= name.size() + 2) {
      return {};  // setattr(Gate, "min_cc", ...)
    }
  }
  if (!owner || !has_role(tree_, binding, Role::kBinding) || is_field(tree_, owner, binding))
    return {};
  return {owner, child_with(tree_, binding, Role::kValue)};
}

Node ClassConstants::value_of(const Node& access) {
  static const RE2 kAccess(R"((type\(self\)|self\.__class__|\w+)\s*\.\s*([A-Za-z_]\w*))");
  const auto spelled = access.text(tree_.text());
  std::string object, name;
  if (spelled.size() > 160 || tree_.language().has_preprocessor() ||
      !RE2::FullMatch(piece(spelled), kAccess, &object, &name))
    return {};
  const auto [known, is_new] = known_.try_emplace(name);
  if (is_new) known->second = find(name);
  const auto& [owner, value] = known->second;
  return owner && is_meant(tree_, owner, object, access) ? value : Node();
}

std::vector<ByteRange> possible_class_constants(std::string_view text,
                                                const std::vector<ByteRange>& anchors) {
  static const RE2 kAccess(R"(\b(?:self|cls|type\(self\)|__class__|[A-Z]\w*)\.([A-Za-z_]\w*))"),
      kBound(R"((?m)^[ \t]+([A-Za-z_]\w*)[ \t]*(?::[^=\n]*)?=[^=])");
  std::set<std::string> bound, names;
  std::string name;
  for (auto rest = piece(text); RE2::FindAndConsume(&rest, kBound, &name);) bound.insert(name);
  if (bound.empty()) return {};
  for (const auto anchor : anchors) {
    // The line with those around it: a condition may go over several.
    const auto above = line_begin(text, anchor.begin);
    const auto begin = above == 0 ? 0 : line_begin(text, above - 1);
    const auto below = std::min(line_end(text, anchor.end) + 1, text.size());
    auto lines = piece(text.substr(begin, line_end(text, below) - begin));
    while (RE2::FindAndConsume(&lines, kAccess, &name)) {
      if (bound.contains(name)) names.insert(name);
    }
  }
  std::vector<ByteRange> found;
  for (const auto& one : names) {
    for (const auto at : whole_words(text, one)) found.push_back({at, at + one.size()});
  }
  return found;
}

}  // namespace portpatch
