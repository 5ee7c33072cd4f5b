// A text with its syntax tree.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "syntax/node.h"

namespace portpatch {

class Language;
class NodeTree;
class RoleTable;

/// Bytes of the largest file that is read.
inline constexpr std::size_t kMaxSourceBytes = kFileSize.most;

/// Owns its text and tree; cheap to move, not copied.
class SourceTree {
 public:
  /// Parses `text`. A tree is always made, with ERROR nodes where the grammar does not fit.
  /// Fails beyond a limit: kFileSize, kParseWork, kParseMemory, kDepth (base/limits.h).
  [[nodiscard]] static Result<SourceTree> parse(const Language& language, std::string text);

  SourceTree(SourceTree&&) noexcept;
  SourceTree& operator=(SourceTree&&) noexcept;
  ~SourceTree();

  [[nodiscard]] const Language& language() const { return *language_; }
  [[nodiscard]] std::string_view text() const { return *text_; }
  [[nodiscard]] Node root() const;
  /// The node of `kind` that spans exactly `range`; a null node when there is none.
  [[nodiscard]] Node node_at(ByteRange range, std::string_view kind) const;

  /// Roles worked out so far (syntax/roles.h).
  [[nodiscard]] RoleTable& role_table() const { return *roles_; }

 private:
  SourceTree();
  const Language* language_ = nullptr;
  std::unique_ptr<RoleTable> roles_;
  std::unique_ptr<std::string> text_;  // its address must outlive moves: views point into it
  std::unique_ptr<NodeTree> tree_;
};

/// ERROR and MISSING nodes at or below `node`.
[[nodiscard]] std::vector<Node> error_nodes(const Node& node);
/// Calls `visit(node)` for `node` and all below it in source order; when it returns false the
/// children of that node are left out. Does not recurse, so depth is bounded by memory only.
template <typename Visit>
void walk(const Node& node, Visit&& visit) {
  std::vector<Node> pending{node};
  while (!pending.empty()) {
    const Node current = pending.back();
    pending.pop_back();
    if (!visit(current)) continue;
    auto children = current.children();
    pending.insert(pending.end(), children.rbegin(), children.rend());
  }
}

}  // namespace portpatch
