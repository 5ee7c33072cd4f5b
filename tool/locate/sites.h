// Sites: the nodes that a rule's query matched in one file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "locate/parsed_file.h"
#include "pack/pack.h"

namespace portpatch {

/// A captured node, as bytes: it outlives the tree and can be found again in it.
struct CapturedNode {
  std::string name;
  std::string kind;
  ByteRange range;
};

struct Site {
  std::string path;
  std::size_t shape = 0;    ///< the pattern that matched
  std::size_t reading = 0;  ///< in which reading of the file
  std::vector<CapturedNode> captures;
  ByteRange target;   ///< the node of the first directive, or of #held!
  std::string scope;  ///< scope path of the target
};

/// The sites of `rule` in `file`, in source order: those of the first shape that matches in it, and
/// those of its #held! shapes. A site whose statement the grammar could not read is taken from the
/// file's masked variants. Fails beyond a limit of queries.
[[nodiscard]] Result<std::vector<Site>> find_sites(const Rule& rule, const ParsedFile& file);

/// The node of `capture` in the reading it was found in; a null node when there is none.
[[nodiscard]] Node node_of(const ParsedFile& file, const Site& site, std::string_view capture);

/// The node that reads as the rule would have it: what #held! captures, or the target of a
/// #replace! of the whole node, or of a #merge!, that is equal as code to TEXT or OURS; else a null
/// node.
[[nodiscard]] Node kept_node(const Rule& rule, const ParsedFile& file, const Site& site);

/// The smallest statement (or other child of a block) at or above `node`; the root when there is
/// none.
[[nodiscard]] Node enclosing_statement(const SourceTree& tree, const Node& node);

/// Could the rule match in this text? A literal of every group of one of its shapes occurs.
[[nodiscard]] bool passes_prefilter(const Rule& rule, std::string_view text);

}  // namespace portpatch
