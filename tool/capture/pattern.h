// A query pattern under construction: what an author would write to point at one node.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "capture/content.h"

namespace portpatch {

/// `field: (kind children...) @capture`, with `(#eq? @capture text)` where it has a text, with
/// `(#reads? @capture text)` where it has several lines, `(#match? @capture "^text")` where it is
/// long.
struct Pattern {
  std::string kind;  ///< "_": any named node
  std::string field = {};
  std::string capture = {};
  std::optional<std::string> text = std::nullopt;
  std::optional<std::uint64_t> content = std::nullopt;  ///< of a text that is compared as code
  bool is_prefix = false;                               ///< the text is what it begins with
  std::vector<Pattern> children = {};
  bool is_target = false;    ///< the node that is pointed at
  bool is_adjacent = false;  ///< stands directly behind the sibling in front of it (`.`)
};

/// The nodes of the tree that are the target of a match of `pattern`, in source order, once each.
[[nodiscard]] std::vector<Node> targets_of(const Pattern& pattern, const TreeContent& tree);

/// Gives every node that has a text, and the target, a capture of its own: by field and role.
void name_captures(Pattern& pattern, std::string_view target);

/// The pattern in query notation, lines after the first behind `indent` blanks.
[[nodiscard]] std::string print(const Pattern& pattern, std::size_t indent);
/// Its `(#eq? ...)` and `(#reads? ...)` predicates, one each.
[[nodiscard]] std::vector<std::string> predicates_of(const Pattern& pattern);

}  // namespace portpatch
