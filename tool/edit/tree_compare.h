// Is the new tree the old tree plus exactly the edit?
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "syntax/source_tree.h"

namespace portpatch {

/// Where the bytes of a text went through sorted, non-overlapping edits.
class OffsetMap {
 public:
  explicit OffsetMap(std::vector<TextEdit> edits);

  /// Could a node boundary at old offset `before` be at `after`? At an insertion both sides are
  /// possible: the node may have grown around it or end in front of it.
  [[nodiscard]] bool may_map(std::size_t before, std::size_t after) const;
  /// Where old offset `before` is now at the earliest; in front of an insertion, at the edit that
  /// took it away.
  [[nodiscard]] std::size_t least(std::size_t before) const;
  /// Ranges of inserted text, in new offsets; and of removed text, in old ones.
  [[nodiscard]] const std::vector<ByteRange>& inserted() const { return inserted_; }
  [[nodiscard]] const std::vector<ByteRange>& removed() const { return removed_; }
  /// The new range of an old one that no edit cuts; grown by insertions at its ends.
  [[nodiscard]] ByteRange grown(ByteRange before) const;
  /// Does an edit begin or end strictly inside the old range?
  [[nodiscard]] bool cuts(ByteRange before) const;

 private:
  std::vector<TextEdit> edits_;
  std::vector<ByteRange> inserted_, removed_;
};

/// What an edit may change.
struct Allowance {
  ByteRange parent;           ///< old range of the node that inserted nodes become children of
  bool inside_token = false;  ///< one leaf token may change its text
  /// When given, `parent` is instead the old range of neighbouring nodes (and the comments behind
  /// them) that become others, of this form: exact_form of them all. Insertions at its ends count.
  std::optional<std::string> becomes = std::nullopt;
  bool drops_comments = false;  ///< comments in text that is removed there may go
};

/// Nothing when the edits make of the tree exactly what the allowance says, without a new syntax
/// error: for choosing among spellings of an edit before it is planned.
[[nodiscard]] std::optional<std::string> difference_of_edits(const SourceTree& before,
                                                             std::vector<TextEdit> edits,
                                                             const Allowance& allowed);

/// Nothing when `after` is `before` with nodes inserted only within the inserted ranges, as
/// children of the allowed parent, and nodes gone only within the removed ranges; else what
/// differs, in words.
[[nodiscard]] std::optional<std::string> difference(const SourceTree& before,
                                                    const SourceTree& after, const OffsetMap& map,
                                                    const std::vector<Allowance>& allowed);

}  // namespace portpatch
