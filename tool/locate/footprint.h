// What a place is known by, apart from where it stands: its name, scope, content and surroundings.
// The trace compares footprints of two versions of a tree.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "locate/parsed_file.h"
#include "syntax/node.h"

namespace portpatch {

/// Hashes of pieces of code, sorted; comments, layout and trailing commas are not in it.
using Bag = std::vector<std::uint64_t>;

struct Footprint {
  std::string path, scope;
  std::string name;     ///< of the assignment, entry, call or definition it belongs to; may be empty
  std::string kind;     ///< of the node
  unsigned families = 0;  ///< container roles as bits: kinds of one family may replace each other
  ByteRange range;
  std::size_t reading = 0;
  std::size_t ordinal = 0, count = 1;  ///< which of how many with this name in this scope
  Bag items;            ///< entries, elements, arguments or statements; else its tokens
  Bag keys;             ///< of its entries, or of its named arguments
  Bag tokens;           ///< of the node
  Bag around;           ///< tokens of the innermost scope around it
  std::uint64_t before = 0, behind = 0;  ///< the statements beside its own; 0: none
};

/// The footprint of `node` of one reading of `file`.
[[nodiscard]] Footprint footprint_of(const ParsedFile& file, std::size_t reading, const Node& node);

/// Everything in `file` that could be what `like` was: nodes of its kind or family with its name (or
/// the last part of it), or with at least `least_content` of its items.
[[nodiscard]] std::vector<Footprint> similar_places(const ParsedFile& file, const Footprint& like, double least_content);

/// Finds places of other versions again in one file, each sort of node read once. The file must
/// outlive it. For one thread.
class PlaceIndex {
 public:
  explicit PlaceIndex(const ParsedFile& file) : file_(&file) {}

  /// The place in the file that is `place`, only perhaps with other content: by scope and name, by
  /// order among equals; a nameless one by its content. Nothing when there is none or more than one.
  [[nodiscard]] std::optional<Footprint> same_place(const Footprint& place);

 private:
  using Address = std::pair<std::string, std::string>;  ///< scope and name
  const ParsedFile* file_;
  std::map<std::pair<std::string, unsigned>, std::map<Address, std::vector<Footprint>>> places_;  ///< by kind and families
};

/// Is it the name of a call?
[[nodiscard]] bool names_call(std::string_view name);
/// Of a decorator's "@f/cached()" the function that it decorates; else empty.
[[nodiscard]] std::string_view decorated_name(std::string_view name);
/// The part of a name behind its last slash: of "result/subprocess.run()" the call's own.
[[nodiscard]] std::string_view own_name(std::string_view name);
/// What a call or display is for: the variable, key or argument that takes it; of
/// "event/Event()[message]/Response()" it is "[message]". Empty when nothing does.
[[nodiscard]] std::string_view use_of(std::string_view name);
/// The part of the name behind its last dot, without brackets: "self.table" and "view.table" share it.
[[nodiscard]] std::string_view last_part(std::string_view name);

/// The hashes of the node's tokens in source order, comments and punctuation left out.
[[nodiscard]] Bag tokens_of(const SourceTree& tree, const Node& node);

/// How much of `part` is in `whole`, 0 to 1; and how alike two bags are (Dice).
[[nodiscard]] double share_of(const Bag& part, const Bag& whole);
[[nodiscard]] double likeness(const Bag& one, const Bag& two);
/// The likeness of two files, by lines.
[[nodiscard]] double line_likeness(std::string_view one, std::string_view two);

/// Words of the footprint's code by which files that may hold it are found: its name first.
[[nodiscard]] std::vector<std::string> search_words(const ParsedFile& file, const Footprint& place);

}  // namespace portpatch
