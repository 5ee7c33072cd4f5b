// A piece of code in a directive's text: parsed inside a frame of its language, so that it is known
// to be whole before it is put anywhere.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "syntax/source_tree.h"

namespace portpatch {

class Fragment {
 public:
  /// Parses `text` as `kind`, one of the frames of language.toml: "expression", "argument",
  /// "entry", "statement", "pattern", "directive", "indented". Fails with "bad-code" when it is not
  /// whole, with the place in the fragment in the message.
  [[nodiscard]] static Result<Fragment> parse(const Language& language, std::string_view kind,
                                              std::string_view text);
  /// As the first kind of frame that fits, expressions first.
  [[nodiscard]] static Result<Fragment> parse_any(const Language& language, std::string_view text);

  [[nodiscard]] const SourceTree& tree() const { return tree_; }
  /// The fragment's nodes without comments: one for an expression, one or more statements.
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  /// Comments beside these nodes (not those inside them).
  [[nodiscard]] const std::vector<Node>& comments() const { return comments_; }
  /// The fragment's text without surrounding blanks.
  [[nodiscard]] std::string_view text() const { return body_.of(tree_.text()); }
  [[nodiscard]] ByteRange body() const { return body_; }
  /// The indentation that its first line had before it was trimmed.
  [[nodiscard]] std::size_t first_indent() const { return first_indent_; }

 private:
  Fragment(SourceTree tree, ByteRange body) : tree_(std::move(tree)), body_(body) {}
  bool take_nodes();

  SourceTree tree_;
  ByteRange body_;
  std::size_t first_indent_ = 0;
  std::vector<Node> nodes_, comments_;
};

/// `text` as an item of a container: an element, an argument or parameter, an entry.
[[nodiscard]] Result<Fragment> parse_item(const Language& language, std::string_view text);

}  // namespace portpatch
