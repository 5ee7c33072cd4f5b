// Where an item goes and how it stands there: the house style of the container's own lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "edit/container.h"
#include "edit/payload.h"

namespace portpatch {

/// An item's text with the comments that go with it.
struct ItemText {
  std::string code;                                ///< may have several lines, already indented
  std::vector<std::string> leading_comments = {};  ///< each on a line above
  std::string trailing_comment = {};               ///< behind its separator
};

/// Edits that put `item` in front of item number `index` (the number of items: at the end).
/// Fails with "no-room" when the container has no such place.
[[nodiscard]] Result<std::vector<TextEdit>> insert_item(const SourceTree& tree,
                                                        const Container& container,
                                                        std::size_t index, const ItemText& item);
/// Edits that take item number `index` out with its separator; comments stay.
[[nodiscard]] Result<std::vector<TextEdit>> remove_item(const SourceTree& tree,
                                                        const Container& container,
                                                        std::size_t index);

/// The indentation that a new item would get in front of item `index`, for laying out its text.
[[nodiscard]] std::string indent_for(const SourceTree& tree, const Container& container,
                                     std::size_t index);
/// True when items stand on lines of their own near `index`.
[[nodiscard]] bool is_vertical(const SourceTree& tree, const Container& container,
                               std::size_t index);
/// True when some last item of the text has a comma behind it, at the end of its line.
[[nodiscard]] bool uses_trailing_commas(std::string_view text);
/// The indentation of one level in the text: a tab, or the most common step of blanks.
[[nodiscard]] std::string indent_unit(std::string_view text);

/// Edits that put a statement behind `anchor`, a statement of a block or a row.
[[nodiscard]] Result<std::vector<TextEdit>> insert_behind(const SourceTree& tree,
                                                          const Node& anchor,
                                                          const CodeLines& statement);
/// ... directly in front of it.
[[nodiscard]] Result<std::vector<TextEdit>> insert_in_front(const SourceTree& tree,
                                                            const Node& anchor,
                                                            const CodeLines& statement);
/// ... into a block without statements.
[[nodiscard]] Result<std::vector<TextEdit>> insert_into_empty(const SourceTree& tree,
                                                              const Node& block,
                                                              const CodeLines& statement);
/// Takes a statement or clause out with its lines; a comment behind it stays on a line of its own.
[[nodiscard]] Result<std::vector<TextEdit>> remove_statement(const SourceTree& tree,
                                                             const Node& statement);

}  // namespace portpatch
