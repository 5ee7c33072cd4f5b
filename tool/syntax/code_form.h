// The exact form of code: its tree as text, without layout, comments and grouping parentheses.
// Unlike CodeEvaluator::canonical nothing is evaluated and no order is forgotten, so two pieces of
// code have one form only when they are the same code. Verification is decided on it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "syntax/roles.h"
#include "syntax/source_tree.h"

namespace portpatch {

/// What stands for other code in a form.
struct Stand {
  std::string leaf;                ///< a name that reads so ...
  std::vector<Node> nodes;         ///< ... or these nodes, neighbours
  std::vector<std::string> forms;  ///< have these forms
};

/// The form of `node`. `a or (b or c)` and `a or b or c` have one form: and / or chains are flat.
[[nodiscard]] std::string exact_form(const SourceTree& tree, const Node& node,
                                     const std::vector<Stand>& stands = {});
/// The forms of several nodes in a row.
[[nodiscard]] std::string exact_form(const SourceTree& tree, const std::vector<Node>& nodes,
                                     const std::vector<Stand>& stands = {});

/// The one expression inside grouping parentheses, however many; `node` itself when there are none.
[[nodiscard]] Node inside_groups(const SourceTree& tree, Node node);
/// The operands of a chain of `role` (kConjunction or kDisjunction) without their grouping
/// parentheses, in order; `node` alone when it is no such chain.
[[nodiscard]] std::vector<Node> operands_of(const SourceTree& tree, const Node& node, Role role);
/// The form of a chain of `role` with these operands' forms.
[[nodiscard]] std::string chain_form(Role role, const std::vector<std::string>& operands);

}  // namespace portpatch
