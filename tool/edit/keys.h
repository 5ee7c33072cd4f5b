// Keys and elements: finding the one that is meant among siblings, and the place of a new one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "edit/container.h"
#include "edit/step.h"

namespace portpatch {

/// The directive's key or element as it is to be written here: "cc:12.0" spelled as `siblings`
/// spell theirs, strings in the container's own quotes. Fails with "unknown-spelling".
[[nodiscard]] Result<std::string> spell_as_siblings(const EditContext& context,
                                                    const Container& container,
                                                    std::string_view text,
                                                    const std::vector<Node>& siblings);

/// A sibling that means the same cc as "cc:..." but is written with another suffix (12.0a for
/// 12.0), or a null node.
[[nodiscard]] Node other_suffix(const EditContext& context, std::string_view text,
                                const std::vector<Node>& siblings);

/// What decides the order of items: cc's by their value ("sm_90" stands before "sm_100"), other
/// constants by theirs; nothing for an item that is neither.
struct OrderValues {
  std::vector<std::optional<Constant>> existing;
  std::optional<Constant> added;
};
/// `nodes` are the keys or elements, null where an item has none; `code` is the new one as written.
[[nodiscard]] OrderValues order_values(const EditContext& context, CodeEvaluator& evaluator,
                                       const std::vector<Node>& nodes, std::string_view code,
                                       const std::optional<Constant>& added);

/// In front of which item a new one goes: in order when `existing` (constants of one kind, in the
/// order of the items) are strictly sorted, else at the end; never behind an item that depends on a
/// conditional. A list that falls is more often an order of trial than a sorted one: descending_too
/// = false. Nothing when every place depends on one.
[[nodiscard]] std::optional<std::size_t> place_of_new(
    const Container& container, const std::vector<std::optional<Constant>>& existing,
    const std::optional<Constant>& added, bool descending_too = true);

/// Why one item more does not fit into a container whose declaration gives its size; nullopt when
/// it fits, or has no size.
[[nodiscard]] std::optional<Step> lack_of_room(const EditContext& context, CodeEvaluator& evaluator,
                                               const Container& container);

/// An expression of a directive with the comments around it.
struct PayloadText {
  std::string code;
  std::vector<std::string> leading_comments;
  std::string trailing_comment;
};
/// Splits comments off a directive's text: those before the code, and the one behind it.
[[nodiscard]] PayloadText split_comments(const Fragment& fragment);

}  // namespace portpatch
