// What a place is known by, apart from where it stands: its name, scope, content and surroundings.
// The trace compares footprints of two versions of a tree.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "locate/leaf_table.h"
#include "locate/parsed_file.h"
#include "locate/place_name.h"

namespace portpatch {

/// Its bags are sorted.
struct Footprint {
  std::string path, scope;
  std::string name;  ///< of the assignment, entry, call or definition it belongs to; may be empty
  std::string kind;  ///< of the node
  unsigned families = 0;  ///< container roles as bits: kinds of one family may replace each other
  ByteRange range;
  std::size_t reading = 0;
  std::size_t ordinal = 0, count = 1;  ///< which of how many with this name in this scope
  Bag items;   ///< entries, elements, arguments or statements; else its tokens
  Bag keys;    ///< of its entries, or of its named arguments
  Bag tokens;  ///< of the node
  std::shared_ptr<const Bag> around = {};  ///< tokens of the innermost scope around it; may be none
  std::uint64_t before = 0, behind = 0;    ///< the statements beside its own; 0: none

  /// Where `around` is equal but was read twice, they count as different.
  bool operator==(const Footprint&) const = default;
};

/// How much of `part` is in `whole`, 0 to 1; and how alike two bags are (Dice).
[[nodiscard]] double share_of(const Bag& part, const Bag& whole);
[[nodiscard]] double likeness(const Bag& one, const Bag& two);
/// The likeness of two files, by lines.
[[nodiscard]] double line_likeness(std::string_view one, std::string_view two);

/// Words of the footprint's code by which files that may hold it are found: its name first.
[[nodiscard]] std::vector<std::string> search_words(const ParsedFile& file, const Footprint& place);

}  // namespace portpatch
