// Colours of outcomes on a terminal, the same in every text.
#pragma once

#include <string>
#include <string_view>

#include "report/report.h"

namespace portpatch {

[[nodiscard]] inline std::string_view colour_of(Outcome outcome) {
  if (outcome == Outcome::kMoved) return "\x1b[33m";
  if (needs_person(outcome)) return "\x1b[31m";
  if (outcome == Outcome::kPending) return "\x1b[36m";
  return "\x1b[32m";
}

/// The outcome's name, in its colour when that is wanted.
[[nodiscard]] inline std::string paint(Outcome outcome, const TextStyle& style) {
  const auto name = std::string(name_of(outcome));
  return style.colour ? std::string(colour_of(outcome)) + name + "\x1b[0m" : name;
}

}  // namespace portpatch
