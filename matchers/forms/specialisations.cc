// Templates specialised by an architecture's tag: `struct Layout<TypeA, arch::Sm89>`.
#include "forms/form.h"

namespace portpatch {

void find_specialisations(const FormInput& input, std::vector<CcPlace>& places) {
  for (const auto& specialisation : input.facts.specialisations) {
    CcPlace place{.form = "specialisation", .function = {}, .name = specialisation.name, .range = specialisation.range};
    CcArm arm{.range = specialisation.range, .is_row = true};
    for (const auto& argument : specialisation.arguments) {
      const auto cc = spelled_capability(argument);
      if (!cc) continue;
      arm.comparisons.push_back({.expression = specialisation.name, .op = "==", .key = argument, .unit = CcUnit::kArch, .cc = *cc,
                                 .range = specialisation.range});
    }
    if (arm.comparisons.empty()) continue;
    place.arms.push_back(std::move(arm));
    places.push_back(std::move(place));
  }
}

}  // namespace portpatch
