// Arrays with an entry for each architecture: their size or name says so; which entry is whose does
// not stand there.
#include <cctype>

#include "forms/form.h"

namespace portpatch::matchers {
namespace {

bool is_per_architecture(std::string_view size) {
  std::string upper;
  for (const char c : size) upper += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  for (const std::string_view word :
       {"COMPCAP", "COMP_CAP", "NUM_ARCH", "ARCH_COUNT", "ARCHS", "CAPABILIT"}) {
    if (upper.contains(word)) return true;
  }
  return false;
}

}  // namespace

void find_indexed_arrays(const FormInput& input, std::vector<CcPlace>& places) {
  for (const auto& table : input.facts.initialisers) {
    if (!is_per_architecture(table.size)) continue;
    const auto* function = function_at(input.facts, table.range);
    CcPlace place{.form = "indexed array",
                  .function = function != nullptr ? function->name : "",
                  .name = table.name,
                  .range = table.range};
    for (const auto& row : table.rows)
      place.arms.push_back({.range = row.range, .text = row.text, .value = row.value});
    places.push_back(std::move(place));
  }
}

}  // namespace portpatch::matchers
