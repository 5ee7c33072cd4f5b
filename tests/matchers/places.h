// Forms without Clang: code is read from its text, places are shown as lines.
#pragma once

#include <string>

#include <fmt/format.h>

#include "expression_text.h"
#include "forms/form.h"
#include "statement_text.h"

namespace portpatch::matchers::test {

/// `body` as that of one function `f`.
inline Facts facts_of(const std::string& body) {
  Facts facts;
  Function function{.name = "f",
                    .range = {0, body.size()},
                    .body = {.kind = Statement::Kind::kBlock, .range = {0, body.size()}}};
  function.body.parts = read_statements(body, {0, body.size()});
  facts.functions.push_back(std::move(function));
  return facts;
}

inline std::string constant_text(const Constant& constant) {
  if (const auto* boolean = std::get_if<bool>(&constant)) return *boolean ? "true" : "false";
  if (const auto* number = std::get_if<long long>(&constant)) return fmt::format("{}", *number);
  if (const auto* real = std::get_if<double>(&constant)) return fmt::format("{}", *real);
  return std::get<std::string>(constant);
}

/// A line for each place: FORM: KEY=CC/UNIT ...; arm taken at 12.0 and the value's text.
inline std::string places_text(const Facts& facts, const std::string& text) {
  std::string result;
  const FormInput input{facts, text};
  for (const auto& place : find_places(input)) {
    result += place.form + ":";
    for (const auto& arm : place.arms) {
      for (const auto& key : arm.comparisons)
        result += fmt::format(" {}{}={}/{}", key.op, key.key, capability_text(key.cc, key.unit),
                              unit_name(key.unit));
    }
    const auto at_12 = answer(place, {12, 0}, reader_at(input, place.range));
    result += fmt::format("; {}", taken_name(at_12.taken));
    if (at_12.value) result += " " + constant_text(*at_12.value);
    result += "\n";
  }
  return result;
}

inline std::string places_text(const std::string& body) {
  return places_text(facts_of(body), body);
}

}  // namespace portpatch::matchers::test
