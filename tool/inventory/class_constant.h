// A class's own constants: `min_cc = 100` in its body, asked as `self.min_cc` or `Gate.min_cc`.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "syntax/source_tree.h"

namespace portpatch {

class ClassConstants {
 public:
  /// `tree` outlives it.
  explicit ClassConstants(const SourceTree& tree) : tree_(tree) {}

  /// The value of the attribute that `access` reads of its own class (`self.x`, `cls.x`), of one
  /// that it is made from, or of a class by its name. A null node unless the body of one class of
  /// the file gives the name a value, once, and nothing else in the file does: no assignment to an
  /// attribute of that name, no method, no keyword of a constructor.
  [[nodiscard]] Node value_of(const Node& access);

 private:
  struct Constant {
    Node owner, value;
  };
  [[nodiscard]] Constant find(const std::string& name) const;

  const SourceTree& tree_;
  std::map<std::string, Constant, std::less<>> known_;
};

/// Names in `text` that may be such constants, asked beside one of the `anchors`: what sets them
/// must be seen, too.
[[nodiscard]] std::vector<ByteRange> possible_class_constants(
    std::string_view text, const std::vector<ByteRange>& anchors);

}  // namespace portpatch
