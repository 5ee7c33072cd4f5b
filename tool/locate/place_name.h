// What places are called: the scopes around a node, and the names between it and its statement.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "syntax/source_tree.h"

namespace portpatch {

/// Names the nodes of one tree, what they share being worked out once. The tree must outlive it.
/// For one thread.
class PlaceNames {
 public:
  explicit PlaceNames(const SourceTree& tree) : tree_(&tree) {}

  /// As scope_path() of a node below `above`, its ancestors with the root first.
  [[nodiscard]] std::string scope_of(const Node& node, std::span<const Node> above);
  /// The names on the way from `node` up to its statement: "table", "table[key]", "f()".
  [[nodiscard]] std::string name_of(const Node& node, std::span<const Node> above);

 private:
  /// A named scope.
  struct Scope {
    ByteRange name;    ///< where it is called so
    std::string path;  ///< of what is in it
  };
  /// What a node on the way says.
  struct Step {
    bool is_block, is_scope, is_binding, is_wrapper, is_entry;
    Node scope_child, bound, arguments;
    std::optional<std::string> call = {};  ///< with its arguments: what is called
  };
  [[nodiscard]] const std::optional<Scope>& scope(const Node& node, std::span<const Node> above);
  [[nodiscard]] const Scope* scope_around(const Node& node, std::span<const Node> above);
  [[nodiscard]] Step& step(const Node& node);
  [[nodiscard]] std::string_view text(const Node& node) const { return node.text(tree_->text()); }

  const SourceTree* tree_;
  std::unordered_map<const void*, std::optional<Scope>>
      scopes_;  // nothing: no scope, or without a name
  std::unordered_map<const void*, Step> steps_;
};

/// Is it the name of a call?
[[nodiscard]] bool names_call(std::string_view name);
/// Of a decorator's "@f/cached()" the function that it decorates; else empty.
[[nodiscard]] std::string_view decorated_name(std::string_view name);
/// The part of a name behind its last slash: of "result/subprocess.run()" the call's own.
[[nodiscard]] std::string_view own_name(std::string_view name);
/// What a call or display is for: the variable, key or argument that takes it; of
/// "event/Event()[message]/Response()" it is "[message]". Empty when nothing does.
[[nodiscard]] std::string_view use_of(std::string_view name);
/// The part of the name behind its last dot, without brackets: "self.table" and "view.table" share
/// it.
[[nodiscard]] std::string_view last_part(std::string_view name);

}  // namespace portpatch
