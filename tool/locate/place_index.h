// The places of one file: footprints of its nodes, each sort of node read once for all that is
// asked.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "locate/footprint.h"

namespace portpatch {

/// For one thread. What it returns does not depend on what was asked before.
class PlaceIndex {
 public:
  explicit PlaceIndex(std::shared_ptr<const ParsedFile> file);
  PlaceIndex(PlaceIndex&&) noexcept;
  ~PlaceIndex();

  [[nodiscard]] const ParsedFile& file() const { return *file_; }
  [[nodiscard]] const std::shared_ptr<const ParsedFile>& pointer() const { return file_; }

  /// The footprint of `node` of one reading of the file.
  [[nodiscard]] Footprint footprint_of(std::size_t reading, const Node& node);

  /// The place in the file that is `place`, only perhaps with other content: by scope and name, by
  /// order among equals; a nameless one by its content, or by its order where nothing in its scope
  /// has changed. Nothing when there is none or more than one.
  [[nodiscard]] std::optional<Footprint> same_place(const Footprint& place);
  [[nodiscard]] bool has_same_place(const Footprint& place);

  /// Everything that could be what `like` was: nodes of its kind or family with its name (or the
  /// last part of it), or with at least `least_content` of its items.
  [[nodiscard]] std::vector<Footprint> similar_places(const Footprint& like, double least_content);

 private:
  /// A node of a sort, with what all are looked at for.
  struct Entry;
  using Address = std::pair<std::string, std::string>;  ///< scope and name
  /// The nodes of one kind or of one of some families.
  struct Sort;
  /// A reading, with what is shared between footprints.
  struct View;
  struct Found {
    const Entry* entry = nullptr;
    std::size_t ordinal = 0, count = 1;
  };

  [[nodiscard]] Sort& sort_of(const Footprint& like);
  [[nodiscard]] Found find_same(const Footprint& place);
  [[nodiscard]] Entry entry_of(std::size_t reading, const Node& node, std::span<const Node> above);
  [[nodiscard]] Footprint complete(const Entry& entry, const Node& node);

  std::shared_ptr<const ParsedFile> file_;
  std::vector<View> views_;                                 // one a reading
  std::map<std::pair<std::string, unsigned>, Sort> sorts_;  // by kind and families
};

/// The footprint of one node of a file that is not asked for more; see PlaceIndex.
[[nodiscard]] Footprint footprint_of(const ParsedFile& file, std::size_t reading, const Node& node);

}  // namespace portpatch
