// Joins what several parses of one file have shown.
#pragma once

#include <vector>

#include "place.h"

namespace portpatch::matchers {

/// Where a place was found, for asking it again.
struct SeenPlace {
  CcPlace place;
  std::size_t parse = 0;
};

/// Adds `found`, in the order of parses: the arms of a ladder of which each parse sees other ones
/// are joined, and what is told already is left out.
void merge_places(std::vector<SeenPlace>& seen, std::vector<CcPlace> found, std::size_t parse);

/// True when the two share a comparison and are of the same kind.
[[nodiscard]] bool is_same_place(const CcPlace& one, const CcPlace& other);

}  // namespace portpatch::matchers
