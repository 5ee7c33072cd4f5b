#include "report/report.h"

#include <algorithm>

namespace portpatch {

namespace {

struct Row {
  Outcome outcome;
  std::string_view name;
  bool needs_person;
};

constexpr Row kRows[] = {
#define PORTPATCH_OUTCOME(id, name, person) {Outcome::id, name, person},
    PORTPATCH_OUTCOMES(PORTPATCH_OUTCOME)
#undef PORTPATCH_OUTCOME
};

}  // namespace

std::string_view name_of(Outcome outcome) { return kRows[static_cast<std::size_t>(outcome)].name; }

std::optional<Outcome> outcome_named(std::string_view name) {
  const auto* found = std::ranges::find(kRows, name, &Row::name);
  return found == std::end(kRows) ? std::nullopt : std::optional(found->outcome);
}

bool needs_person(Outcome outcome) { return kRows[static_cast<std::size_t>(outcome)].needs_person; }

bool Report::needs_person() const {
  return std::ranges::any_of(rules, [&](const RuleReport& rule) {
    const bool holds = rule.outcome == Outcome::kHeld || rule.outcome == Outcome::kUpstreamed;
    return portpatch::needs_person(rule.outcome) || (check && !holds);
  });
}

}  // namespace portpatch
