// The TEXT of wrap!, read: where its mark is, and where in a file that code stands already.
#pragma once

#include <string>
#include <vector>

#include "edit/payload.h"
#include "edit/step.h"
#include "syntax/code_form.h"
#include "syntax/fragment.h"

namespace portpatch {

struct Wrapper {
  Fragment fragment;            ///< TEXT with names in place of the mark and of captures
  std::vector<Stand> captures;  ///< what the captures' names stand for
  std::string mark;  ///< what the mark reads as: a name, a statement of only that, or a definition
  bool is_statement = false;   ///< the mark is a statement
  bool is_definition = false;  ///< the mark is a definition within TEXT's statement: decorated, say
  bool is_tight = false;  ///< the mark is an operand: what binds loosely needs parentheses there
  bool is_loose = false;  ///< TEXT itself binds loosely
};

/// The name that the mark has in a wrapper's fragment.
inline constexpr std::string_view kMarkName = "portpatch_node";

/// Fails as blocked with "bad-mark", "unbound-capture" or "bad-code".
[[nodiscard]] std::expected<Wrapper, Step> read_wrapper(const EditContext& context);

/// TEXT with the mark's name, and the text of the captures, in parentheses or not; in lines.
[[nodiscard]] Result<CodeLines> wrapper_lines(const EditContext& context, const Wrapper& wrapper,
                                              bool parentheses, std::string_view unit);

/// The form of the wrapper around code of these forms.
[[nodiscard]] std::string wrapped_form(const Wrapper& wrapper, std::vector<std::string> inner);

/// The node that stands at the mark when `node` is itself the wrapper around something; else a null
/// node.
[[nodiscard]] Node wrapped_inside(const SourceTree& tree, const Node& node, const Wrapper& wrapper);

/// The nodes of `tree` that are the wrapper around just `nodes`; empty when they are not in it.
[[nodiscard]] std::vector<Node> wrapped_around(const SourceTree& tree,
                                               const std::vector<Node>& nodes,
                                               const Wrapper& wrapper);

}  // namespace portpatch
