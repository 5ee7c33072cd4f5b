// A container as the editor sees it: items with their separators, whatever the language calls them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "syntax/imports.h"
#include "syntax/roles.h"
#include "syntax/source_tree.h"

namespace portpatch {

struct Item {
  Node node;
  Node key;    ///< null unless it is an entry
  Node value;  ///< of an entry, or of a row such as YAML's `- value`
  bool is_entry = false;
  bool is_spread = false;
  std::optional<std::size_t> comma;  ///< where its separator stands, when it has one
  bool is_stable = true;             ///< does not depend on a preprocessor conditional

  [[nodiscard]] ByteRange range() const { return node.range(); }
};

struct Container {
  enum class Form {
    kBrackets,  ///< items between brackets (or bare), separated by commas
    kRows,      ///< items on lines of their own, without brackets or separators
    kText,      ///< elements inside a string literal, separated by a delimiter
  };
  Form form = Form::kBrackets;
  Node node;
  ByteRange inside;  ///< between the brackets, and what heads and closes the items; the whole node
                     ///< when there are none
  bool has_brackets = false;
  std::vector<Item> items;
  std::string_view separator = ",";  ///< what stands between items beside a blank; may be nothing
  std::string_view row_table = {};   ///< the table's name when the items are TABLE[key] = value
};

/// The key and the value of a node with the role kEntry; null nodes where it has none.
struct EntryParts {
  Node key, value;
};
[[nodiscard]] EntryParts entry_parts(const SourceTree& tree, const Node& entry);

/// Do the children of `node` stand there as items: entries, elements, arguments, parameters?
[[nodiscard]] bool holds_items(const SourceTree& tree, const Node& node);

/// Is a byte range independent of preprocessor conditionals within `around`?
using IsStable = std::function<bool(ByteRange range, ByteRange around)>;

/// The container with `role` (kMap, kSequence or kArguments) that `captured` means: itself, what a
/// wrapper or assignment holds, the arguments of a call or signature. Fails with "no-container".
[[nodiscard]] Result<Container> find_container(const SourceTree& tree, const Node& captured,
                                               Role role, const IsStable& is_stable);
/// The names of a statement as a container of items.
[[nodiscard]] Container names_of(const SourceTree& tree, const ImportStatement& statement);
/// The container and index of the item that is `node` itself, also of one of several imported
/// names; "no-container" when it is no item.
[[nodiscard]] Result<std::pair<Container, std::size_t>> find_item(const SourceTree& tree,
                                                                  const Node& node,
                                                                  const IsStable& is_stable);

}  // namespace portpatch
