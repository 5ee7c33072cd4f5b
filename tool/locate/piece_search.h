// Pieces of code, looked for word for word in a whole tree: a file is parsed only when it holds the
// longest words of a piece.
#pragma once

#include <string>
#include <vector>

#include "locate/parsed_file.h"
#include "repo/work_tree.h"

namespace portpatch {

/// A piece of code by what it is found by; it outlives its tree.
struct Piece {
  const Language* language = nullptr;
  std::string kind;                ///< of the node
  std::string text;                ///< as it was written
  std::string form;                ///< as code
  std::vector<std::string> words;  ///< that stand in it, the longest first
  std::size_t word_count = 0;
};

/// Where a piece stands, in any layout.
struct PiecePlace {
  std::size_t piece = 0;  ///< its index
  std::string path, scope;
  ByteRange range;
  std::size_t line = 0;  ///< 1-based
};

[[nodiscard]] Piece piece_of(const SourceTree& tree, const Node& node);

/// Where the pieces of the file's language stand in it, in source order for each piece.
[[nodiscard]] std::vector<PiecePlace> find_pieces(const std::vector<Piece>& pieces,
                                                  const ParsedFile& file);
/// Where they stand in the tree, by path. Files that cannot be read are left out: the scan has
/// named them.
[[nodiscard]] Result<std::vector<PiecePlace>> find_pieces(const std::vector<Piece>& pieces,
                                                          const WorkTree& tree);

}  // namespace portpatch
