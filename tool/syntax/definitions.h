// Statements that define a name, as data: a function, a class, a constant.
#pragma once

#include <optional>
#include <string>

#include "syntax/fragment.h"
#include "syntax/source_tree.h"

namespace portpatch {

struct Definition {
  Node statement;  ///< with decorators, template parameters and attributes
  std::string name;
  std::string parameters;  ///< canonical form of what its namesakes may differ by; empty for none
  bool is_constant = false;
};

/// What the statement `node` defines; nothing when it has not the role kDefine or no plain name.
[[nodiscard]] std::optional<Definition> read_definition(const SourceTree& tree, const Node& node);
/// The one definition of a directive's text; nothing when it is none, or more.
[[nodiscard]] std::optional<Definition> definition_of_text(const Fragment& fragment);

}  // namespace portpatch
