// Statements of a block as an editor of whole statements sees them: which there are, the blank
// lines and comments between them.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/diagnostic.h"
#include "edit/payload.h"
#include "locate/parsed_file.h"
#include "syntax/source_tree.h"

namespace portpatch {

/// The statements of a block, without comments and what belongs to its header.
[[nodiscard]] std::vector<Node> statements_of(const SourceTree& tree, const Node& block);
/// The same for many questions about one tree, which must outlive it.
class BlockIndex {
 public:
  explicit BlockIndex(const SourceTree& tree) : tree_(tree) {}

  [[nodiscard]] const std::vector<Node>& statements(const Node& block);
  /// Which of its block's statements it is; their number when it is none of them.
  [[nodiscard]] std::size_t place_of(const Node& block, const Node& statement);

 private:
  struct Block {
    std::vector<Node> statements;
    std::unordered_map<const void*, std::size_t> places;
  };
  [[nodiscard]] const Block& listed(const Node& block);

  const SourceTree& tree_;
  std::unordered_map<const void*, Block> blocks_;
};

/// A function, class or namespace, also inside of what decorates it.
[[nodiscard]] bool is_scope_statement(const SourceTree& tree, const Node& statement);
/// The block that the statements of a file stand in: the file, or its include guard.
[[nodiscard]] Node file_block(const SourceTree& tree);

/// Does `range` stand under no condition of the preprocessor?
[[nodiscard]] bool is_always_shown(const ParsedFile& file, ByteRange range);

/// `node` and a semicolon that belongs to it, without blanks at its end.
[[nodiscard]] ByteRange statement_range(const SourceTree& tree, const Node& node);
/// The first of the comments that stand directly above `node`, else `node`; comments at the top of
/// the file are nobody's.
[[nodiscard]] Node with_comments_above(const SourceTree& tree, const Node& node);

/// One level of indentation as the block itself shows it, else as the file does.
[[nodiscard]] std::string indent_unit_in(const SourceTree& tree, const Node& block);

/// Blank lines in a text that begins and ends in lines with code.
[[nodiscard]] int blank_lines(std::string_view between);
/// Those above `begin`, up to code or a comment; -1 when nothing stands above.
[[nodiscard]] int blank_lines_above(std::string_view text, std::size_t begin);
/// Whole lines that go, with the blank lines above or below them, whichever are fewer, when there
/// are some on both sides.
[[nodiscard]] ByteRange with_blank_lines(std::string_view text, ByteRange lines);

/// insert_behind (edit/layout.h) for a statement that a semicolon belongs to.
[[nodiscard]] Result<std::vector<TextEdit>> insert_behind_statement(const SourceTree& tree,
                                                                    const Node& anchor,
                                                                    const CodeLines& lines);

}  // namespace portpatch
